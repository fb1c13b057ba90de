import type { Snapshot } from "#domain/fleet/snapshot";
import { type Gap, surveyMembers } from "#domain/fleet/survey";
import type { History } from "#domain/scale/history";
import type { Policy } from "#domain/scale/policy";
import type { Condition } from "#domain/spec/federated-hpa";
import type { ConditionChange } from "#domain/status/conditions";

/** What clusters that cannot be read mean for this decision (design 4, D-09). */
export interface LostClusters {
  /** Whether a scale-in is held. */
  readonly holdsScaleIn: boolean;
  /** Names the clusters and what went wrong; empty where all were read. */
  readonly message: string;
  readonly sinceMs: Readonly<Record<string, number>>;
}

/**
 * Not knowing is not "no load". While a bound cluster cannot be read, scale-out goes on (calibration assumes that the
 * unseen pods are as busy as the seen ones) and scale-in is held; a cluster lost for `lostClusterHoldSeconds` holds it
 * no longer. A pull-mode cluster that the hub has no way to is not lost: it never holds (D-10). Times are counted per
 * cluster, from the first decision in a row that could not read it.
 */
export function judgeLostClusters(
  gaps: readonly Gap[],
  history: History,
  policy: Policy,
  nowMs: number,
): LostClusters {
  const sinceMs: Record<string, number> = {};
  const holdMs = policy.lostClusterHoldSeconds * 1000;
  let fresh = false;
  for (const { cluster, fault } of gaps) {
    const since = history.lostSinceMs?.[cluster] ?? nowMs;
    sinceMs[cluster] = since;
    if (fault.code !== "cluster-pull-mode" && nowMs - since < holdMs) fresh = true;
  }
  return {
    holdsScaleIn: policy.lostCluster === "hold" && fresh,
    message: gaps.map(({ cluster, fault }) => `${cluster} (${fault.message})`).join(", "),
    sinceMs,
  };
}

/**
 * The history after a decision that ended before anything was asked of its clusters: one that could be read all the same
 * is not lost, so that its next loss is held for the whole hold time. Where the binding says nothing, nobody is back.
 */
export function withReadClusters(history: History, snapshot: Snapshot): History {
  if (history.lostSinceMs === undefined || !snapshot.binding?.ok) return history;
  const lost = new Set(surveyMembers(snapshot).gaps.map(({ cluster }) => cluster));
  const still = Object.entries(history.lostSinceMs).filter(([cluster]) => lost.has(cluster));
  return withLostSince(history, Object.fromEntries(still));
}

/** The history with the lost clusters' first instants; a cluster that is back, or no longer bound, is forgotten. */
export function withLostClusters(history: History, { sinceMs }: LostClusters): History {
  return withLostSince(history, sinceMs);
}

function withLostSince(history: History, sinceMs: LostClusters["sinceMs"]): History {
  const isNone = Object.keys(sinceMs).length === 0;
  if (isNone && history.lostSinceMs === undefined) return history;
  const { lostSinceMs: _former, ...rest } = history;
  return isNone ? rest : { ...rest, lostSinceMs: sinceMs };
}

/** The condition `ClustersReadable`; none where a cluster was never lost. */
export function clustersReadable(
  lost: LostClusters,
  conditions: readonly Condition[],
): readonly ConditionChange[] {
  const type = "ClustersReadable";
  if (lost.message === "") {
    if (!conditions.some((condition) => condition.type === type)) return [];
    return [{ type, status: "True", reason: "AllClustersRead", message: "every bound cluster was read" }];
  }
  const [reason, consequence] = lost.holdsScaleIn
    ? ["ClustersUnreadable", "scale-in is held until they can be read"]
    : ["ClustersAssumedEqual", "their pods are assumed to be as busy as those of the other clusters"];
  return [{ type, status: "False", reason, message: `cannot read ${lost.message}; ${consequence}` }];
}
