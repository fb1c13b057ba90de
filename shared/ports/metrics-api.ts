import type { Server } from "#ports/kubernetes";

/**
 * The metrics APIs that adapters serve beside an API server: `custom.metrics.k8s.io` and `external.metrics.k8s.io`, of
 * the hub and of each member. Faults, deadlines and the limit of requests in flight are those of `KubernetesPort`.
 */
export interface MetricsApiPort {
  /** The versions in which a server serves an API group, the preferred first; empty where it does not serve it. */
  versionsOf(at: Server, group: string): Promise<readonly string[]>;

  /**
   * The items of the answer, as they came: MetricValues, or ExternalMetricValues. `missing` where the API, the metric
   * or the described object is not known there.
   */
  metricValues(at: Server, query: MetricValuesQuery): Promise<readonly unknown[]>;
}

export interface MetricValuesQuery {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /**
   * What the metric describes; absent for an external metric. `resource` is `pods`, `services`, `deployments.apps`, or
   * `metrics` (without a name) for the namespace itself; the name `*` stands for every object that matches.
   */
  readonly described?: { readonly resource: string; readonly name?: string };
  readonly metric: string;
  /** Of the described objects; of the series for an external metric. */
  readonly labelSelector?: string;
  /** Of the series of a custom metric. */
  readonly metricLabelSelector?: string;
}
