import type { TargetRef } from "./target.ts";

/** What a workload has to bear over the whole run. */
export interface WorkloadLoad {
  /** Of the Load object. */
  readonly name: string;
  readonly target: TargetRef;
  /** Which container bears it; absent: the first. */
  readonly container?: string;
  readonly noisePercent: number;
  readonly curves: readonly MetricCurve[];
}

/** How much one metric asks for, over all pods, in thousandths of its unit. */
export interface MetricCurve {
  readonly metric: string;
  readonly where: "cpu" | "memory" | "podMetrics" | "objectMetrics" | "externalMetrics";
  readonly labels?: Readonly<Record<string, string>>;
  /** What an Object metric describes. */
  readonly object?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  /** Seconds count from the first slot; ≥ 0, never negative itself. */
  readonly milliAt: (seconds: number) => number;
}
