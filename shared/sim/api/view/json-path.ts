import { isJsonObject } from "#sim/api/object";

/**
 * The JSONPath of printer columns, in the subset that CustomResourceDefinitions use: `.a.b`, `['a']`, `[0]`, `[*]` and
 * one filter, `[?(@.type=="Ready")]`. A dot inside a name is written `\.`.
 */
export type JsonPath = (value: unknown) => readonly unknown[];

const STEP =
  /\.((?:[^.[\\]|\\.)+)|\['([^']*)'\]|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([^=!\s]+)\s*==\s*["']([^"']*)["']\)\]/y;

/** Undefined for a path outside the subset. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: JsonPath[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (found === null) return undefined;
    steps.push(stepOf(found));
  }
  return (value) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [value]);
}

function stepOf([, field, quoted, index, all, filterPath, wanted]: RegExpExecArray): JsonPath {
  const name = field?.replaceAll("\\", "") ?? quoted;
  if (name !== undefined) return (value) => present(isJsonObject(value) ? value[name] : undefined);
  if (index !== undefined) return (value) => present(itemsOf(value)[Number(index)]);
  if (all !== undefined) return itemsOf;
  const path = (filterPath ?? "").split(".");
  return (value) =>
    itemsOf(value).filter((item) => {
      const found = path.reduce<unknown>((at, step) => (isJsonObject(at) ? at[step] : undefined), item);
      return String(found) === wanted;
    });
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function present(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : [value];
}
