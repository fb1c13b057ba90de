import type { Assignment } from "#domain/placement/assignment";
import { allocateSeats, type NameOrder } from "#domain/placement/webster";
import { fnv1a } from "#domain/units/hash";

/**
 * `replicas` divided over clusters by weight, in the clusters' order; weights are `replicas` of `weighted`. A cluster
 * may get 0.
 */
export function shareByWeight(
  replicas: number,
  weighted: readonly Assignment[],
  order: NameOrder,
): readonly Assignment[] {
  const parties = weighted.map(({ name, replicas: votes }) => ({ name, votes, seats: 0 }));
  return allocateSeats(replicas, parties, order).map(({ name, seats }) => ({ name, replicas: seats }));
}

/**
 * The order of names among equals: descending where the 32-bit FNV-1a hash of the workload's uid is odd, so that not
 * every workload favours the same cluster; ascending where it is even or there is no uid (semantics 4.8).
 */
export function nameOrderOf(uid: string): NameOrder {
  return uid !== "" && fnv1a(uid) % 2 === 1 ? "descending" : "ascending";
}
