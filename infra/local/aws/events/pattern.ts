/**
 * EventBridge event patterns. Ref: EventBridge User Guide, "Creating event patterns" and "Comparison operators".
 *
 * A pattern is an object of fields; a field holds an object of fields, or the list of what its value may be. All fields
 * must match, one of a list suffices. An array in the event matches when one of its elements matches the whole
 * sub-pattern, so that two fields are found in the same element.
 */
import { type LeafMatcher, leafMatcher } from "./leaf-matcher.ts";

export type EventPattern = { readonly [field: string]: unknown };

type Matcher = (value: unknown) => boolean;

/** What matches the pattern; throws one sentence where it is not one. */
export function compilePattern(pattern: EventPattern): (event: object) => boolean {
  return compileObject(pattern, "");
}

function compileObject(pattern: unknown, path: string): Matcher {
  if (!isObject(pattern)) throw new PatternFault(path, "must be an object or a list of values");
  const fields = Object.entries(pattern);
  if (fields.length === 0) throw new PatternFault(path, "must not be empty");
  const matchers = fields.map(([name, inner]): Matcher => {
    const where = path === "" ? name : `${path}.${name}`;
    if (name === "$or" && isAlternatives(inner)) {
      const alternatives = inner.map((alternative, index) =>
        compileObject(alternative, `${where}[${index}]`),
      );
      return (value) => alternatives.some((matches) => matches(value));
    }
    const matches = Array.isArray(inner) ? compileList(inner, where) : compileObject(inner, where);
    return (value) => matches(isObject(value) ? value[name] : undefined);
  });
  const all: Matcher = (value) => matchers.every((matches) => matches(value));
  return (value) =>
    Array.isArray(value) && value.length > 0 ? value.some((element) => all(element)) : all(value);
}

function compileList(list: readonly unknown[], path: string): Matcher {
  if (list.length === 0) throw new PatternFault(path, "must name a value");
  const matchers = list.map((rule): LeafMatcher => {
    try {
      return leafMatcher(rule);
    } catch (error) {
      throw new PatternFault(path, (error as Error).message);
    }
  });
  return (value) => {
    const leaves = leavesOf(value);
    return matchers.some((matches) =>
      leaves.length === 0 ? matches(undefined) : leaves.some((leaf) => matches(leaf)),
    );
  };
}

/** The values that a list is compared with; an object is not one: lists only match leaves. */
function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return value === undefined || isObject(value) ? [] : [value];
}

/** `$or` with anything else in it is a field of that name. */
function isAlternatives(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 1 && value.every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class PatternFault extends Error {
  constructor(path: string, detail: string) {
    super(`Event pattern is not valid. Reason: ${path === "" ? "it" : path} ${detail}`);
    this.name = "PatternFault";
  }
}
