import type { Recommendation } from "#domain/scale/history";

/**
 * The highest count recommended within the last `windowSeconds`, `proposed` included: without `behavior` a count falls
 * only after it was out of favour for a whole window (semantics 4.12). The window's start belongs to it.
 *
 * @example Window 300 s, 10 recommended 300.000 s ago, now 4: 10. 300.001 s ago: 4.
 */
export function highestRecent(
  recommendations: readonly Recommendation[],
  proposed: number,
  windowSeconds: number,
  nowMs: number,
): number {
  const cutoffMs = nowMs - windowSeconds * 1000;
  let highest = proposed;
  for (const { replicas, lastMs } of recommendations) {
    if (lastMs >= cutoffMs) highest = Math.max(highest, replicas);
  }
  return highest;
}

export interface StabilizationWindows {
  readonly upSeconds: number;
  readonly downSeconds: number;
}

/**
 * With `behavior`: current, raised to the lowest count of the up window and cut to the highest of the down window, so
 * that `min(max(current, lowest), highest)` moves only when a whole window agrees. Both windows hold `proposed`; their
 * starts do not belong to them.
 *
 * @example Windows 300/300 s, replicas 2, recommended 2, then 3 at 60 s: lowest 2, stays 2; then 1 at 120 s: lowest 1,
 *   highest 3, stays 2 (B31).
 */
export function withinRecent(
  recommendations: readonly Recommendation[],
  current: number,
  proposed: number,
  windows: StabilizationWindows,
  nowMs: number,
): number {
  const upCutoffMs = nowMs - windows.upSeconds * 1000;
  const downCutoffMs = nowMs - windows.downSeconds * 1000;
  let lowest = proposed;
  let highest = proposed;
  for (const { replicas, lastMs } of recommendations) {
    if (lastMs > upCutoffMs) lowest = Math.min(lowest, replicas);
    if (lastMs > downCutoffMs) highest = Math.max(highest, replicas);
  }
  return Math.min(Math.max(current, lowest), highest);
}
