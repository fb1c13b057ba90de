import { selectorText } from "#domain/units/selector";
import { readLabelSelector } from "#domain/units/selector-object";
import { isJsonObject, type JsonObject } from "./object.ts";

/** The value at a path of field names; undefined where any of them is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value;
  for (const field of path) {
    if (!isJsonObject(at)) return undefined;
    at = at[field];
  }
  return at;
}

/** A copy of the object with the value at the path, sharing all else; missing objects on the way are made. */
export function withValueAt<T extends JsonObject>(object: T, path: readonly string[], value: unknown): T {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  const child = object[field];
  const next = rest.length === 0 ? value : withValueAt(isJsonObject(child) ? child : {}, rest, value);
  if (next === undefined) {
    const { [field]: _dropped, ...others } = object;
    return others as T;
  }
  return { ...object, [field]: next };
}

/** A selector at a path in its text form: a LabelSelector object is written out; empty where there is none. */
export function selectorTextAt(object: JsonObject, path: readonly string[]): string {
  const selector = valueAt(object, path);
  return isJsonObject(selector) ? selectorText(readLabelSelector(selector).selector) : String(selector ?? "");
}
