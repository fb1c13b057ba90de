import { sameJson } from "#sim/api/equal";
import { isJsonObject } from "#sim/api/object";
import { type Definitions, fieldSchema, resolved, type Schema } from "#sim/api/schema";
import { type FieldSet, isEmptySet, LEAF, NO_FIELDS } from "./field-set.ts";

/**
 * How the value of a field is owned: `fields` one by one, `items` of a keyed list, `values` of a set, or `whole`. Maps
 * without a schema are owned field by field, lists without one whole, as structured-merge-diff deduces.
 */
export type Granularity = "fields" | "items" | "values" | "whole";

export function granularityOf(value: unknown, schema: Schema | undefined): Granularity {
  if (isJsonObject(value)) return schema?.["x-kubernetes-map-type"] === "atomic" ? "whole" : "fields";
  if (!Array.isArray(value)) return "whole";
  const listType = schema?.["x-kubernetes-list-type"];
  if (listType === "set") return "values";
  return listType === "map" && value.every(isJsonObject) ? "items" : "whole";
}

/** The parts of a value that is not owned whole, by path element, each with its schema. */
export function partsOf(
  value: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): ReadonlyMap<string, readonly [part: unknown, schema: Schema | undefined]> {
  const parts = new Map<string, readonly [unknown, Schema | undefined]>();
  if (isJsonObject(value)) {
    for (const [field, part] of Object.entries(value)) {
      if (part !== undefined) parts.set(edgeOf(field), [part, fieldSchema(schema, field, definitions)]);
    }
  } else if (Array.isArray(value)) {
    const itemSchema = resolved(schema?.items, definitions);
    for (const item of value) parts.set(itemEdge(item, schema, definitions), [item, itemSchema]);
  }
  return parts;
}

const edges = new Map<string, string>();
/** More names than any schema has: then they are labels that somebody counts up. */
const MOST_EDGES = 10_000;

/** `f:` and the field's name. Each is made once, as a text that was put together anew is slow to look up. */
function edgeOf(field: string): string {
  const known = edges.get(field);
  if (known !== undefined) return known;
  if (edges.size >= MOST_EDGES) edges.clear();
  const edge = `f:${field}`;
  edges.set(field, edge);
  return edge;
}

/** The path element of a list item: its keys, or for sets its value. Keys that are absent stand with their default. */
export function itemEdge(item: unknown, schema: Schema | undefined, definitions: Definitions): string {
  const keys = schema?.["x-kubernetes-list-map-keys"];
  if (keys === undefined || !isJsonObject(item)) return `v:${JSON.stringify(item)}`;
  const itemSchema = resolved(schema?.items, definitions);
  const identity: Record<string, unknown> = {};
  for (const key of [...keys].sort()) {
    const value = item[key] ?? itemSchema?.properties?.[key]?.default;
    if (value !== undefined) identity[key] = value;
  }
  return `k:${JSON.stringify(identity)}`;
}

/** Every field that a value sets. */
export function fieldsOf(value: unknown, schema: Schema | undefined, definitions: Definitions): FieldSet {
  if (granularityOf(value, schema) === "whole") return LEAF;
  const children = new Map<string, FieldSet>();
  for (const [edge, [part, partSchema]] of partsOf(value, schema, definitions)) {
    const fields = fieldsOf(part, partSchema, definitions);
    const named = edge.startsWith("f:") && schema?.properties?.[edge.slice(2)] !== undefined;
    const member = fields.member || !named || isEmptySet(fields);
    children.set(edge, { member, children: fields.children });
  }
  return { member: false, children };
}

export interface FieldChanges {
  /** Fields with another value than before, or new. */
  readonly changed: FieldSet;
  /** Fields that are gone. */
  readonly removed: FieldSet;
}

const NO_CHANGES: FieldChanges = { changed: NO_FIELDS, removed: NO_FIELDS };

/** What a write did to the fields of a value. Parts that the two share by reference are not looked into. */
export function fieldChanges(
  before: unknown,
  after: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): FieldChanges {
  if (before === after) return NO_CHANGES;
  const how = granularityOf(after, schema);
  if (how === "whole" || granularityOf(before, schema) !== how) {
    return sameJson(before, after) ? NO_CHANGES : { changed: LEAF, removed: NO_FIELDS };
  }
  const changed = new Map<string, FieldSet>();
  const removed = new Map<string, FieldSet>();
  const note = (edge: string, previous: unknown, part: unknown, partSchema: Schema | undefined) => {
    if (previous === part) return;
    if (previous === undefined) changed.set(edge, asMember(fieldsOf(part, partSchema, definitions)));
    else if (part === undefined) removed.set(edge, asMember(fieldsOf(previous, partSchema, definitions)));
    else {
      const inside = fieldChanges(previous, part, partSchema, definitions);
      if (!isEmptySet(inside.changed)) changed.set(edge, inside.changed);
      if (!isEmptySet(inside.removed)) removed.set(edge, inside.removed);
    }
  };
  if (isJsonObject(before) && isJsonObject(after)) {
    const noteField = (field: string) => {
      if (before[field] === after[field]) return;
      note(edgeOf(field), before[field], after[field], fieldSchema(schema, field, definitions));
    };
    for (const field of Object.keys(after)) noteField(field);
    for (const field of Object.keys(before)) if (after[field] === undefined) noteField(field);
  } else {
    const old = partsOf(before, schema, definitions);
    const now = partsOf(after, schema, definitions);
    for (const [edge, [part, partSchema]] of now) note(edge, old.get(edge)?.[0], part, partSchema);
    for (const [edge, [part, partSchema]] of old) {
      if (!now.has(edge)) note(edge, part, undefined, partSchema);
    }
  }
  if (changed.size === 0 && removed.size === 0) return NO_CHANGES;
  return {
    changed: changed.size === 0 ? NO_FIELDS : { member: false, children: changed },
    removed: removed.size === 0 ? NO_FIELDS : { member: false, children: removed },
  };
}

function asMember({ children }: FieldSet): FieldSet {
  return { member: true, children };
}

/**
 * The value without the fields of a set. A container that the set holds goes whole, unless `kept` has fields inside it.
 */
export function withoutFields(
  value: unknown,
  set: FieldSet,
  kept: FieldSet,
  schema: Schema | undefined,
  definitions: Definitions,
): unknown {
  if (isJsonObject(value)) {
    const result: Record<string, unknown> = {};
    for (const [edge, [part, partSchema]] of partsOf(value, schema, definitions)) {
      const left = withoutPart(edge, part, partSchema, set, kept, definitions);
      if (left !== undefined) result[edge.slice(2)] = left;
    }
    return result;
  }
  if (!Array.isArray(value)) return value;
  const itemSchema = resolved(schema?.items, definitions);
  return value.flatMap((item) => {
    const left = withoutPart(itemEdge(item, schema, definitions), item, itemSchema, set, kept, definitions);
    return left === undefined ? [] : [left];
  });
}

function withoutPart(
  edge: string,
  part: unknown,
  schema: Schema | undefined,
  set: FieldSet,
  kept: FieldSet,
  definitions: Definitions,
): unknown {
  const dropped = set.children.get(edge);
  if (dropped === undefined) return part;
  const keptInside = kept.children.get(edge) ?? NO_FIELDS;
  if (dropped.member && isEmptySet(keptInside)) return undefined;
  const left = withoutFields(part, dropped, keptInside, schema, definitions);
  const isEmptied = isJsonObject(left) && Object.keys(left).length === 0;
  return isEmptied && !keptInside.member ? undefined : left;
}
