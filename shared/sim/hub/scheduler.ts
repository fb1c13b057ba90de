import type { Candidate } from "#domain/placement/assignment";
import { affinityMatches } from "#domain/placement/cluster-affinity";
import { divideReplicas } from "#domain/placement/divide";
import { formatInstant, parseInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { type Condition, withCondition } from "#sim/condition";
import type { Controller } from "#sim/controller";
import { keyTextOf, readKeyText } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { type BindingSpec, bindingSpecOf, type TargetCluster } from "./binding.ts";
import { availableReplicas, isClusterReady } from "./cluster-state.ts";
import { concernsPlacement } from "./detector.ts";
import { ANNOTATION, SCHEDULER } from "./karmada.ts";
import { type Placement, readPlacement } from "./placement.ts";

interface BindingStatus {
  readonly schedulerObservedGeneration?: number;
  readonly lastScheduledTime?: string;
  readonly conditions?: readonly Condition[];
}

/**
 * Karmada's scheduler: divides a binding's replicas over the clusters when the binding asks for it (semantics 4.9):
 * its placement changed, its replicas are not what is placed, a reschedule was triggered, or it is Duplicated. A
 * cluster that lost capacity or turned NotReady keeps its share.
 */
export function scheduler(hub: ApiServer): Controller {
  const queue = new WorkQueue();
  const bindings = new Writer(hub, KINDS.bindings, SCHEDULER);

  return {
    name: "scheduler",
    queue,
    observe(change, at) {
      if (at !== hub) return;
      if (isOf(change, KINDS.bindings)) {
        if (concernsPlacement(change)) queue.touch(keyTextOf(change.object));
      } else if (isOf(change, KINDS.clusters)) {
        const everyone = concernsPlacement(change) || readinessMoved(change.previous, change.object);
        for (const binding of hub.store.list(KINDS.bindings)) {
          if (everyone || !isScheduled(binding)) queue.touch(keyTextOf(binding));
        }
      }
    },
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const binding = hub.store.get(KINDS.bindings, namespace, name);
      if (binding === undefined || binding.metadata.deletionTimestamp !== undefined) return undefined;
      const spec = bindingSpecOf(binding);
      const placement = readPlacement(spec.placement ?? {});
      const clusters = hub.store
        .list(KINDS.clusters)
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      if (mustSchedule(binding, spec, placement, clusters))
        schedule(binding, spec, placement, clusters, nowMs);
      else confirm(binding, nowMs);
      return undefined;
    },
  };

  function schedule(
    binding: KubeObject,
    spec: BindingSpec,
    placement: Placement,
    clusters: readonly KubeObject[],
    nowMs: number,
  ): void {
    const candidates = candidatesFor(spec, placement, clusters);
    const hasReplicas = spec.replicas !== undefined || spec.replicaRequirements !== undefined;
    const divided = divideReplicas({
      strategy: placement.strategy,
      replicas: hasReplicas ? (spec.replicas ?? 0) : 0,
      candidates,
      staticWeights: placement.staticWeights,
      previous: (spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, replicas })),
      uid: spec.resource?.uid ?? "",
      mode: isFresh(spec, statusOf(binding)) ? "Fresh" : "Steady",
      hasReplicaRequirements: spec.replicaRequirements !== undefined,
    });
    if (!divided.ok) {
      const reason = divided.fault.code === "clusters-none" ? "NoClusterFit" : "Unschedulable";
      report(binding, { status: "False", reason, message: divided.fault.detail }, nowMs);
      return;
    }
    const targets: readonly TargetCluster[] = divided.value.map(({ name, replicas }) =>
      replicas === 0 ? { name } : { name, replicas },
    );
    const annotations = {
      ...binding.metadata.annotations,
      [ANNOTATION.appliedPlacement]: placementText(spec.placement),
    };
    const placed = {
      ...binding,
      metadata: { ...binding.metadata, annotations },
      spec: { ...binding.spec, clusters: targets },
    };
    const isSame =
      sameJson(annotations, binding.metadata.annotations) && sameJson(targets, spec.clusters ?? []);
    const stored = isSame ? binding : bindings.update(placed, nowMs);
    if (isSame && isConfirmed(binding)) return;
    report(stored, SCHEDULED, nowMs);
  }

  /** Nothing to divide: the generation counts as seen. */
  function confirm(binding: KubeObject, nowMs: number): void {
    if (!isConfirmed(binding)) report(binding, SCHEDULED, nowMs);
  }

  function report(
    binding: KubeObject,
    outcome: { readonly status: string; readonly reason: string; readonly message: string },
    nowMs: number,
  ): void {
    const before = statusOf(binding);
    const at = formatInstant(nowMs);
    const condition = { type: "Scheduled", lastTransitionTime: at, ...outcome };
    const seen =
      outcome.status === "True"
        ? { schedulerObservedGeneration: binding.metadata.generation ?? 0, lastScheduledTime: at }
        : {};
    const conditions = withCondition(before.conditions ?? [], condition);
    const status = { ...binding.status, ...seen, conditions };
    if (!sameJson(status, binding.status)) bindings.updateStatus(binding, status, nowMs);
  }
}

