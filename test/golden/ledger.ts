import { canonicalText, PASS, type Verdict } from "./judge.ts";
import type { LedgerId } from "./ledger-id.ts";

/** One entry of `docs/parity.md` for one kind of vector: a rule, never a list of cases. */
export interface LedgerEntry<In, Out> {
  readonly id: LedgerId;
  /** Whether Karmada's answer to `input` is one that we do not follow. */
  readonly holds: (input: In) => boolean;
  /** Our answer, computed from `input`; what the entry does not touch is taken over from `out`, Karmada's answer. */
  readonly instead: (input: In, out: Out) => Out;
}

/**
 * The verdict on `ours`: it must be Karmada's answer after every entry that holds has put in its own value, so an
 * entry that holds is binding. Named are the entries that changed the answer.
 */
export function settle<In, Out>(
  entries: readonly LedgerEntry<In, Out>[],
  vector: { readonly in: In; readonly out: Out },
  ours: Out,
): Verdict {
  let expected = vector.out;
  const ids: LedgerId[] = [];
  for (const entry of entries) {
    if (!entry.holds(vector.in)) continue;
    const replaced = entry.instead(vector.in, expected);
    if (canonicalText(replaced) !== canonicalText(expected)) ids.push(entry.id);
    expected = replaced;
  }
  const want = canonicalText(expected);
  const got = canonicalText(ours);
  if (want !== got) return { fail: `expected ${want}, got ${got}` };
  return ids.length === 0 ? PASS : { ledger: ids };
}
