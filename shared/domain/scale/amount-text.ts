import type { MetricTrace } from "#domain/scale/decision";
import type { MilliValue } from "#domain/units/milli";
import { milliText } from "#domain/units/quantity-text";

/** Resources whose unit is the byte. */
const BYTES = /^(memory|ephemeral-storage|hugepages-.+)$/;

/** A metric's current or target value for people, percent first; `?` where there is none. */
export function amountText(name: string, amount: MetricTrace["current"]): string {
  if (amount?.averageUtilization !== undefined) return `${amount.averageUtilization}%`;
  const milli = amount?.averageValue ?? amount?.value;
  return milli === undefined ? "?" : milliAmountText(name, milli);
}

/**
 * One amount of a metric: a quantity; bytes in the largest binary unit, to one decimal.
 *
 * @example cpu 1500: `1500m`. memory 325058560000: `310Mi`.
 */
export function milliAmountText(name: string, milli: MilliValue): string {
  const bytes = Number(milli) / 1000;
  if (!BYTES.test(name) || bytes < 1024) return milliText(milli);
  const units = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
  const step = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / 1024 ** step) * 10) / 10}${units[step - 1]}`;
}

/** A ratio or calibration, to four decimals. */
export function ratioText(ratio: number): string {
  return String(Math.round(ratio * 10_000) / 10_000);
}
