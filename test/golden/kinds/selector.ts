import { matches, selectorText } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import { type Judge, PASS, sameOr } from "#test/golden/judge";

interface SelectorInput {
  readonly selector: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** No ledger: our answers are Karmada's. The text of an error is Go's wording and is not compared. */
export const judge: Judge<SelectorInput, { readonly error?: string }> = ({ in: input, out }) => {
  const parsed = parseSelector(input.selector);
  if (!parsed.ok) {
    return out.error === undefined
      ? { fail: `refused (${parsed.fault.detail}), but Karmada takes it` }
      : PASS;
  }
  const selector = parsed.value;
  return sameOr(out, {
    canonical: selectorText(selector),
    empty: selector.requirements.length === 0,
    matches: matches(selector, input.labels),
  });
};
