import type { Schema } from "#sim/api/schema";

/** The words in which the schemas of the custom kinds are written. */

export const text: Schema = { type: "string" };
export const bool: Schema = { type: "boolean" };
export const int32: Schema = { type: "integer", format: "int32" };
export const int64: Schema = { type: "integer", format: "int64" };
export const time: Schema = { type: "string", format: "date-time" };
export const textMap: Schema = { type: "object", additionalProperties: text };
/** Anything at all inside an object: parts that nobody here reads. */
export const anyObject: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** A resource quantity: `100m`, `1Gi`, 2. */
export const quantity: Schema = {
  "x-kubernetes-int-or-string": true,
  pattern:
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
};

export function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: "string", enum: values };
}

export function list(items: Schema): Schema {
  return { type: "array", items };
}

/** A list whose items are told apart by some of their fields. */
export function keyedList(items: Schema, ...keys: readonly string[]): Schema {
  return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

/** An object with these fields; a name that ends in `!` is required. */
export function object(fields: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  const entries = Object.entries(fields);
  const required = entries.filter(([name]) => name.endsWith("!")).map(([name]) => name.slice(0, -1));
  return {
    type: "object",
    ...more,
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/!$/, ""), schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** metav1.Condition. */
export const condition: Schema = object({
  "type!": { ...text, maxLength: 316 },
  "status!": oneOf("True", "False", "Unknown"),
  "lastTransitionTime!": time,
  "reason!": { ...text, minLength: 1, maxLength: 1024 },
  "message!": { ...text, maxLength: 32_768 },
  observedGeneration: { ...int64, minimum: 0 },
});

/** metav1.LabelSelector. */
export const labelSelector: Schema = object(
  {
    matchLabels: textMap,
    matchExpressions: list(object({ "key!": text, "operator!": text, values: list(text) })),
  },
  { "x-kubernetes-map-type": "atomic" },
);
