/**
 * A label selector, parsed: all requirements must hold, so one without requirements selects everything.
 * Follows k8s.io/apimachinery v0.36.4 `labels` (vectors selector.jsonl). `selector-parse.ts` reads the text form,
 * `selector-object.ts` the LabelSelector of a spec.
 */
export interface Selector {
  readonly requirements: readonly Requirement[];
}

export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  /** Sorted and unique. One for `=`, `==`, `!=`, `>` and `<` (a decimal integer there), none for `exists` and `!`. */
  readonly values: readonly string[];
}

/** `=` and `==` mean the same; each is written as it was read. */
export type Operator = "=" | "==" | "in" | "!=" | "notin" | "exists" | "!" | ">" | "<";

export type Labels = Readonly<Record<string, string>>;

export const EVERYTHING: Selector = { requirements: [] };

/**
 * Whether `labels` meet every requirement. An absent label meets `!=` and `notin`. `>` and `<` compare int64, and a
 * label that is no integer meets neither.
 */
export function matches(selector: Selector, labels: Labels): boolean {
  for (const requirement of selector.requirements) {
    if (!meets(requirement, labels)) return false;
  }
  return true;
}

function meets({ key, operator, values }: Requirement, labels: Labels): boolean {
  // Whatever a plain object inherits is no text, and this check is much cheaper than hasOwn for thousands of pods.
  const found: unknown = labels[key];
  const value = typeof found === "string" ? found : undefined;
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case ">":
    case "<":
      return value !== undefined && compares(value, operator, values[0]);
    default:
      return value !== undefined && values.includes(value);
  }
}

function compares(value: string, operator: ">" | "<", bound: string | undefined): boolean {
  const left = parseInt64(value);
  const right = bound === undefined ? undefined : parseInt64(bound);
  if (left === undefined || right === undefined) return false;
  return operator === ">" ? left > right : left < right;
}

const INT64_MAX = 2n ** 63n - 1n;

/** The integer that `text` means in base 10, or undefined; signs are allowed, spaces are not. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined;
  const integer = text.startsWith("+") ? BigInt(text.slice(1)) : BigInt(text);
  return integer > INT64_MAX || integer < -INT64_MAX - 1n ? undefined : integer;
}

/** The canonical text: requirements by key (equal keys as they came), values sorted. Everything is the empty text. */
export function selectorText(selector: Selector): string {
  return [...selector.requirements]
    .sort((left, right) => compareText(left.key, right.key))
    .map(requirementText)
    .join(",");
}

function requirementText({ key, operator, values }: Requirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}

/** Values in the order and form that `Requirement.values` promises. */
export function sortedValues(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort(compareText);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
