import type { Figures } from "#domain/scale/figures";
import type { Fleet } from "#sim/fleet";

/** A decision as the functions log it. */
export interface DecisionLine {
  readonly atMs: number;
  /** `namespace/name` */
  readonly object: string;
  readonly result: string;
  readonly from?: number;
  readonly to?: number;
  /** Replicas by cluster, as they were decided from; null where a cluster could not be read. */
  readonly clusters: Readonly<Record<string, number | null>>;
  readonly why: string;
  /** Absent where nothing was decided. */
  readonly figures?: Figures;
  /** What another spec, named by `mainsheet.io/shadow`, wanted of the same snapshot. */
  readonly shadow?: ShadowLine;
}

export interface ShadowLine {
  readonly configMap: string;
  /** Absent where it could not be decided by. */
  readonly to?: number;
  readonly why: string;
}

/** A run of a cron rule as the functions log it. */
export interface CronLine {
  /** The rule's instant. */
  readonly atMs: number;
  readonly executionMs: number;
  /** Of the CronFederatedHPA: `namespace/name`. */
  readonly object: string;
  readonly rule: string;
  readonly result: string;
  /** What it scales: `Deployment/web`. */
  readonly target: string;
  /** Earlier instants of the rule that passed without a run. */
  readonly skipped: number;
  readonly why: string;
}

export type LogLine =
  | ({ readonly kind: "decision" } & DecisionLine)
  | ({ readonly kind: "cron" } & CronLine)
  /** Something an operator should see. */
  | { readonly kind: "trouble"; readonly message: string };

/** What a line of a function's log means here; undefined for lines that are not shown. */
export function decisionOf(line: string): LogLine | undefined {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { kind: "trouble", message: line };
  }
  if (entry.message === "decision") {
    const { atMs, object, result, from, to, clusters, why, figures, shadow, message: _name, ...rest } = entry;
    const told = typeof why === "string" ? why : String((rest as { fault?: unknown }).fault ?? result);
    return {
      kind: "decision",
      atMs: Number(atMs),
      object: String(object),
      result: String(result),
      ...(typeof from === "number" ? { from } : {}),
      ...(typeof to === "number" ? { to } : {}),
      clusters: (clusters ?? {}) as DecisionLine["clusters"],
      why: told,
      ...(figures === undefined ? {} : { figures: figures as Figures }),
      ...(shadow === undefined ? {} : { shadow: shadow as ShadowLine }),
    };
  }
  if (entry.message === "cron run") {
    const { atMs, executionMs, object, rule, result, target, skipped, why } = entry;
    return {
      kind: "cron",
      atMs: Number(atMs),
      executionMs: Number(executionMs),
      object: String(object),
      rule: String(rule),
      result: String(result),
      target: String(target),
      skipped: Number(skipped),
      why: String(why),
    };
  }
  if (entry.level === "WARN" || entry.level === "ERROR") {
    const { message, cause, fault, error } = entry as Record<
      string,
      { message?: string } | string | undefined
    >;
    const detail = cause ?? fault ?? (typeof error === "object" ? error.message : error);
    return { kind: "trouble", message: detail === undefined ? String(message) : `${message}: ${detail}` };
  }
  return undefined;
}

/** The replicas by cluster that the scheduler has given an object's target by now; `former` where it has no binding. */
export function placementOf(
  { hub }: Fleet,
  object: string,
  former: DecisionLine["clusters"],
): DecisionLine["clusters"] {
  const [namespace = "", name = ""] = object.split("/");
  const fhpas = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
  const ref = hub.store.get(fhpas, namespace, name)?.spec?.scaleTargetRef as { kind?: string; name?: string };
  const bindings = hub.store.list({ group: "work.karmada.io", resource: "resourcebindings" }, namespace);
  const binding = bindings.find(({ spec }) => {
    const resource = spec?.resource as { kind?: string; name?: string } | undefined;
    return resource?.kind === ref?.kind && resource?.name === ref?.name;
  });
  const clusters = binding?.spec?.clusters as { name: string; replicas?: number }[] | undefined;
  return clusters
    ? Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.replicas ?? 0]))
    : former;
}
