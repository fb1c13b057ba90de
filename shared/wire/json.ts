import type { Parsed } from "#domain/units/parsed";

/**
 * JSON with stable bytes, for decisions and snapshots: keys in code-unit order, undefined members left out, and a
 * bigint as `{"$milli":"<digits>"}`, since a double would round it. What is encoded comes back as it was, but for −0,
 * which comes back as 0, and members that are undefined.
 *
 * A key of the data that looks like the mark (`$milli`, `$$milli`, …) gets one more `$` on the way out.
 */

/**
 * - `json-number` NaN or Infinity, which no JSON can hold and no store may see (B100)
 * - `json-type`   a function, symbol or class instance such as Date or Map
 * - `json-text`   the text is not JSON
 */
export type JsonFaultCode = "json-number" | "json-type" | "json-text";

const MARK = /^\$+milli$/;
const INTEGER = /^-?(0|[1-9]\d*)$/;

/** The text, or the first value that has none; `detail` names its path. */
export function encodeJson(value: unknown): Parsed<string> {
  const faults: Fault[] = [];
  const text = write(value, "$", faults);
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, fault };
  return text === undefined
    ? { ok: false, fault: { code: "json-type", detail: "$ is undefined, which has no JSON" } }
    : { ok: true, value: text };
}

/** The value of a text that `encodeJson` wrote; any other JSON comes back as `JSON.parse` reads it. */
export function decodeJson(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text, revive) };
  } catch (error) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    const detail = `${JSON.stringify(shown)} is not JSON: ${error instanceof Error ? error.message : error}`;
    return { ok: false, fault: { code: "json-text", detail } };
  }
}

/** Whether both are the same JSON, whatever the order of their keys: whether `encodeJson` writes the same text of both. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, i) => sameJson(item ?? null, right[i] ?? null));
  if (isPlainObject(left) && isPlainObject(right)) {
    const names = membersOf(left);
    return (
      names.length === membersOf(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
    );
  }
  return write(left, "$", []) === write(right, "$", []);
}

function membersOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isPlain(value);
}

interface Fault {
  readonly code: JsonFaultCode;
  readonly detail: string;
}

function write(value: unknown, path: string, faults: Fault[]): string | undefined {
  switch (typeof value) {
    case "undefined":
      return undefined;
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "bigint":
      return `{"$milli":"${value}"}`;
    case "number":
      if (Number.isFinite(value)) return JSON.stringify(value);
      faults.push({
        code: "json-number",
        detail: `${path} is ${value}; store a number or leave the member out`,
      });
      return "null";
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) {
        return `[${value.map((item, index) => write(item, `${path}[${index}]`, faults) ?? "null").join(",")}]`;
      }
      if (isPlain(value)) return writeObject(value, path, faults);
  }
  faults.push({
    code: "json-type",
    detail: `${path} is a ${nameOf(value)}, which has no JSON; store plain data`,
  });
  return "null";
}

function nameOf(value: unknown): string {
  return typeof value === "object" ? (value?.constructor.name ?? "object") : typeof value;
}

function writeObject(object: object, path: string, faults: Fault[]): string {
  const members: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const text = write((object as Readonly<Record<string, unknown>>)[key], `${path}.${key}`, faults);
    if (text !== undefined) members.push(`${JSON.stringify(MARK.test(key) ? `$${key}` : key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Runs from the leaves up, so an object that is met here has its members revived already. */
function revive(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  if (!keys.some((key) => MARK.test(key))) return value;
  const object = value as Readonly<Record<string, unknown>>;
  const { $milli: digits } = object;
  if (keys.length === 1 && typeof digits === "string" && INTEGER.test(digits)) return BigInt(digits);
  return Object.fromEntries(keys.map((key) => [/^\$\$+milli$/.test(key) ? key.slice(1) : key, object[key]]));
}
