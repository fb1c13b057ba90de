import type { PodSample } from "#domain/fleet/pod";
import { parseDuration } from "#domain/units/duration";
import { parseInstant } from "#domain/units/instant";
import { type MilliValue, sumMilli } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";

/**
 * From the items of one cluster's metrics APIs to samples (vectors podmetrics.jsonl). An item that gives no sample
 * leaves its pod without one, which the decision counts as missing: it never fails the list, and is never 0.
 */
export interface SampleReading {
  /** In the order of the items. Two items of one name stay two: which pod each is, is the caller's to know (D-03). */
  readonly samples: readonly PodSample[];
  /** Items that are not as the API promises. */
  readonly faults: readonly SampleFault[];
}

/** `path` as in `items[3].timestamp`; `detail` says what is there and what should be. */
export interface SampleFault {
  readonly code: "sample-invalid";
  readonly path: string;
  readonly detail: string;
}

/** Which part of a PodMetrics: the sum of all containers, or one container. */
export interface ResourceQuery {
  /** `cpu` or `memory`. */
  readonly resource: string;
  readonly container?: string;
}

/**
 * Samples of `metrics.k8s.io` PodMetrics. A pod has none where it lists no containers, where a container lacks the
 * resource, where it lacks the container asked for (D-14), or where any amount is negative: a counter that was reset
 * (D-30, B49). Each container's amount is rounded up to a thousandth before they are added.
 */
export function readPodMetrics(items: readonly unknown[], query: ResourceQuery): SampleReading {
  return collect(items, (item, path, faults) => {
    const pod = readText(item, "metadata.name", path, faults);
    const timestampMs = readInstant(item, "timestamp", path, faults);
    const windowSeconds = readWindow(item, path, faults);
    const amounts = readUsage(item, query, path, faults);
    if (pod === undefined || timestampMs === undefined || windowSeconds === undefined) return undefined;
    return amounts === undefined
      ? undefined
      : { pod, milliValue: sumMilli(amounts), timestampMs, windowSeconds };
  });
}

/** metav1's default where a custom metric does not say what it was measured over. */
const DEFAULT_WINDOW_SECONDS = 60;

/**
 * Samples of `custom.metrics.k8s.io` MetricValues of pods. A negative value is none (D-30); no window means 60 s. It is
 * called `windowSeconds` in v1beta2, `window` in v1beta1.
 */
export function readMetricValues(items: readonly unknown[]): SampleReading {
  return collect(items, (item, path, faults) => {
    const pod = readText(item, "describedObject.name", path, faults);
    const timestampMs = readInstant(item, "timestamp", path, faults);
    const milliValue = readAmount(field(item, "value"), `${path}.value`, faults);
    const window = field(item, "windowSeconds") ?? field(item, "window") ?? DEFAULT_WINDOW_SECONDS;
    if (typeof window !== "number" || !(window >= 0)) {
      faults.push(invalid(`${path}.windowSeconds`, window, "a number of seconds"));
      return undefined;
    }
    if (pod === undefined || timestampMs === undefined || milliValue === undefined) return undefined;
    return { pod, milliValue, timestampMs, windowSeconds: window };
  });
}

type Faults = SampleFault[];

function collect(
  items: readonly unknown[],
  read: (item: unknown, path: string, faults: Faults) => PodSample | undefined,
): SampleReading {
  const faults: Faults = [];
  const samples: PodSample[] = [];
  for (const [index, item] of items.entries()) {
    const sample = read(item, `items[${index}]`, faults);
    if (sample !== undefined) samples.push(sample);
  }
  return { samples, faults };
}

/** The amounts that make up the sample, or undefined where the item has no sample to give. */
function readUsage(
  item: unknown,
  { resource, container }: ResourceQuery,
  path: string,
  faults: Faults,
): readonly MilliValue[] | undefined {
  const containers = field(item, "containers");
  if (!Array.isArray(containers)) {
    if (containers !== undefined && containers !== null) {
      faults.push(invalid(`${path}.containers`, containers, "a list"));
    }
    return undefined;
  }
  const amounts: MilliValue[] = [];
  for (const [index, entry] of containers.entries()) {
    if (container !== undefined && field(entry, "name") !== container) continue;
    const usage = field(field(entry, "usage"), resource);
    if (usage === undefined) return undefined;
    const amount = readAmount(usage, `${path}.containers[${index}].usage.${resource}`, faults);
    if (amount === undefined) return undefined;
    amounts.push(amount);
  }
  return amounts.length === 0 ? undefined : amounts;
}

function readAmount(value: unknown, path: string, faults: Faults): MilliValue | undefined {
  const amount = typeof value === "string" ? parseMilli(value) : undefined;
  if (amount === undefined) {
    faults.push(invalid(path, value, "a quantity such as 250m"));
    return undefined;
  }
  return amount < 0 ? undefined : amount;
}

function readWindow(item: unknown, path: string, faults: Faults): number | undefined {
  const window = field(item, "window");
  const seconds = typeof window === "string" ? parseDuration(window) : undefined;
  if (seconds !== undefined && seconds >= 0) return seconds;
  faults.push(invalid(`${path}.window`, window, "a duration such as 15s"));
  return undefined;
}

function readInstant(item: unknown, name: string, path: string, faults: Faults): number | undefined {
  const text = field(item, name);
  const instant = typeof text === "string" ? parseInstant(text) : undefined;
  if (instant === undefined) faults.push(invalid(`${path}.${name}`, text, "an RFC 3339 instant"));
  return instant;
}

function readText(item: unknown, dottedPath: string, path: string, faults: Faults): string | undefined {
  const text = dottedPath.split(".").reduce(field, item);
  if (typeof text === "string" && text !== "") return text;
  faults.push(invalid(`${path}.${dottedPath}`, text, "a name"));
  return undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function invalid(path: string, found: unknown, expected: string): SampleFault {
  const shown = found === undefined ? "nothing" : (JSON.stringify(found)?.slice(0, 60) ?? typeof found);
  return { code: "sample-invalid", path, detail: `found ${shown} where ${expected} should be` };
}
