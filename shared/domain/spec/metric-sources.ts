import { type FieldFault, invalidValue } from "./field-fault.ts";

/** From where an object's metrics are read, and what one of several clusters' values makes. */
export interface MetricSources {
  /**
   * `members`: each bound cluster's own metrics APIs, through the proxy. `hub`: those of the hub, where a metrics
   * adapter answers for the members. External metrics have sources of their own.
   */
  readonly from: "members" | "hub";
  /** How the clusters' values of an Object metric become one. `sum` unless the source is shared by them. */
  readonly objectMetric: "sum" | "max" | "mean";
}

const METRICS_FROM = "mainsheet.io/metrics-from";
const OBJECT_METRIC = "mainsheet.io/object-metric";

const FROM = ["members", "hub"] as const;
const OBJECT_METRICS = ["sum", "max", "mean"] as const;

/** What the object's annotations say, with the defaults `members` and `sum`. A faulty one is a fault, and changes nothing. */
export function readMetricSources(annotations: Readonly<Record<string, string>>): {
  readonly value: MetricSources;
  readonly faults: readonly FieldFault[];
} {
  const faults: FieldFault[] = [];
  function choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const text = annotations[name];
    const found = choices.find((known) => known === text);
    if (text !== undefined && found === undefined) {
      const list = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
      faults.push(invalidValue(`metadata.annotations[${name}]`, text, `must be ${list}`));
    }
    return found ?? choices[0];
  }
  const value = { from: choice(METRICS_FROM, FROM), objectMetric: choice(OBJECT_METRIC, OBJECT_METRICS) };
  return { value, faults };
}
