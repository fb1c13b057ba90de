/** One entry of a pattern's list: an exact value, or an object with one comparison operator. */
import { BlockList, isIP } from "node:net";

/** `undefined` stands for a field that is not there. */
export type LeafMatcher = (value: unknown) => boolean;

/** Throws what is wrong with the rule, to be read behind the field's path. */
export function leafMatcher(rule: unknown): LeafMatcher {
  if (typeof rule !== "object" || rule === null) return (value) => value === rule;
  const [[operator, operand] = ["", undefined], ...more] = Object.entries(rule);
  const build = OPERATORS[operator];
  if (build === undefined || more.length > 0) {
    throw new Error(
      `has ${JSON.stringify(rule)}, which is not one comparison of ${Object.keys(OPERATORS).join(", ")}`,
    );
  }
  return build(operand);
}

const OPERATORS: Readonly<Record<string, (operand: unknown) => LeafMatcher>> = {
  prefix: (operand) => onText("prefix", operand, (text, part) => text.startsWith(part)),
  suffix: (operand) => onText("suffix", operand, (text, part) => text.endsWith(part)),
  "equals-ignore-case": (operand) => {
    const wanted = text("equals-ignore-case", operand).toLowerCase();
    return (value) => typeof value === "string" && value.toLowerCase() === wanted;
  },
  wildcard: (operand) => {
    const expression = wildcard(text("wildcard", operand));
    return (value) => typeof value === "string" && expression.test(value);
  },
  exists: (operand) => {
    if (typeof operand !== "boolean") throw new Error("has exists, which takes true or false");
    return (value) => (value !== undefined) === operand;
  },
  numeric,
  cidr,
  "anything-but": anythingBut,
};

const BUT_OPERATORS = ["prefix", "suffix", "equals-ignore-case", "wildcard"];

function anythingBut(operand: unknown): LeafMatcher {
  if (isObject(operand)) {
    const [[operator, inner] = ["", undefined], ...more] = Object.entries(operand);
    const build = BUT_OPERATORS.includes(operator) ? OPERATORS[operator] : undefined;
    if (build === undefined || more.length > 0) {
      throw new Error(`has anything-but, which takes one of ${BUT_OPERATORS.join(", ")}`);
    }
    const excluded = list("anything-but", inner).map(build);
    return (value) => value !== undefined && !excluded.some((matches) => matches(value));
  }
  const values = list("anything-but", operand);
  if (!values.every((value) => typeof value === "string" || typeof value === "number")) {
    throw new Error("has anything-but, which takes texts or numbers");
  }
  const excluded = new Set<unknown>(values);
  return (value) => value !== undefined && !excluded.has(value);
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** `["=", 5]`, `[">", 0]`, or two bounds: `[">", 0, "<=", 5]`. */
function numeric(operand: unknown): LeafMatcher {
  const parts = Array.isArray(operand) ? operand : [];
  const pairs = [parts.slice(0, 2), parts.slice(2)].filter((pair) => pair.length > 0);
  const isPair = ([operator, bound]: unknown[]) =>
    COMPARE[String(operator)] !== undefined && typeof bound === "number";
  const isRange =
    pairs.length === 2 && String(pairs[0]?.[0]).startsWith(">") && String(pairs[1]?.[0]).startsWith("<");
  if (!pairs.every(isPair) || !(pairs.length === 1 || isRange)) {
    throw new Error(
      'has numeric, which takes an operator and a number, or two bounds as in [">", 0, "<=", 5]',
    );
  }
  return (value) =>
    typeof value === "number" &&
    pairs.every(([operator, bound]) => COMPARE[String(operator)]?.(value, bound as number));
}

function cidr(operand: unknown): LeafMatcher {
  const [address = "", bits = ""] = text("cidr", operand).split("/");
  const family = isIP(address);
  if (family === 0 || !/^\d+$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    throw new Error("has cidr, which takes an address and a length as in 10.0.0.0/24");
  }
  const network = new BlockList();
  network.addSubnet(address, Number(bits), family === 4 ? "ipv4" : "ipv6");
  return (value) =>
    typeof value === "string" &&
    isIP(value) === family &&
    network.check(value, family === 4 ? "ipv4" : "ipv6");
}

/** `prefix` and `suffix` take a text, or `{"equals-ignore-case": text}`. */
function onText(name: string, operand: unknown, test: (text: string, part: string) => boolean): LeafMatcher {
  if (isObject(operand) && Object.keys(operand).join() === "equals-ignore-case") {
    const part = text(name, operand["equals-ignore-case"]).toLowerCase();
    return (value) => typeof value === "string" && test(value.toLowerCase(), part);
  }
  const part = text(name, operand);
  return (value) => typeof value === "string" && test(value, part);
}

/** `*` stands for any characters, also none; `\*` and `\\` for themselves. */
function wildcard(pattern: string): RegExp {
  if (/(?<!\\)(?:\\\\)*\*\*/.test(pattern)) throw new Error("has wildcard with ** in it");
  if (/(?<!\\)(?:\\\\)*\\(?![\\*])/.test(pattern))
    throw new Error("has wildcard with \\ before neither * nor \\");
  const source = pattern.replace(/\\[\\*]|[\s\S]/g, (token) => {
    if (token === "*") return "[\\s\\S]*";
    return (token.length === 2 ? token.slice(1) : token).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`);
}

function list(name: string, operand: unknown): readonly unknown[] {
  const values = Array.isArray(operand) ? operand : [operand];
  if (values.length === 0) throw new Error(`has ${name} of nothing`);
  return values;
}

function text(name: string, operand: unknown): string {
  if (typeof operand === "string") return operand;
  throw new Error(`has ${name}, which takes a text`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
