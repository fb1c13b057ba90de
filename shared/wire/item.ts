import { utf8Length } from "#domain/units/utf8";
import type { Item } from "#ports/table";

/**
 * What a table item may hold, the same for every table: JSON values, less what DynamoDB cannot give back as it was.
 * Ref: Amazon DynamoDB Developer Guide, "Constraints" and "Item sizes and formats".
 */

/** 400 KB, names and values together. */
export const MAX_ITEM_BYTES = 400 * 1024;
const MAX_KEY_BYTES = { pk: 2048, sk: 1024 } as const;
/** Deeper documents are refused by DynamoDB. */
const MAX_DEPTH = 32;

export type CheckedItem =
  | { readonly ok: true; readonly item: Item; readonly bytes: number }
  /** One sentence: which attribute, what is wrong. */
  | { readonly ok: false; readonly fault: string };

/**
 * A copy of the item without its undefined fields (B100), and its size in bytes; or the first thing that no table
 * takes: NaN, Infinity, a whole number beyond 2^53 − 1 (it would come back rounded), an empty or too long key, a value
 * that is not JSON, more than 400 KB.
 */
export function checkItem(item: Item): CheckedItem {
  for (const name of ["pk", "sk"] as const) {
    const key: unknown = item[name];
    if (typeof key !== "string" || key === "")
      return { ok: false, fault: `${name} must be a text, not empty` };
    if (utf8Length(key) > MAX_KEY_BYTES[name]) {
      return { ok: false, fault: `${name} is longer than ${MAX_KEY_BYTES[name]} bytes` };
    }
  }
  const faults: string[] = [];
  const copy = copyMap(item as Record<string, unknown>, "", 1, faults);
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, fault };
  if (copy.bytes > MAX_ITEM_BYTES) {
    return { ok: false, fault: `${copy.bytes} bytes; an item holds at most ${MAX_ITEM_BYTES}` };
  }
  return { ok: true, item: copy.value as unknown as Item, bytes: copy.bytes };
}

/** Whether the item's TTL has passed (B96): `ttl` is in epoch seconds, and the item lives through that second's start. */
export function isExpired(item: { readonly ttl?: unknown }, nowMs: number): boolean {
  return typeof item.ttl === "number" && item.ttl * 1000 < nowMs;
}

interface Copy<T> {
  readonly value: T;
  readonly bytes: number;
}

function copyMap(
  map: Record<string, unknown>,
  path: string,
  depth: number,
  faults: string[],
): Copy<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  let bytes = 0;
  for (const [name, inner] of Object.entries(map)) {
    if (inner === undefined) continue;
    const copy = copyValue(inner, path === "" ? name : `${path}.${name}`, depth, faults);
    value[name] = copy.value;
    bytes += utf8Length(name) + copy.bytes;
  }
  return { value, bytes };
}

function copyValue(value: unknown, path: string, depth: number, faults: string[]): Copy<unknown> {
  if (depth > MAX_DEPTH) faults.push(`${path} is nested deeper than ${MAX_DEPTH}`);
  else if (typeof value === "string") return { value, bytes: utf8Length(value) };
  else if (value === null || typeof value === "boolean") return { value, bytes: 1 };
  else if (typeof value === "number") {
    if (!Number.isFinite(value)) faults.push(`${path} is ${value}`);
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      faults.push(`${path} is ${value}, beyond 2^53 - 1; keep it as text`);
    }
    return { value, bytes: numberBytes(value) };
  } else if (Array.isArray(value)) {
    const copies = value
      .filter((element) => element !== undefined)
      .map((element, index) => copyValue(element, `${path}[${index}]`, depth + 1, faults));
    return {
      value: copies.map((copy) => copy.value),
      bytes: copies.reduce((sum, copy) => sum + copy.bytes + 1, 3),
    };
  } else if (isPlainObject(value)) {
    const copy = copyMap(value, path, depth + 1, faults);
    return { value: copy.value, bytes: 3 + copy.bytes + Object.keys(copy.value).length };
  } else faults.push(`${path} is a ${typeof value}, not JSON`);
  return { value: null, bytes: 0 };
}

/** About: one byte for two digits, and one more. */
function numberBytes(value: number): number {
  return Math.ceil(String(Math.abs(value)).replace(/[^0-9]/g, "").length / 2) + 1;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
