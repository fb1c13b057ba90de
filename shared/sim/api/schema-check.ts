import { sameJson } from "./equal.ts";
import type { StatusCause } from "./failure.ts";
import { isJsonObject } from "./object.ts";
import { hasPassed } from "./passed-parts.ts";
import { type Definitions, resolved, type Schema } from "./schema.ts";

/**
 * What is wrong with a value by its schema, as the causes of a 422, in the wording of
 * k8s.io/kube-openapi and apimachinery's field errors. Empty when it fits. `settled` is a field's value that needs no
 * look.
 */
export function check(
  value: unknown,
  schema: Schema,
  definitions: Definitions,
  settled?: unknown,
): StatusCause[] {
  const causes: StatusCause[] = [];
  checkValue(value, schema, "", { definitions, settled, causes });
  return causes;
}

interface Pass {
  readonly definitions: Definitions;
  readonly settled: unknown;
  readonly causes: StatusCause[];
}

function checkValue(value: unknown, declared: Schema | undefined, path: string, pass: Pass): void {
  const schema = resolved(declared, pass.definitions);
  if (schema === undefined || schema["x-kubernetes-embedded-resource"] || value === undefined) return;
  if (value === null && schema.nullable) return;
  const wanted = wrongType(value, schema);
  if (wanted !== undefined) {
    const shown = value === null ? "null" : kindOf(value);
    const text = JSON.stringify(shown);
    add(
      pass,
      "FieldValueTypeInvalid",
      path,
      `Invalid value: ${text}: ${path} in body must be of type ${wanted}: ${text}`,
    );
    return;
  }
  if (Array.isArray(value)) checkList(value, schema, path, pass);
  else if (isJsonObject(value)) checkObject(value, schema, path, pass);
  else checkScalar(value, schema, path, pass);
}

function checkObject(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  path: string,
  pass: Pass,
): void {
  for (const field of schema.required ?? []) {
    if (value[field] === undefined) add(pass, "FieldValueRequired", join(path, field), "Required value");
  }
  for (const field in value) {
    const fieldSchema = schema.properties?.[field] ?? schema.additionalProperties;
    const isPassed =
      path === "" &&
      (value[field] === pass.settled || hasPassed(value[field], fieldSchema, pass.definitions));
    if (isPassed) continue;
    checkValue(value[field], fieldSchema, join(path, field), pass);
  }
}

function checkList(value: readonly unknown[], schema: Schema, path: string, pass: Pass): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length > maxItems)
    add(pass, "FieldValueTooMany", path, `Too many: ${value.length}: must have at most ${maxItems} items`);
  if (value.length < minItems)
    add(
      pass,
      "FieldValueInvalid",
      path,
      `Invalid value: ${value.length}: ${path} in body should have at least ${minItems} items`,
    );
  value.forEach((item, i) => {
    checkValue(item, schema.items, `${path}[${i}]`, pass);
  });
  checkUnique(value, schema, path, pass);
}

function checkUnique(value: readonly unknown[], schema: Schema, path: string, pass: Pass): void {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "map" && listType !== "set") return;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const identity = (item: unknown): unknown =>
    listType === "set" || !isJsonObject(item)
      ? item
      : Object.fromEntries(keys.map((key) => [key, item[key]]));
  const seen: unknown[] = [];
  value.forEach((item, i) => {
    const key = identity(item);
    if (seen.some((other) => sameJson(other, key)))
      add(pass, "FieldValueDuplicate", `${path}[${i}]`, `Duplicate value: ${JSON.stringify(key)}`);
    seen.push(key);
  });
}

function checkScalar(value: unknown, schema: Schema, path: string, pass: Pass): void {
  const invalid = (rule: string) =>
    add(pass, "FieldValueInvalid", path, `Invalid value: ${JSON.stringify(value)}: ${path} in body ${rule}`);
  if (schema.enum !== undefined && !schema.enum.includes(String(value))) {
    const supported = schema.enum.map((item) => JSON.stringify(item)).join(", ");
    add(
      pass,
      "FieldValueNotSupported",
      path,
      `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
    );
  }
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum)
      invalid(`should be greater than or equal to ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum)
      invalid(`should be less than or equal to ${schema.maximum}`);
    if (schema.format === "int32" && !isInt32(value)) invalid("must be of type int32");
  }
  if (typeof value === "string") {
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      add(pass, "FieldValueTooLong", path, `Too long: may not be more than ${schema.maxLength} bytes`);
    if (schema.minLength !== undefined && value.length < schema.minLength)
      invalid(`should be at least ${schema.minLength} chars long`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      invalid(`should match '${schema.pattern}'`);
  }
}

/** The type that was wanted, when the value is of another one. */
function wrongType(value: unknown, schema: Schema): string | undefined {
  if (schema["x-kubernetes-int-or-string"])
    return typeof value === "string" || Number.isInteger(value) ? undefined : "integer,string";
  if (schema.type === undefined) return undefined;
  const actual = kindOf(value);
  if (actual === schema.type) return undefined;
  return schema.type === "number" && actual === "integer" ? undefined : schema.type;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function isInt32(value: number): boolean {
  return (value | 0) === value;
}

function join(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}

function add(pass: Pass, reason: string, field: string, message: string): void {
  pass.causes.push({ reason, message, field });
}
