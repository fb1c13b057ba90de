import { type Assignment, type Candidate, type Division, sumReplicas } from "#domain/placement/assignment";
import { shareByWeight } from "#domain/placement/share";
import type { NameOrder } from "#domain/placement/webster";

/** DynamicWeight divides over all clusters with room, Aggregated over as few of them as hold the replicas. */
export type DynamicStrategy = "DynamicWeight" | "Aggregated";

/** Steady moves as little as possible, Fresh forgets the previous division (a rescheduling was asked for). */
export type AssignmentMode = "Steady" | "Fresh";

export interface DynamicDivision {
  readonly strategy: DynamicStrategy;
  readonly mode: AssignmentMode;
  readonly replicas: number;
  /** Their order breaks ties of Aggregated. */
  readonly candidates: readonly Candidate[];
  readonly previous: readonly Assignment[];
  readonly order: NameOrder;
}

/**
 * Division by what is available, relative to the previous one (semantics 4.8, "Dynamic" and "Aggregated"):
 *
 * - up: only the new replicas are divided, by available replicas, and added to the previous
 * - down: all replicas are divided anew, by the previous division
 * - equal: the previous division, even if capacity moved
 * - Fresh: all replicas are divided, by available + previous
 *
 * Replicas of clusters that are candidates no more are new ones.
 *
 * @example 15 over 100/50 available are 10/5; 15 → 30 with 90/45 left are 20/10; 15 → 6 are 4/2 (systems C14).
 */
export function divideDynamically(division: DynamicDivision): Division {
  const { candidates, mode, previous, replicas } = division;
  const standing = previous.filter(({ name }) => candidates.some((candidate) => candidate.name === name));
  const standingReplicas = sumReplicas(standing);
  const available = candidates.map(({ name, availableReplicas }) => ({
    name,
    replicas: availableReplicas ?? replicas,
  }));

  if (mode === "Fresh") {
    const all = addAssignments(available, standing);
    return divideOver(division, replicas, byRoom(all), "failed to do fresh scale");
  }
  if (standingReplicas > replicas) {
    return divideOver(division, replicas, byRoom(standing), "failed to scale down");
  }
  if (standingReplicas === replicas) return { ok: true, value: standing };
  const room = usedFirst(byRoom(available), standing);
  const added = divideOver(division, replicas - standingReplicas, room, "failed to scale up");
  return added.ok ? { ok: true, value: addAssignments(standing, added.value) } : added;
}

/** `replicas` over clusters that have `room`, or the scheduler's refusal. */
function divideOver(
  { strategy, order }: DynamicDivision,
  replicas: number,
  room: readonly Assignment[],
  step: string,
): Division {
  const available = sumReplicas(room);
  if (available < replicas) {
    const detail = `${step}: Clusters available replicas ${available} are not enough to schedule.`;
    return { ok: false, fault: { code: "replicas-not-enough", detail } };
  }
  const chosen = strategy === "Aggregated" ? shortestPrefix(room, replicas) : room;
  return { ok: true, value: shareByWeight(replicas, chosen, order) };
}

/** The clusters from the first on whose room together holds the replicas. */
function shortestPrefix(room: readonly Assignment[], replicas: number): readonly Assignment[] {
  let held = 0;
  const end = room.findIndex((cluster) => {
    held += cluster.replicas;
    return held >= replicas;
  });
  return room.slice(0, end + 1);
}

/** Most room first; equals keep their order, as Go's sort does up to 12 clusters (semantics 4.8, "traps"). */
function byRoom(clusters: readonly Assignment[]): readonly Assignment[] {
  return [...clusters].sort((left, right) => right.replicas - left.replicas);
}

/** Clusters that hold replicas before the others, so that an aggregated workload spreads no further than it must. */
function usedFirst(room: readonly Assignment[], standing: readonly Assignment[]): readonly Assignment[] {
  const used = new Set(standing.filter(({ replicas }) => replicas > 0).map(({ name }) => name));
  return [...room.filter(({ name }) => used.has(name)), ...room.filter(({ name }) => !used.has(name))];
}

function addAssignments(base: readonly Assignment[], added: readonly Assignment[]): readonly Assignment[] {
  const sums = new Map<string, number>();
  for (const { name, replicas } of [...base, ...added]) sums.set(name, (sums.get(name) ?? 0) + replicas);
  return [...sums].map(([name, replicas]) => ({ name, replicas }));
}
