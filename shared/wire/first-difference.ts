import { encodeJson, sameJson } from "./json.ts";

/** Where two values part: the path of a member, and what stands there on either side, as JSON or `absent`. */
export interface Difference {
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

/** The first member, in the order of keys, at which two values of JSON differ; undefined where none does. */
export function firstDifference(left: unknown, right: unknown, path = "$"): Difference | undefined {
  if (sameJson(left, right)) return undefined;
  if (isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right)) {
    for (const key of keysOf(left, right)) {
      const step = Array.isArray(left) ? `[${key}]` : `.${key}`;
      const found = firstDifference(left[key], right[key], `${path}${step}`);
      if (found !== undefined) return found;
    }
  }
  return { path, left: shown(left), right: shown(right) };
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

function keysOf(left: Tree, right: Tree): string[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Array.isArray(left) ? keys.sort((a, b) => Number(a) - Number(b)) : keys.sort();
}

function shown(value: unknown): string {
  const text = encodeJson(value);
  return text.ok ? text.value : "absent";
}
