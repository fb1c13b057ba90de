import type { Violation } from "./facts.ts";
import { START_MS } from "./plan.ts";

const MOST_CHARACTERS = 600;

export function printViolations(violations: readonly Violation[]): void {
  for (const { invariant, clause, atMs, text } of violations) {
    const at = ((atMs - START_MS) / 1000).toFixed(3);
    console.log(`  ${at} s  ${invariant} ${clause}: ${text.slice(0, MOST_CHARACTERS)}`);
  }
}
