import type { Decision, MetricTrace, Trace } from "#domain/scale/decision";

/** The numbers of a decision that are worth a line over time; plain ones, so that they can be logged and drawn. */
export interface Figures {
  readonly metrics: readonly MetricFigure[];
  /** The bounds it was decided under; absent where no metric was asked. */
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** The metrics' proposal before windows and policies; absent where no metric was asked. */
  readonly proposed?: number;
  /** What kept the replicas from the proposal: `ScaleUpLimit`, `TooManyReplicas`, `ScaleDownStabilized` … */
  readonly limits: readonly string[];
  /** The clusters that were left out, because something of them could not be read. */
  readonly gaps: readonly string[];
}

/** One metric, in the unit of its target. */
export interface MetricFigure {
  readonly name: string;
  /** `%` of the pods' request; otherwise cores, bytes or a plain number, per pod for average values. */
  readonly unit: "%" | "cores" | "bytes" | "";
  /** Absent where it could not be computed. */
  readonly value?: number;
  readonly target?: number;
}

export function figuresOf({ trace, held }: Decision): Figures {
  const { rules, limits, metrics } = trace;
  return {
    metrics: metrics.map(metricFigure),
    ...(rules === undefined ? {} : { minReplicas: rules.minReplicas, maxReplicas: rules.maxReplicas }),
    ...(limits === undefined ? {} : { proposed: limits.proposed }),
    limits: [...new Set(limitsOf(limits, held))],
    gaps: trace.clusters.flatMap(({ cluster, gap }) => (gap === undefined ? [] : [cluster])),
  };
}

function limitsOf(limits: Trace["limits"], held: Decision["held"]): string[] {
  const reasons = held === undefined ? [] : [held.reason];
  if (limits === undefined) return reasons;
  const { proposed, recorded = proposed, stabilized, final, able, limited } = limits;
  if (stabilized !== recorded) reasons.push(able);
  if (final !== stabilized && limited !== undefined) reasons.push(limited);
  return reasons;
}

function metricFigure({ name, current, target }: MetricTrace): MetricFigure {
  const isPercent = (target ?? current)?.averageUtilization !== undefined;
  const value = plain(current);
  const wanted = plain(target);
  return {
    name,
    unit: isPercent ? "%" : resourceUnit(name),
    ...(value === undefined ? {} : { value }),
    ...(wanted === undefined ? {} : { target: wanted }),
  };
}

/** The unit of amounts of a resource; none of a custom metric. */
export function resourceUnit(name: string): "cores" | "bytes" | "" {
  if (name === "cpu") return "cores";
  return /^(memory|ephemeral-storage|hugepages-.+)$/.test(name) ? "bytes" : "";
}

/** Percent as they are, amounts out of their thousandths. */
function plain(amount: MetricTrace["current"]): number | undefined {
  if (amount?.averageUtilization !== undefined) return amount.averageUtilization;
  const milli = amount?.averageValue ?? amount?.value;
  return milli === undefined ? undefined : Number(milli) / 1000;
}
