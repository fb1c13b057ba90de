import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matches, selectorText } from "#domain/units/selector";
import { coverSelectors } from "#domain/units/selector-cover";
import { parseSelector } from "#domain/units/selector-parse";

const key = fc.constantFrom("app", "tier", "example.com/role", "in");
const value = fc.constantFrom("", "a", "b", "10", "notin");
const requirement = fc.oneof(
  fc.tuple(key, fc.constantFrom("=", "==", "!="), value).map((parts) => parts.join("")),
  fc
    .tuple(key, fc.constantFrom("in", "notin"), fc.array(value))
    .map(([k, op, vs]) => `${k} ${op} (${vs.join(",")})`),
  fc.tuple(fc.constantFrom("", "!"), key).map((parts) => parts.join("")),
  fc.tuple(key, fc.constantFrom("<", ">"), fc.nat(20)).map((parts) => parts.join("")),
);
const selector = fc.array(requirement, { maxLength: 3 }).map((requirements) => {
  const parsed = parseSelector(requirements.join(", "));
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  return parsed.value;
});
const labels = fc.dictionary(key, value, { maxKeys: 4 });

describe("label selectors", () => {
  it("the canonical text parses to a selector of the same text and the same choice", () => {
    fc.assert(
      fc.property(selector, labels, (original, set) => {
        const again = parseSelector(selectorText(original));
        if (!again.ok) throw new Error(again.fault.detail);
        expect(selectorText(again.value)).toBe(selectorText(original));
        expect(matches(again.value, set)).toBe(matches(original, set));
      }),
    );
  });

  it("a cover selects whatever any of the covered selects", () => {
    fc.assert(
      fc.property(fc.array(selector, { minLength: 1, maxLength: 4 }), labels, (selectors, set) => {
        const cover = coverSelectors(selectors);
        const selected = selectors.some((one) => matches(one, set));
        if (cover !== undefined && selected) expect(matches(cover, set)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("no text makes the parser throw or hang", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab/.-1=!(),<> \t") }), (text) => {
        expect(typeof parseSelector(text).ok).toBe("boolean");
      }),
    );
  });
});
