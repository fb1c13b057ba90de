import jsep from "jsep";

/** A condition on a run's figures, such as `flaps > 3 or timeAboveTargetSeconds > 600`. */
export type Condition = (figures: Figures) => boolean;
/** By name. */
export type Figures = Readonly<Record<string, number>>;

export type ParsedCondition =
  | { readonly ok: true; readonly value: Condition }
  /** One sentence. */
  | { readonly ok: false; readonly fault: string };

/**
 * The grammar: numbers, figures by name, `+ - * /`, `< <= > >= == !=`, `and or not` (or `&& || !`), parentheses.
 * Faults: what cannot be parsed, a name that is no figure, anything but numbers compared, and a text whose value is a
 * number and no condition.
 */
export function parseCondition(text: string, names: readonly string[]): ParsedCondition {
  try {
    return { ok: true, value: conditionOf(jsep(text), names) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, fault: `the condition ${JSON.stringify(text)} cannot be used: ${detail}` };
  }
}

jsep.addBinaryOp("or", 1);
jsep.addBinaryOp("and", 2);
jsep.addUnaryOp("not");

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};
const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};
const EXAMPLE = "write for example flaps > 3 or timeAboveTargetSeconds > 600";

function conditionOf(node: jsep.Expression, names: readonly string[]): Condition {
  if (isUnary(node) && ["!", "not"].includes(node.operator)) {
    const inner = conditionOf(node.argument, names);
    return (figures) => !inner(figures);
  }
  if (isBinary(node)) {
    const { operator, left, right } = node;
    if (["and", "&&", "or", "||"].includes(operator)) {
      const [a, b] = [conditionOf(left, names), conditionOf(right, names)];
      const isAnd = operator === "and" || operator === "&&";
      return (figures) => (isAnd ? a(figures) && b(figures) : a(figures) || b(figures));
    }
    const compare = COMPARISONS[operator];
    if (compare !== undefined) {
      const [a, b] = [numberOf(left, names), numberOf(right, names)];
      return (figures) => compare(a(figures), b(figures));
    }
  }
  throw new Error(`it compares nothing; ${EXAMPLE}`);
}

function numberOf(node: jsep.Expression, names: readonly string[]): (figures: Figures) => number {
  if (isLiteral(node) && typeof node.value === "number") {
    const { value } = node;
    return () => value;
  }
  const name = nameOf(node);
  if (name !== undefined) {
    if (!names.includes(name)) throw new Error(`${name} is no figure; there are ${names.join(", ")}`);
    return (figures) => figures[name] ?? Number.NaN;
  }
  if (isUnary(node) && node.operator === "-") {
    const inner = numberOf(node.argument, names);
    return (figures) => -inner(figures);
  }
  const combine = isBinary(node) ? ARITHMETIC[node.operator] : undefined;
  if (!isBinary(node) || combine === undefined) throw new Error(`only numbers are compared; ${EXAMPLE}`);
  const [a, b] = [numberOf(node.left, names), numberOf(node.right, names)];
  return (figures) => combine(a(figures), b(figures));
}

/** `flaps`, `second.flaps` */
function nameOf(node: jsep.Expression): string | undefined {
  if (node.type === "Identifier") return String(node.name);
  if (node.type !== "MemberExpression" || node.computed === true) return undefined;
  const { object, property } = node as jsep.MemberExpression;
  if (object.type !== "Identifier" || property.type !== "Identifier") return undefined;
  return `${object.name}.${property.name}`;
}

function isBinary(node: jsep.Expression): node is jsep.BinaryExpression {
  return node.type === "BinaryExpression" || node.type === "LogicalExpression";
}

function isUnary(node: jsep.Expression): node is jsep.UnaryExpression {
  return node.type === "UnaryExpression";
}

function isLiteral(node: jsep.Expression): node is jsep.Literal {
  return node.type === "Literal";
}
