import type { LedgerId } from "#test/golden/ledger-id";
import type { ReconcileInput } from "#test/golden/reconcile/world";

/**
 * Each entry is a switch of the reference reconcile in `reconcile/reference.ts`, which without any is Karmada's
 * (`reference.test.ts`). `holds` says on which inputs it can matter at all, so that others are not computed; an entry is
 * named only where switching it on changes the answer of the step, and that answer is its equation.
 */
export const RECONCILE_SWITCHES: readonly {
  readonly id: LedgerId;
  readonly holds: (input: ReconcileInput) => boolean;
}[] = [
  { id: "D-16", holds: ({ fhpa }) => metricsOf(fhpa.spec).some(({ type }) => type === "Object") },
  {
    id: "D-05",
    holds: ({ steps, fhpa }) =>
      steps.some(({ bindings = [] }) =>
        bindings.some(({ metadata }) => metadata.namespace !== fhpa.metadata.namespace),
      ),
  },
  {
    id: "D-09",
    holds: ({ steps }) =>
      steps.some(({ scales = {} }) => Object.values(scales).some(({ selector }) => selector === "")),
  },
  {
    id: "D-06",
    holds: ({ steps }) =>
      steps.some(
        ({ template, scales = {} }) =>
          template?.spec.replicas === 0 ||
          Object.values(scales).some(({ specReplicas }) => specReplicas === 0),
      ),
  },
  { id: "D-07", holds: ({ steps }) => steps.some(({ template }) => template?.spec.replicas === 0) },
  {
    id: "D-12",
    holds: ({ steps }) =>
      podsIn(steps).some(({ status }) => ["Succeeded", "Failed"].includes(phaseOf(status))),
  },
  { id: "D-03", holds: () => true },
  { id: "D-11", holds: () => true },
  {
    id: "D-04",
    holds: ({ fhpa }) => metricsOf(fhpa.spec).some(({ object }) => object?.target.type === "AverageValue"),
  },
  { id: "D-01", holds: () => true },
  { id: "D-02", holds: () => true },
  { id: "D-31", holds: () => true },
  { id: "D-15", holds: () => true },
];

interface LooseMetric {
  readonly type: string;
  readonly object?: { readonly target: { readonly type: string } };
}

function metricsOf(spec: Readonly<Record<string, unknown>>): readonly LooseMetric[] {
  return (spec.metrics ?? []) as readonly LooseMetric[];
}

function podsIn(steps: ReconcileInput["steps"]) {
  return steps.flatMap(({ pods = {} }) => Object.values(pods).flatMap(({ set = [] }) => set));
}

function phaseOf(status: object): string {
  return (status as { readonly phase?: string }).phase ?? "";
}
