import { mixedHash } from "#domain/units/hash";
import type { MetricsTimes } from "#sim/settings";
import type { Demand, Load, ServingRun } from "./load.ts";
import { demandMilli } from "./shape.ts";

/** The last instant up to `nowMs` at which samples were taken. */
export function sampleInstantMs(nowMs: number, { intervalSeconds, offsetSeconds }: MetricsTimes): number {
  const intervalMs = intervalSeconds * 1000;
  const offsetMs = offsetSeconds * 1000;
  return Math.floor((nowMs - offsetMs) / intervalMs) * intervalMs + offsetMs;
}

/** What each serving pod was asked for in each second of the window that ends at `atMs`, in thousandths. */
export function sharesOver(
  { serving, sinceMs }: Pick<Load, "serving" | "sinceMs">,
  { shape }: Demand,
  atMs: number,
  windowSeconds: number,
): Float64Array {
  const shares = new Float64Array(windowSeconds);
  for (let second = 0; second < windowSeconds; second++) {
    const startMs = atMs - (windowSeconds - second) * 1000;
    const pods = servingAt(serving, startMs);
    const demand = demandMilli(shape, (startMs + 500 - sinceMs) / 1000);
    shares[second] = pods === 0 ? 0 : demand / pods;
  }
  return shares;
}

function servingAt(runs: readonly ServingRun[], atMs: number): number {
  return runs.findLast(({ sinceMs }) => sinceMs <= atMs)?.pods ?? 0;
}

/** One container's part in a sample. */
export interface Usage {
  readonly shares: Float64Array;
  readonly idleMilli: number;
  /** Its limit; Infinity for none. */
  readonly limitMilli: number;
  /** 1 ± the noise of this sample. */
  readonly noise: number;
  /** When the pod took traffic, inside or beyond the window; both Infinity where it never did. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The average use over the window that ends at `atMs`, in billionths of the unit, whole: in each second the idle use
 * and, while the pod serves, its share with noise, never above the limit.
 */
export function averageNano(usage: Usage, atMs: number): number {
  const { shares, idleMilli, limitMilli, noise, fromMs, untilMs } = usage;
  let sum = 0;
  for (let second = 0; second < shares.length; second++) {
    const startMs = atMs - (shares.length - second) * 1000;
    const serves = startMs >= fromMs && startMs < untilMs;
    sum += Math.min(limitMilli, idleMilli + (serves ? (shares[second] as number) * noise : 0));
  }
  return Math.round((sum / shares.length) * 1_000_000);
}

/** A factor in [1 − percent / 100, 1 + percent / 100], the same whenever it is asked for the same name. */
export function noiseFactor(name: string, percent: number): number {
  if (percent === 0) return 1;
  const chance = mixedHash(name) / 0xffff_ffff;
  return 1 + ((2 * chance - 1) * percent) / 100;
}
