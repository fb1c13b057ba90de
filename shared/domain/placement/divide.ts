import type { Assignment, Candidate, Division } from "#domain/placement/assignment";
import { type AssignmentMode, type DynamicStrategy, divideDynamically } from "#domain/placement/dynamic";
import { nameOrderOf } from "#domain/placement/share";
import { divideByStaticWeight, type StaticWeight } from "#domain/placement/static-weight";

export type DivisionStrategy = "Duplicated" | "StaticWeight" | DynamicStrategy;

/** What the scheduler divides by. */
export interface DivisionRequest {
  readonly strategy: DivisionStrategy;
  /** The template's replicas, ≥ 0. */
  readonly replicas: number;
  /** The clusters left after filtering, in the scheduler's order. */
  readonly candidates: readonly Candidate[];
  /** Rules of StaticWeight; absent means that all weigh the same. */
  readonly staticWeights?: readonly StaticWeight[];
  /** The division that stands, `spec.clusters` of the binding. */
  readonly previous: readonly Assignment[];
  /** The workload's uid, which breaks ties; "" for none. */
  readonly uid: string;
  readonly mode: AssignmentMode;
  /** Whether the pods are known: with none of them and 0 replicas every candidate gets the object itself. */
  readonly hasReplicaRequirements: boolean;
}

/**
 * The replicas per cluster as Karmada's scheduler assigns them, by name; clusters with 0 are left out, but for a
 * request of 0 replicas without requirements, which lists every candidate with 0. No difference to Karmada but exact
 * sums (D-21, D-11). Source: semantics 4.8, vectors division.jsonl.
 *
 * @example Duplicated 5 over two clusters is 5/5; StaticWeight 5 over 1:1 is 3/2.
 */
export function divideReplicas(request: DivisionRequest): Division {
  const { candidates, replicas, hasReplicaRequirements } = request;
  if (candidates.length === 0) {
    return { ok: false, fault: { code: "clusters-none", detail: "no clusters available to schedule" } };
  }
  if (replicas === 0) {
    const listed = hasReplicaRequirements ? [] : candidates.map(({ name }) => ({ name, replicas: 0 }));
    return { ok: true, value: byName(listed) };
  }
  const divided = divideByStrategy(request);
  if (!divided.ok) return divided;
  return { ok: true, value: byName(divided.value.filter((assignment) => assignment.replicas > 0)) };
}

function divideByStrategy(request: DivisionRequest): Division {
  const { strategy, replicas, candidates, previous, mode, uid, staticWeights = [] } = request;
  const order = nameOrderOf(uid);
  switch (strategy) {
    case "Duplicated":
      return { ok: true, value: candidates.map(({ name }) => ({ name, replicas })) };
    case "StaticWeight":
      return { ok: true, value: divideByStaticWeight(replicas, candidates, staticWeights, order) };
    default:
      return divideDynamically({ strategy, mode, replicas, candidates, previous, order });
  }
}

function byName(assignments: readonly Assignment[]): readonly Assignment[] {
  return [...assignments].sort((left, right) => (left.name < right.name ? -1 : 1));
}