const SCHEDULED = {
  status: "True",
  reason: "Success",
  message: "Binding has been scheduled successfully.",
};

function statusOf(binding: KubeObject): BindingStatus {
  return (binding.status ?? {}) as BindingStatus;
}

function isScheduled(binding: KubeObject): boolean {
  return (statusOf(binding).conditions ?? []).some(
    ({ type, status }) => type === "Scheduled" && status === "True",
  );
}

function isConfirmed(binding: KubeObject): boolean {
  return (
    isScheduled(binding) && statusOf(binding).schedulerObservedGeneration === binding.metadata.generation
  );
}

function mustSchedule(
  binding: KubeObject,
  spec: BindingSpec,
  { strategy }: Placement,
  clusters: readonly KubeObject[],
): boolean {
  const placed = spec.clusters ?? [];
  const hasReplicas = spec.replicas !== undefined || spec.replicaRequirements !== undefined;
  if (!isScheduled(binding) || !hasReplicas || strategy === "Duplicated") return true;
  const applied = binding.metadata.annotations?.[ANNOTATION.appliedPlacement];
  if (applied !== placementText(spec.placement)) return true;
  if (placed.some(({ name }) => !clusters.some((cluster) => cluster.metadata.name === name))) return true;
  const total = placed.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return total !== (spec.replicas ?? 0) || isFresh(spec, statusOf(binding));
}

const placementTexts = new WeakMap<JsonObject, string>();

/** Written once of each placement: it is compared at every look at its binding, and never changes. */
function placementText(placement: JsonObject = NO_PLACEMENT): string {
  const known = placementTexts.get(placement);
  if (known !== undefined) return known;
  const text = JSON.stringify(placement);
  placementTexts.set(placement, text);
  return text;
}

const NO_PLACEMENT: JsonObject = {};

/** A reschedule triggered after the last scheduling divides anew, without regard to what is placed. */
function isFresh({ rescheduleTriggeredAt }: BindingSpec, { lastScheduledTime }: BindingStatus): boolean {
  const triggeredMs = parseInstant(rescheduleTriggeredAt ?? "");
  return triggeredMs !== undefined && triggeredMs > (parseInstant(lastScheduledTime ?? "") ?? 0);
}

/** Clusters that the placement means; one that is not Ready only where it holds the binding already (its taint is tolerated). */
function candidatesFor(
  spec: BindingSpec,
  { affinities }: Placement,
  clusters: readonly KubeObject[],
): readonly Candidate[] {
  const holders = new Set((spec.clusters ?? []).map(({ name }) => name));
  const requests = spec.replicaRequirements?.resourceRequest ?? {};
  const usable = clusters
    .filter((cluster) => isClusterReady(cluster) || holders.has(cluster.metadata.name ?? ""))
    .map((cluster): Candidate => {
      const available = availableReplicas(cluster, requests);
      return {
        name: cluster.metadata.name ?? "",
        labels: cluster.metadata.labels ?? {},
        ...(available === undefined ? {} : { availableReplicas: available }),
      };
    });
  for (const affinity of affinities) {
    const meant = usable.filter((candidate) => affinityMatches(affinity, candidate));
    if (meant.length > 0) return meant;
  }
  return [];
}

function readinessMoved(before: KubeObject | undefined, after: KubeObject): boolean {
  return before === undefined || isClusterReady(before) !== isClusterReady(after);
}
