import { isJsonObject, type JsonObject } from "#sim/api/object";

/** JSON merge patch, RFC 7386: objects merge, null removes, everything else replaces. The target is left unchanged. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch as JsonObject)) {
    if (value === null) delete result[field];
    else result[field] = mergePatch(result[field], value);
  }
  return result;
}
