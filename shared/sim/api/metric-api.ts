import type { Labels } from "#domain/units/selector";
import { type Outcome, pathNotFound, type Status } from "./failure.ts";

/**
 * A metrics API that an adapter serves beside the API server: custom.metrics.k8s.io or external.metrics.k8s.io. It has
 * values instead of objects, computed for each request.
 */
export interface MetricApi {
  readonly group: string;
  /** The preferred first. */
  readonly versions: readonly string[];
  /** The kind of its lists. */
  readonly kind: string;
  /** What there is to ask for, as discovery names it: `pods/requests`, or `queue`. While there is nothing, it is not served. */
  names(): readonly string[];
  /** The items for a query, in the form of a version. */
  values(version: string, query: ValuesQuery, nowMs: number): Outcome<readonly object[]>;
}

/** `described` is what the metric says something of (`*`: all that match); absent for an external metric. */
export interface ValuesQuery {
  readonly namespace: string;
  readonly described?: { readonly resource: string; readonly name?: string };
  readonly metric: string;
  readonly labelSelector?: string | undefined;
  readonly metricLabelSelector?: string | undefined;
}

/** A metric as it is stated: its name and the labels of its one series. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
}

/** As k8s.io/custom-metrics-apiserver says it. */
export function metricNotFound(metric: string, resource: string, name = ""): Status {
  const object = name === "" || name === "*" ? resource : `${resource} ${name}`;
  return {
    ...pathNotFound(),
    message: `the server could not find the metric ${metric} for ${object}`,
    details: { name: metric, kind: resource },
  };
}
