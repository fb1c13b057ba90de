import { matches } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import type { CalculatorInput, VectorPod } from "#test/golden/ledger/calculator";
import { type Reference, replicasOf } from "#test/golden/ledger/calculator-reference";
import { normalizeAsKarmada, type Remembered } from "#test/golden/reconcile/reference-behavior";
import { methodOf, panics, samplesOf, type VectorMetricSpec } from "#test/golden/reconcile/reference-metrics";
import { comparedEvents, type StepAnswer } from "#test/golden/reconcile/step-answer";
import {
  PERMANENT_IDS,
  type ReconcileInput,
  type VectorObject,
  type VectorScale,
  type VectorStep,
  World,
} from "#test/golden/reconcile/world";

/**
 * Karmada's reconcile written down plainly, with a switch per entry of the ledger. It shares with the domain only the
 * parsers of selectors and the printing of quantities; the metrics are those of `calculator-reference.ts`.
 */
export function referenceAnswers(input: ReconcileInput, on: Reference): readonly StepAnswer[] {
  const world = new World(input);
  const run = new ReferenceRun(input, world, on);
  return input.steps.map((step) => {
    world.change(step);
    return run.reconcile(step);
  });
}

interface VectorSpec {
  readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly metrics: readonly VectorMetricSpec[];
  readonly behavior?: Parameters<typeof normalizeAsKarmada>[0]["behavior"];
}

type Events = [string, string, string][];

/** A computed metric, or the reason it could not be. */
type MetricAnswer =
  | { readonly replicas: number; readonly name: string; readonly status: unknown }
  | { readonly reason: string };

