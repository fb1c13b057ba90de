import type { Decision, LimitTrace, MetricTrace } from "#domain/scale/decision";
import { milliText } from "#domain/units/quantity-text";

/**
 * A decision in one line, for logs and terminals: what each metric said, what held or limited it.
 *
 * @example `cpu 100% of 10% → 10; limited to 5 (ScaleUpLimit)`
 * @example `cpu 0% of 10% → 1; stabilized at 10 (ScaleDownStabilized)`
 */
export function summary(decision: Decision): string {
  const { trace, scale, held, failure } = decision;
  const parts = trace.metrics.map(metricText);
  if (trace.gate !== undefined && scale !== undefined) parts.push(scale.reason);
  if (trace.limits !== undefined) parts.push(...limitTexts(trace.limits));
  const hold = failure ?? held;
  if (hold !== undefined && !isLimit(hold.reason, trace.limits))
    parts.push(`${hold.reason}: ${hold.message}`);
  return parts.length === 0 ? "nothing to do" : parts.join("; ");
}

function metricText({
  name,
  current,
  target,
  proposal,
  withinTolerance,
  fault,
  skipped,
}: MetricTrace): string {
  if (fault !== undefined) return `${name} unknown: ${fault.message}`;
  if (proposal === undefined) return `${name} has no say${skipped === undefined ? "" : `: ${skipped}`}`;
  const result = withinTolerance ? `within tolerance, ${proposal}` : `→ ${proposal}`;
  return `${name} ${amount(current)} of ${amount(target)} ${result}`;
}

function amount(value: MetricTrace["current"]): string {
  if (value?.averageUtilization !== undefined) return `${value.averageUtilization}%`;
  const milli = value?.averageValue ?? value?.value;
  return milli === undefined ? "?" : milliText(milli);
}

function limitTexts({
  proposed,
  recorded = proposed,
  stabilized,
  final,
  able,
  limited,
}: LimitTrace): string[] {
  return [
    ...(stabilized === recorded ? [] : [`stabilized at ${stabilized} (${able})`]),
    ...(final === stabilized ? [] : [`limited to ${final} (${limited})`]),
  ];
}

/** Whether a reason is that of a window or limit, whose numbers say more than its words. */
function isLimit(reason: string, limits: LimitTrace | undefined): boolean {
  return reason === limits?.able || reason === limits?.limited;
}
