import { sameJson } from "#sim/api/equal";
import { isJsonObject, type JsonObject } from "#sim/api/object";
import { type Definitions, fieldSchema, resolved, type Schema } from "#sim/api/schema";

/**
 * Strategic merge patch: a merge patch in which lists with a merge key merge item by item, and lists of scalars with
 * the merge strategy are united. Directives: `$patch` (merge, replace, delete), `$retainKeys`,
 * `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`. Ref: Kubernetes community, "strategic-merge-patch".
 */
export function strategicPatch(
  target: unknown,
  patch: unknown,
  schema: Schema,
  definitions: Definitions,
): unknown {
  return merged(target, patch, resolved(schema, definitions), definitions);
}

function merged(
  target: unknown,
  patch: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): unknown {
  if (!isJsonObject(patch)) return patch;
  const { $patch: directive, $retainKeys: retained, ...fields } = patch;
  if (directive === "replace") return fields;
  if (directive === "delete") return {};
  let result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  if (Array.isArray(retained)) {
    result = Object.fromEntries(Object.entries(result).filter(([field]) => retained.includes(field)));
  }
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith("$setElementOrder/") || field.startsWith("$deleteFromPrimitiveList/")) continue;
    if (value === null) delete result[field];
    else
      result[field] = mergedField(result[field], value, fieldSchema(schema, field, definitions), definitions);
  }
  applyListDirectives(result, fields, schema, definitions);
  return result;
}

function mergedField(
  target: unknown,
  value: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): unknown {
  if (!Array.isArray(value) || schema?.["x-kubernetes-patch-strategy"]?.includes("merge") !== true) {
    return Array.isArray(value)
      ? value.filter((item) => !isDirective(item))
      : merged(target, value, schema, definitions);
  }
  const current = Array.isArray(target) ? target : [];
  const key = schema["x-kubernetes-patch-merge-key"];
  if (key === undefined) return united(current, value);
  return mergedList(current, value, key, resolved(schema.items, definitions), definitions);
}

function mergedList(
  current: readonly unknown[],
  patch: readonly unknown[],
  key: string,
  itemSchema: Schema | undefined,
  definitions: Definitions,
): readonly unknown[] {
  if (patch.some((item) => isJsonObject(item) && item.$patch === "replace")) {
    return patch.filter((item) => !isDirective(item));
  }
  const result = [...current];
  for (const item of patch) {
    if (!isJsonObject(item)) continue;
    const at = result.findIndex((other) => isJsonObject(other) && sameJson(other[key], item[key]));
    if (item.$patch === "delete") {
      if (at >= 0) result.splice(at, 1);
    } else if (at >= 0) result[at] = merged(result[at], item, itemSchema, definitions);
    else result.push(merged({}, item, itemSchema, definitions));
  }
  return result;
}

function applyListDirectives(
  result: Record<string, unknown>,
  fields: JsonObject,
  schema: Schema | undefined,
  definitions: Definitions,
): void {
  for (const [directive, value] of Object.entries(fields)) {
    const slash = directive.indexOf("/");
    if (!directive.startsWith("$") || slash < 0 || !Array.isArray(value)) continue;
    const field = directive.slice(slash + 1);
    const list = result[field];
    if (!Array.isArray(list)) continue;
    if (directive.startsWith("$deleteFromPrimitiveList/")) {
      result[field] = list.filter((item) => !value.includes(item));
    } else {
      const key = fieldSchema(schema, field, definitions)?.["x-kubernetes-patch-merge-key"];
      result[field] = ordered(list, value, key);
    }
  }
}

/** The items in the wanted order; those it does not name keep their place behind the item they followed. */
function ordered(
  list: readonly unknown[],
  order: readonly unknown[],
  key: string | undefined,
): readonly unknown[] {
  const rank = (item: unknown) =>
    order.findIndex((wanted) =>
      key === undefined
        ? sameJson(item, wanted)
        : isJsonObject(item) && isJsonObject(wanted) && sameJson(item[key], wanted[key]),
    );
  let behind = -1;
  const ranked = list.map((item, i) => {
    const own = rank(item);
    if (own >= 0) behind = own;
    return { item, rank: own >= 0 ? own : behind, i };
  });
  return ranked.sort((a, b) => a.rank - b.rank || a.i - b.i).map(({ item }) => item);
}

function united(current: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  return [...current, ...added.filter((item) => !current.some((other) => sameJson(item, other)))];
}

function isDirective(item: unknown): boolean {
  return isJsonObject(item) && "$patch" in item;
}
