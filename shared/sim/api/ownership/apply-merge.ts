import { isJsonObject } from "#sim/api/object";
import { type Definitions, fieldSchema, resolved, type Schema } from "#sim/api/schema";
import { granularityOf, itemEdge } from "./field-walk.ts";

/** The live value with a configuration merged in, as their schema says: fields one by one, keyed lists item by item. */
export function mergedConfig(
  live: unknown,
  config: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): unknown {
  const how = granularityOf(config, schema);
  if (how === "whole" || granularityOf(live, schema) !== how) return config;
  if (isJsonObject(config) && isJsonObject(live)) {
    const result: Record<string, unknown> = { ...live };
    for (const [field, value] of Object.entries(config)) {
      result[field] = mergedConfig(live[field], value, fieldSchema(schema, field, definitions), definitions);
    }
    return result;
  }
  return mergedItems(live as readonly unknown[], config as readonly unknown[], schema, definitions);
}

/** Items of both, the live ones in their order, then the new ones. */
function mergedItems(
  live: readonly unknown[],
  config: readonly unknown[],
  schema: Schema | undefined,
  definitions: Definitions,
): readonly unknown[] {
  const itemSchema = resolved(schema?.items, definitions);
  const pending = new Map(config.map((item) => [itemEdge(item, schema, definitions), item]));
  const result = live.map((item) => {
    const edge = itemEdge(item, schema, definitions);
    const wanted = pending.get(edge);
    pending.delete(edge);
    return wanted === undefined ? item : mergedConfig(item, wanted, itemSchema, definitions);
  });
  return [...result, ...pending.values()];
}
