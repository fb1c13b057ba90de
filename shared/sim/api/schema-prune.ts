import { isJsonObject, type JsonObject } from "./object.ts";
import { hasPassed } from "./passed-parts.ts";
import { type Definitions, resolved, type Schema } from "./schema.ts";

/** What is left of a written value when it has passed the schema: unknown fields dropped, defaults filled in. */
export interface Pruned<T> {
  readonly value: T;
  /** The dropped fields as paths such as `spec.rules[0].foo`, in the order of the value. */
  readonly unknown: readonly string[];
}

/**
 * Nulls count as absent where a default stands and below a `$ref` (those are Go structs, which decode null as their
 * zero); elsewhere they stay, for the check to refuse. `defaults` false leaves defaults out: an applied configuration
 * owns only what it says. `settled` is a field's value that needs no look.
 */
export function prune<T>(
  value: T,
  schema: Schema,
  definitions: Definitions,
  { defaults = true, settled }: { readonly defaults?: boolean; readonly settled?: unknown } = {},
): Pruned<T> {
  const pass: Pass = { definitions, defaults, settled, unknown: [] };
  return { value: pruned(value, schema, "", false, pass) as T, unknown: pass.unknown };
}

interface Pass {
  readonly definitions: Definitions;
  readonly defaults: boolean;
  readonly settled: unknown;
  readonly unknown: string[];
}

function pruned(
  value: unknown,
  declared: Schema | undefined,
  path: string,
  inStruct: boolean,
  pass: Pass,
): unknown {
  const schema = resolved(declared, pass.definitions);
  if (schema === undefined || schema["x-kubernetes-embedded-resource"]) return value;
  const typed = inStruct || declared?.$ref !== undefined;
  if (Array.isArray(value)) {
    return mapUnchanged(value, (item, i) => pruned(item, schema.items, `${path}[${i}]`, typed, pass));
  }
  return isJsonObject(value) ? prunedObject(value, schema, path, typed, pass) : value;
}

function prunedObject(value: JsonObject, schema: Schema, path: string, typed: boolean, pass: Pass) {
  const { properties, additionalProperties } = schema;
  const open = schema["x-kubernetes-preserve-unknown-fields"] || (!properties && !additionalProperties);
  const result: Record<string, unknown> = {};
  let changed = false;
  for (const field in value) {
    const item = value[field];
    const fieldPath = path === "" ? field : `${path}.${field}`;
    const itemSchema = properties?.[field] ?? additionalProperties;
    const isUnknown = itemSchema === undefined && !open;
    if (isUnknown) pass.unknown.push(fieldPath);
    const isAbsent = item === undefined || (item === null && dropsNull(itemSchema, typed));
    const isPassed = path === "" && (item === pass.settled || hasPassed(item, itemSchema, pass.definitions));
    const kept =
      isUnknown || isAbsent ? undefined : isPassed ? item : pruned(item, itemSchema, fieldPath, typed, pass);
    if (kept !== item) changed = true;
    if (kept !== undefined) result[field] = kept;
  }
  for (const [field, itemSchema] of pass.defaults ? defaultedFields(schema) : []) {
    if (result[field] !== undefined) continue;
    result[field] = pruned(itemSchema.default, itemSchema, "", typed, pass);
    changed = true;
  }
  return changed ? result : value;
}

const defaulted = new WeakMap<Schema, readonly (readonly [string, Schema])[]>();

/** The fields that have a default, remembered: of a pod's hundreds of fields next to none has one. */
function defaultedFields(schema: Schema): readonly (readonly [string, Schema])[] {
  let fields = defaulted.get(schema);
  if (fields === undefined) {
    fields = Object.entries(schema.properties ?? {}).filter(([, field]) => field.default !== undefined);
    defaulted.set(schema, fields);
  }
  return fields;
}

function dropsNull(schema: Schema | undefined, typed: boolean): boolean {
  return schema !== undefined && !schema.nullable && (typed || schema.default !== undefined);
}

/** Array.map that gives back the same array when no item changed. */
function mapUnchanged(items: readonly unknown[], map: (item: unknown, i: number) => unknown) {
  const mapped = items.map(map);
  return mapped.every((item, i) => item === items[i]) ? items : mapped;
}
