import { isObject } from "#domain/spec/shape";
import { sameJson } from "./json.ts";

/** The merge patch (RFC 7386) that makes `after` of `before`: lists as a whole, members that are gone as null. */
export function mergePatchBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [former, next] = [before[name], after[name]];
    if (next === undefined) patch[name] = null;
    else if (isObject(former) && isObject(next)) {
      const inner = mergePatchBetween(former, next);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (!sameJson(former, next)) patch[name] = next;
  }
  return patch;
}
