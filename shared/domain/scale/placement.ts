import type { Binding } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import type { History } from "#domain/scale/history";
import type { Condition } from "#domain/spec/federated-hpa";
import type { ConditionChange } from "#domain/status/conditions";

/** How far the members follow the template (B53, D-08). */
export interface Placement {
  /** Whether counts above the template wait until the scheduler has caught up. */
  readonly holdsScaleOut: boolean;
  /** What lags behind; absent when nothing does. */
  readonly lag?: { readonly reason: LagReason; readonly message: string };
  /** Σ spec.replicas of the clusters that were read. */
  readonly visibleReplicas: number;
  /** What all members run, in the template's terms. */
  readonly placed: number;
  readonly sharesDifferSinceMs?: number;
}

export type LagReason =
  /** Every cluster that was read runs 0, though the template wants some (D-06). */
  | "NothingPlaced"
  /** The scheduler found no room, or has not looked yet. */
  | "NotScheduled"
  | "SchedulerBehind"
  /** The scheduler is done, but a member runs another count: an override, or an autoscaler in the member. */
  | "SharesDiffer";

/** A difference of shares alone is the user's doing if it lasts: then scaling goes on, with the condition. */
const SHARES_HOLD_MS = 120_000;

/**
 * Judges the binding against the template and the members. `check` is the policy's `caughtUpCheck`; nothing placed at
 * all is a lag without it too, because no calibration follows from 0 pods.
 *
 * `placed` counts, for divided replicas, what was read plus the shares of clusters that were not; for duplicated ones,
 * the mean of the clusters that were read.
 *
 * @example Template 100, the scheduler found room for 60 on three clusters: NotScheduled, placed 60.
 */
export function judgePlacement(
  template: number,
  binding: Binding,
  survey: Survey,
  history: History,
  check: boolean,
  nowMs: number,
): Placement {
  const visibleReplicas = survey.visible.reduce((sum, { specReplicas }) => sum + specReplicas, 0);
  const placed = placedReplicas(visibleReplicas, binding, survey);
  const counts = { visibleReplicas, placed };
  if (visibleReplicas === 0) {
    const message = `the template wants ${template} replicas and every cluster that was read runs 0`;
    return { ...counts, holdsScaleOut: true, lag: { reason: "NothingPlaced", message } };
  }
  if (!check) return { ...counts, holdsScaleOut: false };

  const scheduling = schedulingLag(template, binding);
  if (scheduling !== undefined) return { ...counts, holdsScaleOut: true, lag: scheduling };
  const differing = shareLag(binding, survey);
  if (differing === undefined) return { ...counts, holdsScaleOut: false };
  const sharesDifferSinceMs = history.sharesDifferSinceMs ?? nowMs;
  const holdsScaleOut = nowMs - sharesDifferSinceMs < SHARES_HOLD_MS;
  return { ...counts, holdsScaleOut, lag: differing, sharesDifferSinceMs };
}

function placedReplicas(visibleReplicas: number, binding: Binding, { visible, gaps }: Survey): number {
  if (isDuplicated(binding)) return visible.length === 0 ? 0 : visibleReplicas / visible.length;
  const lost = new Set(gaps.map(({ cluster }) => cluster));
  return binding.clusters.reduce(
    (sum, { name, replicas }) => sum + (lost.has(name) ? (replicas ?? 0) : 0),
    visibleReplicas,
  );
}

/** A kind whose replicas Karmada does not know has no counts in its binding: every cluster gets the whole template. */
function isDuplicated({ duplicated, replicas }: Binding): boolean {
  return duplicated || replicas === undefined;
}

function schedulingLag(template: number, binding: Binding): Placement["lag"] {
  const { name, replicas, scheduled, generation, schedulerObservedGeneration } = binding;
  if (scheduled !== "True") {
    return { reason: "NotScheduled", message: `binding ${name} has Scheduled=${scheduled ?? "Unknown"}` };
  }
  if (replicas !== undefined && replicas !== template) {
    const message = `binding ${name} asks for ${replicas} replicas, the template for ${template}`;
    return { reason: "SchedulerBehind", message };
  }
  if (schedulerObservedGeneration !== generation) {
    const seen = schedulerObservedGeneration ?? 0;
    const message = `the scheduler has seen generation ${seen} of binding ${name}, not ${generation}`;
    return { reason: "SchedulerBehind", message };
  }
  return undefined;
}

function shareLag({ name, clusters }: Binding, { visible }: Survey): Placement["lag"] {
  const shares = new Map(clusters.map((cluster) => [cluster.name, cluster.replicas]));
  for (const { cluster, specReplicas, foreignManager } of visible) {
    const share = shares.get(cluster);
    if (share === undefined || share === specReplicas) continue;
    const by = foreignManager === undefined ? "" : `; ${foreignManager} scaled it there`;
    const message = `cluster ${cluster} runs ${specReplicas} replicas, binding ${name} gives it ${share}${by}`;
    return { reason: "SharesDiffer", message };
  }
  return undefined;
}

export function withPlacement(history: History, { sharesDifferSinceMs }: Placement): History {
  if (history.sharesDifferSinceMs === sharesDifferSinceMs) return history;
  const { sharesDifferSinceMs: _former, ...rest } = history;
  return sharesDifferSinceMs === undefined ? rest : { ...rest, sharesDifferSinceMs };
}

/** The condition `BindingCaughtUp`; none where the binding never lagged. */
export function bindingCaughtUp(
  { lag, holdsScaleOut }: Placement,
  conditions: readonly Condition[],
): readonly ConditionChange[] {
  const type = "BindingCaughtUp";
  if (lag === undefined) {
    if (!conditions.some((condition) => condition.type === type)) return [];
    return [
      { type, status: "True", reason: "CaughtUp", message: "the members run what the template asks for" },
    ];
  }
  const consequence = holdsScaleOut ? "; nothing above the template until they agree" : "; scaling goes on";
  return [{ type, status: "False", reason: lag.reason, message: `${lag.message}${consequence}` }];
}