class ReferenceRun {
  readonly #input: ReconcileInput;
  readonly #world: World;
  readonly #on: Reference;
  readonly #spec: VectorSpec;
  #status: Omit<StepAnswer, "error" | "templateReplicas" | "events"> = {
    currentReplicas: 0,
    desiredReplicas: 0,
    lastScaleTime: undefined,
    currentMetrics: [],
    conditions: {},
  };
  #remembered: Remembered = { samples: [], up: [], down: [] };

  constructor(input: ReconcileInput, world: World, on: Reference) {
    this.#input = input;
    this.#world = world;
    this.#on = on;
    this.#spec = input.fhpa.spec as unknown as VectorSpec;
  }

  reconcile(step: VectorStep): StepAnswer {
    const events: Events = [];
    const error = this.#reconcile(step, events);
    const { templateReplicas } = this.#world;
    return { ...this.#status, error, templateReplicas, events: comparedEvents(events) };
  }

  /** Whether it ended in an error. */
  #reconcile(step: VectorStep, events: Events): boolean {
    const { minReplicas, maxReplicas, metrics, behavior } = this.#spec;
    const world = this.#world;
    const before = this.#status;
    if (this.#on.has("D-16") && metrics.some(panics)) {
      this.#set("ScalingActive", "False/InvalidSpec");
      events.push(["Warning", "InvalidSpec", ""]);
      return true;
    }
    const bound = this.#boundClusters(events);
    if (bound === undefined) return true;

    const template = world.templateReplicas ?? 0;
    if (this.#on.has("D-06") && template === 0) {
      this.#set("AbleToScale", "True/SucceededGetScale");
      this.#set("ScalingActive", "False/ScalingDisabled");
      this.#status = { ...this.#status, currentReplicas: 0, desiredReplicas: 0 };
      return false;
    }
    const members = this.#members(bound, events);
    const spec = sum(members.map(({ scale }) => scale.specReplicas ?? 0));
    const nothingPlaced = spec === 0 && members.length > 0 && this.#on.has("D-06");
    const selectorless =
      this.#on.has("D-09") && members.length === 0 && bound.some((name) => this.#lacksSelector(name));
    if (spec === 0 && !nothingPlaced && !selectorless) {
      this.#set("AbleToScale", "False/FailedGetScale");
      events.push(["Warning", "FailedGetScale", ""]);
      return true;
    }
    this.#set("AbleToScale", "True/SucceededGetScale");
    if (this.#remembered.samples.length === 0) {
      this.#remembered.samples.push({ replicas: template, atMs: world.nowMs });
    }
    let desired = template;
    let reason = "";
    let failed = false;
    let computed: readonly unknown[] | undefined;
    if (template > maxReplicas) {
      [desired, reason] = [maxReplicas, "Current number of replicas above Spec.MaxReplicas"];
    } else if (template < minReplicas) {
      [desired, reason] = [minReplicas, "Current number of replicas below Spec.MinReplicas"];
    } else {
      const unselected = this.#selectorFault(members, selectorless);
      if (unselected !== undefined) {
        if (!selectorless) events.push(["Warning", unselected, ""]);
        events.push(["Warning", "FailedComputeMetricsReplicas", ""]);
        this.#set("ScalingActive", `False/${unselected}`);
        this.#status = { ...this.#status, currentReplicas: template };
        return true;
      }
      if (nothingPlaced) {
        this.#status = { ...this.#status, currentReplicas: template, desiredReplicas: template };
        return false;
      }
      const answers = metrics.map((metric, index) => this.#metric(metric, index, members, template));
      if (answers.includes("panic")) {
        // The status was never written.
        this.#status = before;
        return true;
      }
      const good = answers.flatMap((answer) => (answer !== "panic" && "replicas" in answer ? [answer] : []));
      const bad = answers.flatMap((answer) => (answer !== "panic" && "reason" in answer ? [answer] : []));
      for (const { reason: why } of bad) events.push(["Warning", why, ""]);
      const best = good.reduce(
        (winner, answer) => (winner.replicas === 0 || answer.replicas > winner.replicas ? answer : winner),
        { replicas: 0, name: "", status: undefined },
      );
      computed = answers.map((answer) =>
        answer !== "panic" && "replicas" in answer ? answer.status : { type: "" },
      );
      failed = bad.length > 0;
      const fixed = good.map(({ status }) => status);
      if (this.#on.has("D-15")) computed = fixed;
      if (good.length === 0 || (failed && best.replicas < template)) {
        events.push(["Warning", "FailedComputeMetricsReplicas", ""]);
        this.#set("ScalingActive", `False/${bad[0]?.reason}`);
        this.#status = { ...this.#status, currentReplicas: template };
        if (this.#on.has("D-15")) this.#status = { ...this.#status, currentMetrics: fixed };
        return true;
      }
      this.#set("ScalingActive", "True/ValidMetricFound");
      const normalized = normalizeAsKarmada(
        {
          minReplicas,
          maxReplicas,
          downSeconds: this.#input.controller.downscaleStabilisationSeconds,
          ...(behavior === undefined ? {} : { behavior }),
        },
        this.#remembered,
        template,
        best.replicas,
        world.nowMs,
      );
      desired = normalized.replicas;
      reason = best.replicas > template ? `${best.name} above target` : "";
      if (best.replicas < template) reason = "All metrics below target";
      if (this.#on.has("D-31") && Math.sign(best.replicas - template) !== Math.sign(desired - template)) {
        reason = `recent recommendations ${desired > template ? "above" : "below"} current size`;
      }
      this.#set("AbleToScale", `True/${normalized.able}`);
      this.#set(
        "ScalingLimited",
        normalized.limited ? `True/${normalized.limited}` : "False/DesiredWithinRange",
      );
    }
    return this.#write(step, events, template, desired, reason, computed) || failed;
  }

  /** Whether the write failed. */
  #write(
    step: VectorStep,
    events: Events,
    template: number,
    desired: number,
    reason: string,
    computed: readonly unknown[] | undefined,
  ): boolean {
    const world = this.#world;
    const kept = this.#on.has("D-15") ? this.#status.currentMetrics : [];
    const currentMetrics = computed ?? kept;
    const size = `New size: ${desired}; reason: ${reason}`;
    if (desired !== template && step.scaleUpdateError !== undefined) {
      events.push(["Warning", "FailedRescale", `${size}; error: ${step.scaleUpdateError}`]);
      this.#set("AbleToScale", "False/FailedUpdateScale");
      this.#status = { ...this.#status, currentReplicas: template };
      if (this.#on.has("D-15")) this.#status = { ...this.#status, currentMetrics };
      return true;
    }
    this.#status = { ...this.#status, currentReplicas: template, desiredReplicas: desired, currentMetrics };
    if (desired === template) return false;
    events.push(["Normal", "SuccessfulRescale", size]);
    this.#set("AbleToScale", "True/SucceededRescale");
    this.#status = { ...this.#status, lastScaleTime: `${new Date(world.nowMs).toISOString().slice(0, 19)}Z` };
    const { behavior } = this.#spec;
    if (behavior !== undefined) remember(this.#remembered, behavior, template, desired, world.nowMs);
    if (template !== 0 || this.#on.has("D-07")) world.templateReplicas = desired;
    return false;
  }

  #set(type: string, state: string): void {
    this.#status = { ...this.#status, conditions: { ...this.#status.conditions, [type]: state } };
  }

  #boundClusters(events: Events): readonly string[] | undefined {
    const { apiVersion, kind, name } = this.#spec.scaleTargetRef;
    const { template, bindings, clusters } = this.#world;
    const fail = (event: string, reason = event): undefined => {
      events.push(["Warning", event, ""]);
      this.#set("AbleToScale", `False/${reason}`);
      return undefined;
    };
    if (apiVersion.split("/").length > 2) return fail("FailedGetScale");
    if (template?.metadata.name !== name || template.kind !== kind || template.apiVersion !== apiVersion) {
      return fail("FailedGetScaleTargetRef");
    }
    const labels = template.metadata.labels ?? {};
    const id = PERMANENT_IDS.find((key) => labels[key] !== undefined);
    const binding = bindings.find(({ metadata, spec }) => {
      const bound = spec.resource as { apiVersion: string; kind: string; name: string };
      const near = !this.#on.has("D-05") || metadata.namespace === this.#input.fhpa.metadata.namespace;
      const labelled = id !== undefined && metadata.labels?.[id] === labels[id];
      return (
        near && labelled && bound.name === name && bound.kind === kind && bound.apiVersion === apiVersion
      );
    });
    if (binding === undefined) return fail("FailedGetBindings", "FailedGetBinding");
    const names = clusterNames(binding);
    const known = names.length > 0 && names.every((cluster) => clusters.has(cluster));
    return known ? names : fail("FailedGetTargetClusters");
  }

  /** Ready clusters whose scale answers; without a selector they give replicas but no pods, or nothing (D-09). */
  #members(bound: readonly string[], events: Events): readonly ReferenceMember[] {
    return bound.flatMap((cluster) => {
      const scale = this.#world.scales.get(cluster);
      const ready = this.#world.clusters.get(cluster)?.ready;
      if (!ready || scale === undefined || scale.error !== undefined || scale.clientError !== undefined)
        return [];
      const selector = scale.selector ?? "";
      if (selector === "") {
        events.push(["Warning", "SelectorRequired", ""]);
        return this.#on.has("D-09") ? [] : [{ cluster, scale, pods: [] }];
      }
      const parsed = parseSelector(selector);
      if (!parsed.ok) return [{ cluster, scale, pods: [], unparsable: true }];
      const pods = this.#world
        .podsOf(cluster)
        .filter(({ metadata }) => matches(parsed.value, metadata.labels ?? {}))
        .map((pod) => ({ ...pod, cluster }) as unknown as VectorPod);
      return [{ cluster, scale, pods }];
    });
  }

  #lacksSelector(cluster: string): boolean {
    const { selector = "", error, clientError } = this.#world.scales.get(cluster) ?? { error: "absent" };
    const answers = error === undefined && clientError === undefined;
    return Boolean(this.#world.clusters.get(cluster)?.ready) && answers && selector === "";
  }

  #selectorFault(members: readonly ReferenceMember[], selectorless: boolean): string | undefined {
    if (selectorless || members.some(({ unparsable }) => unparsable)) return "InvalidSelector";
    const { namespace } = this.#input.fhpa.metadata;
    const pods = members.flatMap((member) => member.pods);
    const others = (this.#input.otherFederatedHPAs ?? []).filter((other) => other.namespace === namespace);
    const overlaps = others.some(({ selector }) => {
      const parsed = parseSelector(selector);
      return parsed.ok && pods.some(({ metadata }) => matches(parsed.value, labelsOf(metadata)));
    });
    return overlaps ? "AmbiguousSelector" : undefined;
  }

  #metric(
    metric: VectorMetricSpec,
    index: number,
    members: readonly ReferenceMember[],
    template: number,
  ): MetricAnswer | "panic" {
    const method = methodOf(metric, this.#on);
    if (method === "panic") return "panic";
    if ("reason" in method) return method;
    const reading = this.#world.metrics[index] ?? {};
    const specReplicas = sum(members.map(({ scale }) => scale.specReplicas ?? 0));
    const { controller } = this.#input;
    const input: CalculatorInput = {
      ...controller,
      ...method.input,
      now: new Date(this.#world.nowMs).toISOString(),
      currentReplicas: template,
      templateReplicas: template,
      statusReplicas: sum(members.map(({ scale }) => scale.statusReplicas ?? 0)),
      calibration: specReplicas / template,
      pods: members.flatMap((member) => member.pods),
      ...samplesOf(reading),
    };
    const { answer } = replicasOf(input, this.#on);
    if (answer.replicas === undefined) return { reason: method.failed };
    return { replicas: answer.replicas, name: method.name, status: method.status(answer) };
  }
}

interface ReferenceMember {
  readonly cluster: string;
  readonly scale: VectorScale;
  readonly pods: readonly VectorPod[];
  readonly unparsable?: boolean;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function clusterNames({ spec }: VectorObject): readonly string[] {
  return ((spec.clusters ?? []) as { readonly name: string }[]).map(({ name }) => name);
}

function labelsOf(metadata: VectorPod["metadata"]): Readonly<Record<string, string>> {
  return (metadata as { readonly labels?: Readonly<Record<string, string>> }).labels ?? {};
}

/** Stores the change in the slot of an event that its own direction no longer asks for, or in a new one. */
function remember(
  { up, down }: Remembered,
  { scaleUp, scaleDown }: NonNullable<VectorSpec["behavior"]>,
  from: number,
  to: number,
  nowMs: number,
): void {
  const [slots, { policies }] = to > from ? [up, scaleUp] : [down, scaleDown];
  const longest = Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds));
  const free = slots.findLastIndex(({ atMs }) => atMs < nowMs - longest * 1000);
  slots.splice(free < 0 ? slots.length : free, free < 0 ? 0 : 1, {
    replicas: Math.abs(to - from),
    atMs: nowMs,
  });
}
