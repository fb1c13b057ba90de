import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account } from "#domain/scale/account";
import { decideScale } from "#domain/scale/decide";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { summary } from "#domain/scale/summary";
import { uncountedPods } from "#domain/scale/uncounted-pods";
import { history, policy, snapshot } from "#test/property/arbitrary-fleet";

const world = [snapshot, history, policy.map((part) => ({ ...DEFAULT_POLICY, ...part }))] as const;

describe("laws of every account", () => {
  it("every line is a sentence with figures: no undefined, no NaN, nothing empty", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        for (const { title, lines } of account(decideScale(its, former, rules), {
          snapshot: its,
          policy: rules,
        })) {
          const told = lines.map((line) => line.replaceAll(/value (NaN|Infinity) is no amount/g, ""));
          for (const line of told) expect(line, title).not.toMatch(/undefined|NaN|Infinity|\[object|^\s*$/);
        }
      }),
    );
  });

  it("every figure of the summary stands in it", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const decision = decideScale(its, former, rules);
        const figures = new Set(account(decision).flatMap(({ lines }) => lines.flatMap(numbersIn)));
        for (const figure of numbersIn(summary(decision))) expect(figures).toContain(figure);
      }),
    );
  });

  it("it names as many pods as the trace counts", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        for (const [index, { pods }] of decideScale(its, former, rules).trace.metrics.entries()) {
          if (pods === undefined) continue;
          const names = uncountedPods(its, index, rules);
          expect([names?.unready.length, names?.missing.length, names?.ignored.length]).toEqual([
            pods.unready,
            pods.missing,
            pods.ignored,
          ]);
        }
      }),
    );
  });

  it("an equation ends in the proposal, or says what held it", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const decision = decideScale(its, former, rules);
        const equations = account(decision)
          .flatMap(({ lines }) => lines)
          .filter((line) => line.startsWith("  ceil("));
        const proposals = decision.trace.metrics
          .filter(({ pods, withinTolerance }) => pods !== undefined && withinTolerance === false)
          .map(({ proposal }) => proposal);
        expect(
          equations.map((line) => Number(/(\d+)(: a metric .*|: the pods .*)?$/.exec(line)?.[1])),
        ).toEqual(proposals);
      }),
    );
  });
});

function numbersIn(text: string): string[] {
  return text.match(/\d+(\.\d+)?/g) ?? [];
}
