import type { ClusterLine, Values } from "./timeline.ts";

/**
 * The tops of the clusters' layers when they stand on each other in this order; what is unknown has no height.
 *
 * @example [1, 2] and [3, null] → [1, 2] and [4, 2]
 */
export function stack(clusters: readonly ClusterLine[]): readonly (readonly number[])[] {
  let below: readonly number[] | undefined;
  return clusters.map(({ replicas }) => {
    const floor = below;
    const top = replicas.map((value, index) => (floor?.[index] ?? 0) + (value ?? 0));
    below = top;
    return top;
  });
}

/** The largest value; 0 where there is none. */
export function peak(...lists: readonly Values[]): number {
  let largest = 0;
  for (const list of lists) for (const value of list) if (value !== null && value > largest) largest = value;
  return largest;
}
