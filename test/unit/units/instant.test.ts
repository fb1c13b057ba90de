import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatInstant, formatMicroInstant, parseInstant } from "#domain/units/instant";

const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");
const YEAR_9999_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

describe("metav1.Time is RFC 3339 in UTC with whole seconds", () => {
  it("writes every instant of the years 0 to 9999 as the platform does", () => {
    fc.assert(
      fc.property(fc.integer({ min: YEAR_0_MS, max: YEAR_9999_MS }), (ms) => {
        const platform = new Date(ms).toISOString();
        expect(formatInstant(ms)).toBe(`${platform.slice(0, 19)}Z`);
        expect(formatMicroInstant(ms)).toBe(platform.replace("Z", "000Z"));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads back what the platform writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: YEAR_0_MS, max: YEAR_9999_MS }), (ms) => {
        expect(parseInstant(new Date(ms).toISOString())).toBe(ms);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["an offset is taken off", "2026-03-01T09:30:00+02:00", Date.UTC(2026, 2, 1, 7, 30)],
    ["nanoseconds are cut off", "2026-03-01T07:30:00.123999999Z", Date.UTC(2026, 2, 1, 7, 30, 0, 123)],
    ["the leap day exists in 2000", "2000-02-29T00:00:00Z", Date.UTC(2000, 1, 29)],
    ["but not in 1900", "1900-02-29T00:00:00Z", undefined],
    ["month 13 is none", "2026-13-01T00:00:00Z", undefined],
    ["April has 30 days", "2026-04-31T00:00:00Z", undefined],
    ["hour 24 is none", "2026-04-30T24:00:00Z", undefined],
    ["a zone is required", "2026-04-30T10:00:00", undefined],
    ["a date alone is no instant", "2026-04-30", undefined],
  ])("%s", (_sentence, text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });
});
