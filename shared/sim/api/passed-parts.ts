import type { KubeObject } from "./object.ts";
import { type Definitions, resolved, type Schema } from "./schema.ts";

/**
 * The parts of objects (above all `spec`) that have passed their schema: complete, without unknown fields, without a
 * fault. Neither a part nor a schema ever changes, so what passed once would pass again, and a write of the status
 * need not go through the spec.
 */
const passed = new WeakMap<Definitions, WeakMap<object, Schema>>();

export function hasPassed(part: unknown, schema: Schema | undefined, definitions: Definitions): boolean {
  if (schema === undefined || typeof part !== "object" || part === null) return false;
  return passed.get(definitions)?.get(part) === schema;
}

/** Notes the parts of an object that has passed, but for those that are others with nearly every write. */
export function notePassed(object: KubeObject, schema: Schema, definitions: Definitions): void {
  const parts = passed.get(definitions) ?? new WeakMap<object, Schema>();
  passed.set(definitions, parts);
  const { properties = {} } = resolved(schema, definitions) ?? {};
  for (const field in object) {
    const part = object[field];
    const declared = properties[field];
    if (field === "metadata" || field === "status" || declared === undefined) continue;
    if (typeof part === "object" && part !== null) parts.set(part, declared);
  }
}
