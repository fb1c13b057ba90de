import { isLabelKey, isLabelValue } from "#domain/units/label-syntax";
import type { Parsed } from "#domain/units/parsed";
import {
  type Operator,
  parseInt64,
  type Requirement,
  type Selector,
  sortedValues,
} from "#domain/units/selector";

/**
 * - `selector-syntax` the text is not `requirement,requirement,…`
 * - `selector-key`    a key that no label can have
 * - `selector-value`  a value that no label can have, or no integer behind `>` or `<`
 */
export type SelectorFaultCode = "selector-syntax" | "selector-key" | "selector-value";

/**
 * The selector that `text` means, in the form of `status.selector` and of `labelSelector=`: `a`, `!a`, `a=b`, `a==b`,
 * `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a>1`, `a<1`, joined by commas. Empty text selects everything. `in` and
 * `notin` are words only where an operator stands, so they may be keys and values too.
 */
export function parseSelector(text: string): Parsed<Selector> {
  const reader = new Tokens(text);
  const requirements: Requirement[] = [];
  if (reader.peek() === END) return { ok: true, value: { requirements } };
  for (;;) {
    const outcome = readRequirement(reader);
    if ("code" in outcome) return refuse(outcome, text);
    requirements.push(outcome);
    const next = reader.take();
    if (next === END) return { ok: true, value: { requirements } };
    if (next !== ",") return refuse(unexpected(next, "a comma or the end"), text);
  }
}

const END = "";
const SYMBOLS = /^(==|!=|[=!(),<>])/;
const TOKENS = /==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g;

/** The text cut into symbols and words, one after the other; at the end there is only the empty token. */
class Tokens {
  private readonly tokens: readonly string[];
  private taken = 0;

  constructor(text: string) {
    this.tokens = text.match(TOKENS) ?? [];
  }

  peek(): string {
    return this.tokens[this.taken] ?? END;
  }

  take(): string {
    const token = this.peek();
    this.taken += 1;
    return token;
  }
}

interface Refusal {
  readonly code: SelectorFaultCode;
  readonly why: string;
}

function readRequirement(tokens: Tokens): Requirement | Refusal {
  const negated = tokens.peek() === "!";
  if (negated) tokens.take();
  const key = tokens.take();
  if (!isWord(key)) return unexpected(key, "a label key");
  if (!isLabelKey(key)) return { code: "selector-key", why: `${JSON.stringify(key)} is no label key` };
  if (negated) return { key, operator: "!", values: [] };
  if (tokens.peek() === END || tokens.peek() === ",") return { key, operator: "exists", values: [] };

  const operator = readOperator(tokens.take());
  if (typeof operator !== "string") return operator;
  const values = operator === "in" || operator === "notin" ? readList(tokens) : readValue(tokens);
  return "code" in values ? values : checkValues(key, operator, values);
}

function readOperator(token: string): Operator | Refusal {
  switch (token) {
    case "=":
    case "==":
    case "!=":
    case "in":
    case "notin":
    case ">":
    case "<":
      return token;
    default:
      return unexpected(token, "in, notin, =, ==, !=, > or <");
  }
}

/** A missing value is the empty one: `a=` asks for the label `a` with no text. */
function readValue(tokens: Tokens): readonly string[] | Refusal {
  if (tokens.peek() === END || tokens.peek() === ",") return [""];
  const value = tokens.take();
  return isWord(value) ? [value] : unexpected(value, "a value");
}

/** Between the parentheses an empty place is the empty value: `(b,)` holds `b` and "", `()` and `(,)` only "". */
function readList(tokens: Tokens): readonly string[] | Refusal {
  const open = tokens.take();
  if (open !== "(") return unexpected(open, "(");
  const values: string[] = [];
  for (;;) {
    values.push(isWord(tokens.peek()) ? tokens.take() : "");
    const next = tokens.take();
    if (next === ")") return values;
    if (next !== ",") return unexpected(next, "a comma or )");
  }
}

function checkValues(key: string, operator: Operator, values: readonly string[]): Requirement | Refusal {
  const ordered = operator === ">" || operator === "<";
  for (const value of values) {
    if (!isLabelValue(value))
      return { code: "selector-value", why: `${JSON.stringify(value)} is no label value` };
    if (ordered && parseInt64(value) === undefined) {
      return { code: "selector-value", why: `${operator} needs an integer, not ${JSON.stringify(value)}` };
    }
  }
  return { key, operator, values: sortedValues(values) };
}

function isWord(token: string): boolean {
  return token !== END && !SYMBOLS.test(token);
}

function unexpected(found: string, expected: string): Refusal {
  const what = found === END ? "the end" : JSON.stringify(found);
  return { code: "selector-syntax", why: `found ${what} where ${expected} should be` };
}

function refuse({ code, why }: Refusal, text: string): Parsed<Selector> {
  const shown = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return { ok: false, fault: { code, detail: `label selector ${JSON.stringify(shown)}: ${why}` } };
}
