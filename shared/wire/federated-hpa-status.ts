import type { Condition, FederatedHpaStatus, MetricStatus } from "#domain/spec/federated-hpa";
import type {
  FederatedHpaStatusObject,
  MetricIdentifier,
  MetricStatusObject,
} from "#domain/spec/federated-hpa-object";
import { formatInstant, parseInstant } from "#domain/units/instant";
import type { MilliValue } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";
import { milliText } from "#domain/units/quantity-text";
import { parseSelector } from "#domain/units/selector-parse";
import { encodeLabelSelector } from "./label-selector.ts";
import { decodeIdentifier, decodeReference } from "./metric-spec.ts";

/**
 * The status as the decision sees it. Entries that are not well formed are left out: a metric without the source of
 * its type (Karmada writes `{"type": ""}` for a failed one, B107), a condition without a type or an instant.
 */
export function decodeStatus(status: FederatedHpaStatusObject): FederatedHpaStatus {
  const lastScaleAtMs = instantOf(status.lastScaleTime);
  return {
    currentReplicas: status.currentReplicas ?? 0,
    desiredReplicas: status.desiredReplicas,
    ...(lastScaleAtMs === undefined ? {} : { lastScaleAtMs }),
    ...(status.observedGeneration === undefined ? {} : { observedGeneration: status.observedGeneration }),
    conditions: (status.conditions ?? []).flatMap((condition) => decodeCondition(condition) ?? []),
    currentMetrics: status.currentMetrics.flatMap((metric) => decodeMetricStatus(metric) ?? []),
  };
}

/** A status is a value: its form is asked for when it is compared and again when it is written. */
const encoded = new WeakMap<FederatedHpaStatus, FederatedHpaStatusObject>();

/**
 * The status in the API's form (autoscaling/v2): instants in whole seconds, cut off, quantities canonical, lists
 * always lists. Numbers that the API could not hold are cut to its range or left out, so that one of them never
 * costs the whole write.
 */
export function encodeStatus(status: FederatedHpaStatus): FederatedHpaStatusObject {
  const known = encoded.get(status);
  if (known !== undefined) return known;
  const { lastScaleAtMs, observedGeneration } = status;
  const object = {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(lastScaleAtMs === undefined ? {} : { lastScaleTime: formatInstant(lastScaleAtMs) }),
    currentReplicas: toInt32(status.currentReplicas) ?? 0,
    desiredReplicas: toInt32(status.desiredReplicas) ?? 0,
    currentMetrics: status.currentMetrics.map(encodeMetricStatus),
    conditions: status.conditions.map(({ type, status: state, lastTransitionMs, reason, message }) => ({
      type,
      status: state,
      lastTransitionTime: formatInstant(lastTransitionMs),
      reason,
      message,
    })),
  };
  encoded.set(status, object);
  return object;
}

type ConditionObject = NonNullable<FederatedHpaStatusObject["conditions"]>[number];

function decodeCondition(condition: ConditionObject): Condition | undefined {
  const { type, status, reason = "", message = "" } = condition;
  const lastTransitionMs = instantOf(condition.lastTransitionTime);
  if (type === "" || lastTransitionMs === undefined || !isConditionStatus(status)) return undefined;
  return { type, status, reason, message, lastTransitionMs };
}

function isConditionStatus(status: string): status is Condition["status"] {
  return status === "True" || status === "False" || status === "Unknown";
}

function decodeMetricStatus(metric: MetricStatusObject): MetricStatus | undefined {
  const { type, resource, containerResource, pods, object, external } = metric;
  if (type === "Resource" && resource) {
    return { type, name: resource.name, current: decodeCurrent(resource.current) };
  }
  if (type === "ContainerResource" && containerResource) {
    const { name, container, current } = containerResource;
    return { type, name, container, current: decodeCurrent(current) };
  }
  if (type === "Pods" && pods) {
    return { type, ...decodeStatusIdentifier(pods.metric), current: decodeCurrent(pods.current) };
  }
  if (type === "External" && external) {
    return { type, ...decodeStatusIdentifier(external.metric), current: decodeCurrent(external.current) };
  }
  if (type === "Object" && object) {
    return {
      type,
      ...decodeStatusIdentifier(object.metric),
      describedObject: decodeReference(object.describedObject),
      current: decodeCurrent(object.current),
    };
  }
  return undefined;
}

function decodeStatusIdentifier(metric: MetricIdentifier): { name: string; selector?: string } {
  const { name, selector } = decodeIdentifier(metric);
  return { name, ...(selector === "" ? {} : { selector }) };
}

function encodeMetricStatus(metric: MetricStatus): MetricStatusObject {
  const { type, name } = metric;
  const current = encodeCurrent(metric.current);
  switch (type) {
    case "Resource":
      return { type, resource: { name, current } };
    case "ContainerResource":
      return { type, containerResource: { name, current, container: metric.container ?? "" } };
    case "Pods":
      return { type, pods: { metric: encodeIdentifier(metric), current } };
    case "External":
      return { type, external: { metric: encodeIdentifier(metric), current } };
    case "Object": {
      const { apiVersion = "", kind = "", name: described = "" } = metric.describedObject ?? {};
      return {
        type,
        object: {
          metric: encodeIdentifier(metric),
          current,
          describedObject: { kind, name: described, ...(apiVersion === "" ? {} : { apiVersion }) },
        },
      };
    }
  }
}

function encodeIdentifier({ name, selector = "" }: MetricStatus): MetricIdentifier {
  const parsed = parseSelector(selector);
  if (!parsed.ok || parsed.value.requirements.length === 0) return { name };
  return { name, selector: encodeLabelSelector(parsed.value) };
}

type Current = MetricStatus["current"];
type CurrentObject = NonNullable<MetricStatusObject["resource"]>["current"];

function decodeCurrent({ averageUtilization, averageValue, value }: CurrentObject): Current {
  const average = averageValue === undefined ? undefined : parseMilli(averageValue);
  const total = value === undefined ? undefined : parseMilli(value);
  return {
    ...(averageUtilization === undefined ? {} : { averageUtilization }),
    ...(average === undefined ? {} : { averageValue: average }),
    ...(total === undefined ? {} : { value: total }),
  };
}

function encodeCurrent({ averageUtilization, averageValue, value }: Current): CurrentObject {
  const utilization = toInt32(averageUtilization);
  const average = toQuantity(averageValue);
  const total = toQuantity(value);
  return {
    ...(total === undefined ? {} : { value: total }),
    ...(average === undefined ? {} : { averageValue: average }),
    ...(utilization === undefined ? {} : { averageUtilization: utilization }),
  };
}

function toQuantity(milli: MilliValue | undefined): string | undefined {
  if (typeof milli === "number" && !Number.isSafeInteger(milli)) return undefined;
  return milli === undefined ? undefined : milliText(milli);
}

function toInt32(value: number | undefined): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.trunc(Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
}

function instantOf(text: string | null | undefined): number | undefined {
  return typeof text === "string" ? parseInstant(text) : undefined;
}
