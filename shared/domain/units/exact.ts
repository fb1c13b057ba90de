import { type MilliValue, milliValue } from "#domain/units/milli";

/** Whether `value` is an amount at all: a whole number of thousandths, not negative (D-30), not NaN or Infinity. */
export function isAmount(value: unknown): value is MilliValue {
  return typeof value === "number"
    ? Number.isInteger(value) && value >= 0
    : typeof value === "bigint" && value >= 0n;
}

/** The exact sum of two amounts. */
export function addMilli(left: MilliValue, right: MilliValue): MilliValue {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return milliValue(BigInt(left) + BigInt(right));
}

/**
 * trunc(amount × factor ÷ divisor), exact at any size; `divisor` > 0. What Go computes in int64, without its overflow
 * (D-11): 150 × 100 ÷ 251 = 59 (59.76 % counts as 59 %).
 */
export function multiplyDivide(amount: MilliValue, factor: MilliValue, divisor: MilliValue): MilliValue {
  if (typeof amount === "number" && typeof factor === "number" && typeof divisor === "number") {
    const product = amount * factor;
    // Below 2^53 the double nearest to a quotient never passes the next integer, so cutting it is exact.
    if (Number.isSafeInteger(product)) return Math.trunc(product / divisor);
  }
  return milliValue((BigInt(amount) * BigInt(factor)) / BigInt(divisor));
}

/** ceil(amount ÷ divisor), exact at any size; `divisor` > 0. */
export function divideUp(amount: MilliValue, divisor: number): MilliValue {
  return multiplyDivide(addMilli(amount, divisor - 1), 1, divisor);
}
