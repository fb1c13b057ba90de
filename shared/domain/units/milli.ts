/**
 * Amounts in thousandths of their unit (millicores, thousandths of a byte), the resolution in which
 * Kubernetes compares metrics (semantics 4.4).
 *
 * Exact at any size: a `number` while it is a safe integer, a `bigint` only beyond 2^53 − 1. Memory sums pass
 * that bound in ordinary fleets (1,000 pods of 16 GiB), so doubles alone would round where Go does not.
 */
export type MilliValue = number | bigint;

/** The same amount in its normal form: a `number` whenever that is exact. */
export function milliValue(amount: bigint): MilliValue {
  const asNumber = Number(amount);
  return Number.isSafeInteger(asNumber) ? asNumber : amount;
}

/** The exact sum, in normal form. An empty list sums to 0. One pass; allocates only past 2^53. */
export function sumMilli(values: Iterable<MilliValue>): MilliValue {
  let small = 0;
  let large = 0n;
  for (const value of values) {
    if (typeof value === "bigint") {
      large += value;
      continue;
    }
    const next = small + value;
    if (Number.isSafeInteger(next)) {
      small = next;
    } else {
      large += BigInt(small) + BigInt(value);
      small = 0;
    }
  }
  return large === 0n ? small : milliValue(large + BigInt(small));
}
