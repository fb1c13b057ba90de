import { canonicalText, type Judge, PASS } from "#test/golden/judge";
import { RECONCILE_SWITCHES } from "#test/golden/ledger/reconcile";
import type { LedgerId } from "#test/golden/ledger-id";
import { karmadasAnswers, type ReconcileOutput } from "#test/golden/reconcile/karmadas-answers";
import { ourAnswers } from "#test/golden/reconcile/our-answers";
import { referenceAnswers } from "#test/golden/reconcile/reference";
import type { StepAnswer } from "#test/golden/reconcile/step-answer";
import type { ReconcileInput } from "#test/golden/reconcile/world";

/**
 * A trajectory is ours to follow up to its first step that differs by the ledger and moves something: there our answer
 * must be the reference's with every switch on, and the rest is skipped, because it grows from another world. What
 * differs only in how it is told (D-15 currentMetrics, D-31 the reason of a rescale) is held to the same equation and
 * goes on.
 */
export const judge: Judge<ReconcileInput, ReconcileOutput> = ({ in: input, out }) => {
  const karmadas = karmadasAnswers(out);
  const ours = ourAnswers(input);
  if (same(ours, karmadas)) return PASS;
  const every = switchedOn(input, RECONCILE_SWITCHES.length);
  const expected = referenceAnswers(input, every);
  const toldAsKarmada = referenceAnswers(input, new Set([...every].filter((id) => !TELLING.has(id))));
  const named = new Set<LedgerId>();
  for (const [index, answer] of ours.entries()) {
    const his = karmadas[index];
    if (his === undefined || same(answer, his)) continue;
    if (!same(answer, expected[index])) {
      const [want, got] = [expected[index], answer].map(canonicalText);
      return { fail: `step ${index}: expected ${want}, got ${got}` };
    }
    const moves = !same(story(answer), story(his));
    if (moves || !same(toldAsKarmada[index], his)) {
      for (const id of responsible(input, index)) named.add(id);
    } else {
      if (!same(answer.currentMetrics, his.currentMetrics)) named.add("D-15");
      if (!same(answer.events, his.events)) named.add("D-31");
    }
    if (moves) return { ledger: [...named], skippedSteps: ours.length - 1 - index };
  }
  return { ledger: [...named] };
};

/** Entries that change only how a decision is told. */
const TELLING: ReadonlySet<LedgerId> = new Set(["D-15", "D-31"]);

/** The entries whose switch, put to those before it, changes the reference's answer at step `index`. */
function responsible(input: ReconcileInput, index: number): readonly LedgerId[] {
  const upTo = { ...input, steps: input.steps.slice(0, index + 1) };
  let before = referenceAnswers(upTo, new Set()).at(-1);
  return RECONCILE_SWITCHES.flatMap(({ id, holds }, at) => {
    if (!holds(input)) return [];
    const after = referenceAnswers(upTo, switchedOn(input, at + 1)).at(-1);
    const changes = !same(before, after);
    before = after;
    return changes ? [id] : [];
  });
}

/** Of the first `count` switches those that can matter to `input`. */
function switchedOn(input: ReconcileInput, count: number): ReadonlySet<LedgerId> {
  const on = RECONCILE_SWITCHES.slice(0, count).filter(({ holds }) => holds(input));
  return new Set(on.map(({ id }) => id));
}

/** An answer without what is told differently. */
function story({ currentMetrics: _, events, ...answer }: StepAnswer): unknown {
  return { ...answer, events: events.map((event) => event.replace(/reason: [^;]*/, "")) };
}

function same(left: unknown, right: unknown): boolean {
  return canonicalText(left) === canonicalText(right);
}
