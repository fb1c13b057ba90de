import { milliText } from "#domain/units/quantity-text";
import type { CalculatorInput, VectorSample } from "#test/golden/ledger/calculator";
import type { Reference } from "#test/golden/ledger/calculator-reference";
import { ceilMilli } from "#test/golden/ledger/quantity";
import type { VectorMetric } from "#test/golden/reconcile/world";

interface VectorTarget {
  readonly type: string;
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}
/** An entry of `spec.metrics` as the API has it. */
export interface VectorMetricSpec {
  readonly type: string;
  readonly resource?: { readonly name: string; readonly target: VectorTarget };
  readonly containerResource?: {
    readonly name: string;
    readonly container: string;
    readonly target: VectorTarget;
  };
  readonly pods?: { readonly metric: object; readonly target: VectorTarget };
  readonly object?: {
    readonly describedObject: { readonly kind: string };
    readonly metric: { readonly name: string };
    readonly target: VectorTarget;
  };
}
/** How the calculator is asked about a metric, and how its answer is told. */
export interface Method {
  readonly input: Pick<
    CalculatorInput,
    "method" | "resource" | "container" | "targetUtilization" | "targetMilliValue"
  >;
  readonly name: string;
  readonly failed: string;
  readonly status: (answer: { usage?: string; utilization?: number; rawUtilization?: string }) => unknown;
}

/** Karmada dereferences the field that an Object target's type names, also where it is not set (D-16). */
export function panics({ type, object }: VectorMetricSpec): boolean {
  if (type !== "Object" || object === undefined) return false;
  const { target } = object;
  return (
    (target.type === "Value" && target.value === undefined) ||
    (target.type === "AverageValue" && target.averageValue === undefined)
  );
}

export function methodOf(
  metric: VectorMetricSpec,
  on: Reference,
): Method | { readonly reason: string } | "panic" {
  const { resource, containerResource, pods, object } = metric;
  const text = (milli: string | undefined) => milliText(BigInt(milli ?? 0));
  if (metric.type === "Object" && object !== undefined) {
    const { target, metric: identifier, describedObject } = object;
    const failed = "FailedGetObjectMetric";
    if (panics(metric)) return "panic";
    if (target.type === "Value") {
      return {
        input: { method: "GetObjectMetricReplicas", targetMilliValue: milli(target.value) },
        name: `${describedObject.kind} metric ${identifier.name}`,
        failed,
        status: ({ usage }) => ({
          type: "Object",
          object: { metric: identifier, current: { value: text(usage) }, describedObject },
        }),
      };
    }
    if (target.type !== "AverageValue") return { reason: failed };
    return {
      input: { method: "GetObjectPerPodMetricReplicas", targetMilliValue: milli(target.averageValue) },
      name: `external metric ${identifier.name}(nil)`,
      failed,
      status: ({ usage }) => ({
        type: "Object",
        object: {
          metric: identifier,
          current: { averageValue: text(usage) },
          describedObject: on.has("D-15") ? describedObject : { kind: "", name: "" },
        },
      }),
    };
  }
  if (metric.type === "Pods" && pods !== undefined) {
    const identifier = pods.metric as { readonly name: string };
    return {
      input: { method: "GetMetricReplicas", targetMilliValue: milli(pods.target.averageValue) },
      name: `pods metric ${identifier.name}`,
      failed: "FailedGetPodsMetric",
      status: ({ usage }) => ({
        type: "Pods",
        pods: { metric: identifier, current: { averageValue: text(usage) } },
      }),
    };
  }
  const source = metric.type === "Resource" ? resource : containerResource;
  if (source === undefined || (metric.type !== "Resource" && metric.type !== "ContainerResource")) {
    return { reason: "InvalidMetricSourceType" };
  }
  const container =
    metric.type === "ContainerResource" ? { container: containerResource?.container ?? "" } : {};
  const key = metric.type === "Resource" ? "resource" : "containerResource";
  const failed = metric.type === "Resource" ? "FailedGetResourceMetric" : "FailedGetContainerResourceMetric";
  const { name, target } = source;
  const status = (current: object) => ({ type: metric.type, [key]: { name, ...container, current } });
  if (target.averageValue !== undefined) {
    return {
      input: {
        method: "GetRawResourceReplicas",
        resource: name,
        targetMilliValue: milli(target.averageValue),
      },
      name: `${name} resource`,
      failed,
      status: ({ usage }) => status({ averageValue: text(usage) }),
    };
  }
  if (target.averageUtilization === undefined) return { reason: failed };
  const kind = metric.type === "Resource" ? "resource" : "container resource";
  return {
    input: {
      method: "GetResourceReplicas",
      resource: name,
      targetUtilization: target.averageUtilization,
      ...container,
    },
    name: `${name} ${kind} utilization (percentage of request)`,
    failed,
    status: ({ utilization, rawUtilization }) =>
      status({ averageUtilization: utilization, averageValue: text(rawUtilization) }),
  };
}

/** What the calculator's vectors call metrics: by pod name as the controller sees them, and by cluster and name. */
export function samplesOf({
  values,
  milliValue,
  error,
  timestamp = "",
  windowSeconds = 0,
}: VectorMetric): Partial<CalculatorInput> {
  if (error !== undefined) return { metricsError: error };
  if (milliValue !== undefined) return { objectUsageMilliValue: milliValue };
  const entries = Object.entries(values ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  if (entries.length === 0) return { metricsError: "no metrics returned" };
  const sample = (value: number | string): VectorSample => ({ milliValue: value, timestamp, windowSeconds });
  return {
    metrics: Object.fromEntries(
      entries.map(([key, value]) => [key.slice(key.indexOf("/") + 1), sample(value)]),
    ),
    metricsByCluster: Object.fromEntries(entries.map(([key, value]) => [key, sample(value)])),
  };
}

function milli(quantity: string | undefined): string {
  return String(ceilMilli(quantity ?? "0"));
}
