import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CronHandleInput } from "#test/golden/cronhandle/input";
import {
  type CronHandleOutput,
  karmadasAnswers as karmadasCronAnswers,
} from "#test/golden/cronhandle/karmadas-answers";
import { referenceAnswers as cronReference } from "#test/golden/cronhandle/reference";
import { canonicalText, type VectorCase } from "#test/golden/judge";
import { type CalculatorOut, karmadas } from "#test/golden/kinds/calculator";
import type { CalculatorInput } from "#test/golden/ledger/calculator";
import { replicasOf } from "#test/golden/ledger/calculator-reference";
import type { LedgerId } from "#test/golden/ledger-id";
import { karmadasAnswers, type ReconcileOutput } from "#test/golden/reconcile/karmadas-answers";
import { referenceAnswers } from "#test/golden/reconcile/reference";
import type { ReconcileInput } from "#test/golden/reconcile/world";
import { readCases, VECTORS } from "#test/golden/vector-files";

type CalculatorCase = VectorCase<CalculatorInput, CalculatorOut> & { readonly fixed?: CalculatorOut };

const calculator = readCases(join(VECTORS, "calculator.jsonl.gz")) as readonly CalculatorCase[];
const reconcile = readCases(join(VECTORS, "reconcile.jsonl.gz")) as readonly VectorCase<
  ReconcileInput,
  ReconcileOutput
>[];
const cronhandle = readCases(join(VECTORS, "cronhandle.jsonl.gz")) as readonly VectorCase<
  CronHandleInput,
  CronHandleOutput
>[];
const isTwin = ({ id }: VectorCase) => id.endsWith("-fixed");

/** The ledger's equations are only worth something if the reference they switch is Karmada. */
describe("the references that the ledger's entries switch", () => {
  it("calculator: without any switch it gives every answer of Karmada, overflows included", () => {
    const differing = calculator.filter(({ in: input, out }) => !same(reference(input), karmadas(out)));
    expect(ids(differing)).toEqual([]);
  });

  it("calculator: with identity (D-03) and one calibration (D-04) it gives every answer that the vectors call fixed", () => {
    const tagged = calculator.filter(({ fixed }) => fixed !== undefined);
    const differing = tagged.filter(
      ({ in: input, fixed }) => !same(reference(input, "D-03", "D-04"), karmadas(fixed ?? {})),
    );
    expect(tagged.length).toBeGreaterThan(0);
    expect(ids(differing)).toEqual([]);
  });

  it("reconcile: without any switch it gives every step of every trajectory", () => {
    const plain = reconcile.filter((vector) => !isTwin(vector));
    const differing = plain.filter(
      ({ in: input, out }) => !same(referenceAnswers(input, new Set()), karmadasAnswers(out)),
    );
    expect(ids(differing)).toEqual([]);
  });

  it("reconcile: with identity (D-03), namespaces (D-05) and an explicit 0 (D-07) it gives every fixed twin", () => {
    const on = new Set<LedgerId>(["D-03", "D-05", "D-07"]);
    const twins = reconcile.filter(isTwin);
    const differing = twins.filter(
      ({ in: input, out }) => !same(referenceAnswers(input, on), karmadasAnswers(out)),
    );
    expect(twins.length).toBeGreaterThan(0);
    expect(ids(differing)).toEqual([]);
  });

  it("cronhandle: without any switch it gives every step of every trajectory, panics and lost entries included", () => {
    const differing = cronhandle.filter(
      ({ in: input, out }) => !same(cronReference(input, new Set()), karmadasCronAnswers(out)),
    );
    expect(ids(differing)).toEqual([]);
  });
});

function reference(input: CalculatorInput, ...on: LedgerId[]) {
  return replicasOf(input, new Set(on)).answer;
}

function ids(vectors: readonly VectorCase[]): readonly string[] {
  return vectors.map(({ id }) => id);
}

function same(left: unknown, right: unknown): boolean {
  return canonicalText(left) === canonicalText(right);
}
