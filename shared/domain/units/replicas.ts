/** The largest replica count the Kubernetes API can hold (int32). */
export const MAX_REPLICAS = 2_147_483_647;

/**
 * A count that the API can hold: `value` cut to [0, 2^31 − 1]. Go wraps here (semantics 4.4: 3e9 → −2147483648,
 * which reads as "scale down to min"); see parity D-11. NaN is no count and must be refused before (B05).
 */
export function clampReplicas(value: number): number {
  if (value <= 0) return 0;
  return Math.min(value, MAX_REPLICAS);
}

/** Whether `value` is a count that the API can hold. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_REPLICAS;
}
