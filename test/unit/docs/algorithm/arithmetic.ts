const COMPARISONS = /\s(=|≤|≥|<|>)\s/;

/**
 * What is wrong with a cell of arithmetic such as `55 ÷ 50 = 1.1; ceil(1.1 × 3) = 4`; undefined if every comparison
 * holds. Numbers are compared exactly; one that ends in `…` was cut off there.
 */
export function wrongArithmetic(cell: string): string | undefined {
  return cell
    .split(";")
    .map((comparison) => comparison.trim())
    .find((comparison) => comparison !== "" && !holds(comparison));
}

function holds(comparison: string): boolean {
  const [left, operator, right, ...rest] = comparison.split(COMPARISONS);
  if (left === undefined || operator === undefined || right === undefined || rest.length > 0) return false;
  if (right.endsWith("…")) return operator === "=" && String(numberOf(left)).startsWith(right.slice(0, -1));
  const [a, b] = [numberOf(left), numberOf(right)];
  switch (operator) {
    case "=":
      return a === b;
    case "≤":
      return a <= b;
    case "≥":
      return a >= b;
    case "<":
      return a < b;
    default:
      return a > b;
  }
}

const WORDS = { ceil: Math.ceil, trunc: Math.trunc, min: Math.min, max: Math.max };

/** An expression of numbers, the four operations, powers, and the words above, computed in doubles as the code does. */
function numberOf(expression: string): number {
  const code = expression
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-")
    .replaceAll("^", "**");
  if (!/^(?:[\d\s.,()*/+-]|ceil|trunc|min|max)+$/.test(code))
    throw new Error(`not arithmetic: ${expression}`);
  return Number(new Function(...Object.keys(WORDS), `return (${code});`)(...Object.values(WORDS)));
}
