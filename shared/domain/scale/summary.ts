import { amountText } from "#domain/scale/amount-text";
import type { Decision, LimitTrace, MetricTrace } from "#domain/scale/decision";

/**
 * A decision in one line, for logs and terminals: what each metric said, what held or limited it. The
 * whole is `account`.
 *
 * @example `cpu 100% of 10% → 10; limited to 5 (ScaleUpLimit)`
 * @example `cpu 0% of 10% → 1; stabilized at 10 (ScaleDownStabilized)`
 */
export function summary(decision: Decision): string {
  const { trace, scale, held, failure } = decision;
  const parts = trace.metrics.map(metricText);
  if (trace.gate !== undefined && scale !== undefined) parts.push(scale.reason);
  const hold = failure ?? held;
  if (trace.limits !== undefined) {
    const { proposed, recorded = proposed } = trace.limits;
    if (recorded !== proposed && hold === undefined)
      parts.push(`kept at ${recorded} (${trace.placement?.reason})`);
    parts.push(...limitTexts(trace.limits));
  }
  const isTold = hold !== undefined && parts.some((part) => part.endsWith(`(${hold.reason})`));
  if (hold !== undefined && !isTold) parts.push(`${hold.reason}: ${hold.message}`);
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
  return `${name} ${amountText(name, current)} of ${amountText(name, target)} ${result}`;
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
