/**
 * `proposal`, held to the direction that its metric asks for (D-02): above its target never fewer than `current`, below
 * it never more. Pods and counts are read at slightly different moments, so the arithmetic alone can point the other
 * way: ratio 1.5 on 2 ready pods of 4 gives 3, and stays 4.
 */
export function inDirection(proposal: number, ratio: number, current: number): number {
  if (ratio > 1) return Math.max(proposal, current);
  if (ratio < 1) return Math.min(proposal, current);
  return proposal;
}
