import type { LedgerId } from "./ledger-id.ts";

/** One line of a vector file: `out` is what Karmada answered for `in` (vectors/README). */
export interface VectorCase<In = unknown, Out = unknown> {
  readonly id: string;
  readonly in: In;
  readonly out: Out;
  /** Where the vectors tag Karmada's answer as wrong; for statistics only. A judge decides by `in`, never by the tag. */
  readonly defect?: string;
}

/**
 * What a judge says of one case.
 *
 * - `pass`: our answer is Karmada's.
 * - `ledger`: it is not, `in` meets the predicate of that entry of `docs/parity.md`, and our answer is the value that
 *   the entry's equation gives. An answer that needs two entries at once names both; each is counted.
 * - `fail`: everything else; the text says what was expected and what came.
 *
 * `skippedSteps` counts the steps of a trajectory that were not judged because an earlier one differs by the ledger.
 */
export type Verdict =
  | { readonly verdict: "pass" }
  | { readonly ledger: LedgerId | readonly LedgerId[]; readonly skippedSteps?: number }
  | { readonly fail: string };

/** Every file in `kinds/` exports one as `judge`; the file's name is the name of the vector file it judges. */
export type Judge<In = unknown, Out = unknown> = (vector: VectorCase<In, Out>) => Verdict | Promise<Verdict>;

export const PASS: Verdict = { verdict: "pass" };

/** `pass` when both print alike (keys of objects in any order), else a failure that shows both. */
export function sameOr(expected: unknown, actual: unknown): Verdict {
  const want = canonicalText(expected);
  const got = canonicalText(actual);
  return want === got ? PASS : { fail: `expected ${want}, got ${got}` };
}

/** JSON with sorted keys; a bigint prints as its digits, so that 2^60 equals its vector's decimal string. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "bigint") return member.toString();
    if (member === null || typeof member !== "object" || Array.isArray(member)) return member;
    return Object.fromEntries(
      Object.entries(member)
        .filter(([, inner]) => inner !== undefined)
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
