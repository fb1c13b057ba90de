import type { MetricSpec, MetricTarget } from "#domain/spec/federated-hpa";
import type {
  MetricIdentifier,
  MetricSpecObject,
  MetricTargetObject,
  ObjectReference,
} from "#domain/spec/federated-hpa-object";
import { parseMilli } from "#domain/units/quantity";
import { selectorText } from "#domain/units/selector";
import { readLabelSelector } from "#domain/units/selector-object";

/**
 * The metric as the decision sees it; undefined where its type has no source, which is a fault of the spec. A metric
 * of unknown type keeps it, so that the decision can refuse it by name.
 */
export function decodeMetricSpec(metric: MetricSpecObject): MetricSpec | undefined {
  const { object, pods, resource, containerResource, external } = metric;
  switch (metric.type) {
    case "Resource":
      return resource && { type: "Resource", name: resource.name, target: decodeTarget(resource.target) };
    case "ContainerResource":
      return (
        containerResource && {
          type: "ContainerResource",
          name: containerResource.name,
          container: containerResource.container,
          target: decodeTarget(containerResource.target),
        }
      );
    case "Pods":
      return pods && { type: "Pods", ...decodeIdentifier(pods.metric), target: decodeTarget(pods.target) };
    case "Object":
      return (
        object && {
          type: "Object",
          ...decodeIdentifier(object.metric),
          describedObject: decodeReference(object.describedObject),
          target: ofType(decodeTarget(object.target)),
        }
      );
    case "External":
      return (
        external && {
          type: "External",
          ...decodeIdentifier(external.metric),
          target: decodeTarget(external.target),
        }
      );
    default:
      return { type: metric.type, name: "", target: { type: "" } } as unknown as MetricSpec;
  }
}

export function decodeReference({ apiVersion = "", kind, name }: ObjectReference): Required<ObjectReference> {
  return { apiVersion, kind, name };
}

/** Name and selector; the selector in text form, empty where there is none. */
export function decodeIdentifier({ name, selector }: MetricIdentifier): { name: string; selector: string } {
  return { name, selector: selector === undefined ? "" : selectorText(readLabelSelector(selector).selector) };
}

function decodeTarget({ type, averageUtilization, averageValue, value }: MetricTargetObject): MetricTarget {
  const average = averageValue === undefined ? undefined : parseMilli(averageValue);
  const total = value === undefined ? undefined : parseMilli(value);
  return {
    type,
    ...(averageUtilization === undefined ? {} : { averageUtilization }),
    ...(average === undefined ? {} : { averageValue: average }),
    ...(total === undefined ? {} : { value: total }),
  };
}

/** Of an Object target only the field that its type names: the one metric where the type decides (semantics 4.4). */
function ofType({ type, averageValue, value }: MetricTarget): MetricTarget {
  if (type === "Value") return { type, ...(value === undefined ? {} : { value }) };
  if (type === "AverageValue") return { type, ...(averageValue === undefined ? {} : { averageValue }) };
  return { type };
}
