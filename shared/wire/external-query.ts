import type { ExternalMetric, FederatedHpa } from "#domain/spec/federated-hpa";
import type { FederatedHpaSpecObject } from "#domain/spec/federated-hpa-object";
import { type FieldFault, invalidValue } from "#domain/spec/field-fault";
import { selectorText } from "#domain/units/selector";
import { readLabelSelector } from "#domain/units/selector-object";
import type { ExternalQuery } from "#ports/external-metrics";
import { decodeCloudWatchQuery } from "./cloudwatch-query.ts";

/** Who answers for an External metric. */
export type ExternalSourceName = "hub" | "cloudwatch";

/** `orders.cloudwatch.mainsheet.io` is answered by CloudWatch, with what the annotation says of `orders`. */
const CLOUDWATCH_SUFFIX = ".cloudwatch.mainsheet.io";
/** A JSON object of queries by their names; docs/external-metrics.md. */
const CLOUDWATCH = "mainsheet.io/cloudwatch";

/** The query of an External metric, and whom to ask: its name says that. */
export function externalQueryOf(
  { namespace, annotations }: Pick<FederatedHpa, "namespace" | "annotations">,
  { name, selector }: Pick<ExternalMetric, "name" | "selector">,
): { readonly source: ExternalSourceName; readonly query: ExternalQuery } {
  const query = { namespace, name, selector };
  if (!name.endsWith(CLOUDWATCH_SUFFIX)) return { source: "hub", query };
  const definition = definitionsIn(annotations)?.[name.slice(0, -CLOUDWATCH_SUFFIX.length)];
  return { source: "cloudwatch", query: definition === undefined ? query : { ...query, definition } };
}

/** What is wrong with the annotation: no JSON object, a query that cannot be read, or none for a metric that needs it. */
export function externalQueryFaults(
  { metrics = [] }: Pick<FederatedHpaSpecObject, "metrics">,
  annotations: Readonly<Record<string, string>>,
): readonly FieldFault[] {
  const text = annotations[CLOUDWATCH];
  const path = `metadata.annotations[${CLOUDWATCH}]`;
  const definitions = definitionsIn(annotations);
  if (definitions === undefined) {
    const detail =
      'must be a JSON object such as {"orders":{"namespace":"AWS/SQS","metric":"ApproximateNumberOfMessagesVisible","dimensions":{"QueueName":"orders"}}}';
    return [invalidValue(path, text, detail)];
  }
  const selectors = new Map(
    metrics.flatMap(({ external }): (readonly [string, string])[] => {
      const { name = "", selector } = external?.metric ?? {};
      if (!name.endsWith(CLOUDWATCH_SUFFIX)) return [];
      const labels = selector === undefined ? "" : selectorText(readLabelSelector(selector).selector);
      return [[name.slice(0, -CLOUDWATCH_SUFFIX.length), labels]];
    }),
  );
  return [...new Set([...Object.keys(definitions), ...selectors.keys()])].flatMap((key) => {
    if (!Object.hasOwn(definitions, key)) {
      const detail = `must hold a query "${key}", which the metric ${key}${CLOUDWATCH_SUFFIX} asks for`;
      return [invalidValue(path, text, detail)];
    }
    const read = decodeCloudWatchQuery(definitions[key], selectors.get(key) ?? "");
    return read.ok ? [] : [invalidValue(`${path}.${key}`, definitions[key], read.fault.detail)];
  });
}

/** By name; empty where there is no annotation, undefined where it is no JSON object. */
function definitionsIn(
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> | undefined {
  const text = annotations[CLOUDWATCH];
  if (text === undefined) return {};
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
