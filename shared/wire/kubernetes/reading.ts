import type { Read, ReadFaultCode } from "#domain/fleet/snapshot";
import { parseInstant } from "#domain/units/instant";

/**
 * Members of Kubernetes JSON whose shape nobody has promised. A missing or null member reads as undefined, an empty
 * object or an empty list; one of another type reads the same and leaves its sentence in `faults`.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

export function readObject(value: unknown, path: string, faults: string[]): JsonObject {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
  faults.push(wrong(path, value, "an object"));
  return NOTHING;
}

export function readArray(value: unknown, path: string, faults: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  faults.push(wrong(path, value, "a list"));
  return [];
}

export function readString(value: unknown, path: string, faults: string[]): string | undefined {
  if (typeof value === "string") return value;
  if (value !== undefined && value !== null) faults.push(wrong(path, value, "a text"));
  return undefined;
}

/** The text, which has to be there and not empty. */
export function requireString(value: unknown, path: string, faults: string[]): string {
  if (value === undefined || value === null || value === "") {
    faults.push(wrong(path, value, "a text"));
    return "";
  }
  return readString(value, path, faults) ?? "";
}

export function readInteger(value: unknown, path: string, faults: string[]): number | undefined {
  if (Number.isSafeInteger(value)) return value as number;
  if (value !== undefined && value !== null) faults.push(wrong(path, value, "an integer"));
  return undefined;
}

/** A replica count: an integer in [0, 2^31 − 1]. */
export function readCount(value: unknown, path: string, faults: string[]): number | undefined {
  const count = readInteger(value, path, faults);
  if (count === undefined || (count >= 0 && count < 2 ** 31)) return count;
  faults.push(wrong(path, value, "a count from 0 to 2147483647"));
  return undefined;
}

/** Epoch milliseconds of an RFC 3339 text. */
export function readInstant(value: unknown, path: string, faults: string[]): number | undefined {
  const text = readString(value, path, faults);
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) faults.push(wrong(path, text, "an RFC 3339 instant"));
  return instant;
}

/** The condition of this type in `status.conditions`, and its status; one without a status is Unknown. */
export function readCondition(
  status: JsonObject,
  type: string,
  faults: string[],
): { readonly status: string; readonly condition: JsonObject } | undefined {
  for (const entry of readArray(status.conditions, "status.conditions", faults)) {
    const condition = readObject(entry, "status.conditions[]", faults);
    if (condition.type !== type) continue;
    const state = readString(condition.status, `status.conditions[${type}].status`, faults) ?? "Unknown";
    return { status: state, condition };
  }
  return undefined;
}

export function wrong(path: string, found: unknown, expected: string): string {
  const shown = found === undefined ? "nothing" : (JSON.stringify(found)?.slice(0, 60) ?? typeof found);
  return `${path}: found ${shown} where ${expected} should be`;
}

/** The value when nothing was wrong; else one sentence that names the object and its first fault. */
export function outcome<T>(value: T, faults: readonly string[], code: ReadFaultCode, what: string): Read<T> {
  const [first] = faults;
  if (first === undefined) return { ok: true, value };
  const more = faults.length === 1 ? "" : `, and ${faults.length - 1} more`;
  return { ok: false, fault: { code, message: `${what} cannot be read: ${first}${more}` } };
}
