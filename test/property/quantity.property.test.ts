import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMilli, parseQuantity, quantityMilli } from "#domain/units/quantity";
import { milliText, quantityText } from "#domain/units/quantity-text";

const suffix = fc.constantFrom(..."n u m k M G T P E Ki Mi Gi Ti Pi Ei e3 E-2".split(" "), "");
const written = fc
  .tuple(fc.constantFrom("", "-", "+"), fc.bigInt(0n, 10n ** 24n), fc.option(fc.nat(999_999)), suffix)
  .map(([sign, whole, fraction, unit]) => `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${unit}`);
const short = fc
  .tuple(fc.constantFrom("", "-"), fc.nat(10 ** 9), suffix)
  .map(([sign, whole, unit]) => `${sign}${whole}${unit}`);

describe("quantities", () => {
  it("the canonical text means the same amount, and is its own canonical text", () => {
    fc.assert(
      fc.property(written, (text) => {
        const parsed = parseQuantity(text);
        if (!parsed.ok) throw new Error(parsed.fault.detail);
        const canonical = quantityText(parsed.value);
        const again = parseQuantity(canonical);
        expect(again.ok && again.value.nano).toBe(parsed.value.nano);
        expect(again.ok && quantityText(again.value)).toBe(canonical);
      }),
    );
  });

  it("the short way of parseMilli gives what the exact way gives", () => {
    fc.assert(
      fc.property(fc.oneof(written, short), (text) => {
        const parsed = parseQuantity(text);
        expect(parseMilli(text)).toBe(parsed.ok ? quantityMilli(parsed.value) : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it("thousandths survive their text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.bigInt(2n ** 53n, 2n ** 90n)), (milli) => {
        expect(parseMilli(milliText(milli))).toBe(Object.is(milli, -0) ? 0 : milli);
      }),
    );
  });

  it("no text makes the parser throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0159+-.eEinumkKMGTP x") }), (text) => {
        expect(typeof parseQuantity(text).ok).toBe("boolean");
      }),
    );
  });
});
