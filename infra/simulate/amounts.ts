import type { MetricTrace } from "#domain/scale/decision";
import { resourceUnit } from "#domain/scale/figures";
import type { MetricSpec } from "#domain/spec/federated-hpa";
import type { MetricSeries } from "./result.ts";

/** The unit in which a metric is told: that of its target. */
export function unitOf({ name, target }: Pick<MetricSpec, "name" | "target">): MetricSeries["unit"] {
  return target.averageUtilization === undefined ? resourceUnit(name) : "%";
}

/** A current or target value in the target's unit; null where there is none. */
export function amountOf(
  amount: MetricTrace["current"] | undefined,
  target: MetricTrace["target"],
): number | null {
  if (target?.averageUtilization !== undefined) return amount?.averageUtilization ?? null;
  const milli = target?.averageValue === undefined ? amount?.value : amount?.averageValue;
  return milli === undefined ? null : toThousandth(Number(milli) / 1000);
}

/** Three decimals: what a table or chart can show of it. */
export function toThousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
