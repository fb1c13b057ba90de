import type { Read } from "#domain/fleet/snapshot";
import type { MilliValue } from "#domain/units/milli";

/**
 * A source of External metrics: the hub's `external.metrics.k8s.io`, CloudWatch, or another that keeps this promise.
 *
 * `read` answers every query by itself, in the order of the queries: the newest value with its instant, or why there is
 * none, as data. What the source has nothing to say to is `metric-empty`; what it refuses, or does not answer within its
 * deadline, is `metric-unreadable`. Neither keeps the others from their answer, and absence is never 0. Amounts finer
 * than a thousandth are rounded up. Equal queries are asked once, and as many in one request as the source takes.
 *
 * Throws only `PortFault("throttled")`, where a hub asks to slow down: that ends the turn of whoever asked (design 1).
 */
export interface ExternalMetricsPort {
  /** `nowMs` is the present of the caller, epoch milliseconds: what counts as new is measured from it. */
  read(queries: readonly ExternalQuery[], nowMs: number): Promise<readonly Read<ExternalValue>[]>;
}

export interface ExternalQuery {
  /** Of the FederatedHPA. */
  readonly namespace: string;
  /** `metric.name` of the spec. */
  readonly name: string;
  /** `metric.selector` in its text form; empty selects all series. */
  readonly selector: string;
  /** What the FederatedHPA says of the metric to a source that needs more than its name, as JSON. */
  readonly definition?: unknown;
}

export interface ExternalValue {
  readonly milliValue: MilliValue;
  /** When it was measured, epoch milliseconds. */
  readonly timestampMs: number;
}
