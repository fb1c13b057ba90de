import { describe, expect, it } from "vitest";
import { readExternalSum, readObjectValue } from "#wire/metric-value";

const timestamp = "2026-11-30T12:00:00Z";
const AT_MS = Date.parse(timestamp);
const at = (value: unknown, more: object = {}) => ({ value, timestamp, ...more });

describe("the value of one object", () => {
  it.each([
    ["250m", 250],
    ["1.5", 1_500],
    ["2k", 2_000_000],
    ["1u", 1],
    ["-3", -3_000],
  ])("%s is %d thousandths", (value, milliValue) => {
    expect(readObjectValue([at(value)])).toEqual({ ok: true, value: { milliValue, timestampMs: AT_MS } });
  });

  it("no item is no value, never 0", () => {
    expect(readObjectValue([])).toMatchObject({ ok: false, fault: { code: "metric-empty" } });
  });

  it("Kubernetes: more than one is no answer for one object", () => {
    expect(readObjectValue([at("1"), at("2")])).toEqual({
      ok: false,
      fault: { code: "metric-unreadable", message: "2 values were answered for one object" },
    });
  });

  it.each([
    [at("many"), 'items[0].value: found "many" where a quantity such as 250m should be'],
    [at(undefined), "items[0].value: found nothing where a quantity such as 250m should be"],
    [{ value: "1" }, "items[0].timestamp: found nothing where an RFC 3339 instant should be"],
    [at("1", { timestamp: "now" }), 'items[0].timestamp: found "now" where an RFC 3339 instant should be'],
    ["1", 'items[0]: found "1" where an object should be'],
    [null, "items[0].value: found nothing where a quantity such as 250m should be"],
  ])("what is not as the API promises is named: %j", (item, message) => {
    expect(readObjectValue([item])).toEqual({ ok: false, fault: { code: "metric-unreadable", message } });
  });
});

describe("an external metric", () => {
  it("Kubernetes: is the sum of its series, with the first one's instant", () => {
    const later = at("2", { timestamp: "2026-11-30T12:00:30Z" });
    expect(readExternalSum([at("1500m"), later])).toEqual({
      ok: true,
      value: { milliValue: 3_500, timestampMs: AT_MS },
    });
  });

  it("is exact beyond 2^53 thousandths", () => {
    expect(readExternalSum([at("9007199254740992"), at("1m")])).toMatchObject({
      value: { milliValue: 9_007_199_254_740_992_001n },
    });
  });

  it("without a series is none", () => {
    expect(readExternalSum([])).toMatchObject({ ok: false, fault: { code: "metric-empty" } });
  });

  it("one series that cannot be read makes the sum unreadable: it would be too small", () => {
    expect(readExternalSum([at("1"), at("x")])).toMatchObject({ fault: { code: "metric-unreadable" } });
  });
});
