import type { CronHandleInput } from "#test/golden/cronhandle/input";
import { type CronHandleOutput, karmadasAnswers } from "#test/golden/cronhandle/karmadas-answers";
import { ourAnswers } from "#test/golden/cronhandle/our-answers";
import { referenceAnswers } from "#test/golden/cronhandle/reference";
import { canonicalText, type Judge, PASS } from "#test/golden/judge";
import type { LedgerId } from "#test/golden/ledger-id";

/** In the order in which they are put to Karmada. */
const SWITCHES: readonly LedgerId[] = ["D-25", "D-24"];

/**
 * The whole trajectory is held to the reference with every switch on, so that nothing of it is skipped; an entry is
 * named where its switch changes what the reference answers.
 */
export const judge: Judge<CronHandleInput, CronHandleOutput> = async ({ in: input, out }) => {
  const ours = canonicalText(await ourAnswers(input));
  if (ours === canonicalText(karmadasAnswers(out))) return PASS;
  const answers = SWITCHES.map((_, i) => reference(input, SWITCHES.slice(0, i + 1)));
  const expected = answers.at(-1);
  if (ours !== expected) return { fail: `expected ${expected}, got ${ours}` };
  const before = [canonicalText(karmadasAnswers(out)), ...answers];
  return { ledger: SWITCHES.filter((_, i) => before[i] !== before[i + 1]) };
};

function reference(input: CronHandleInput, on: readonly LedgerId[]): string {
  return canonicalText(referenceAnswers(input, new Set(on)));
}
