import { describe, expect, it } from "vitest";
import { parseDuration } from "#domain/units/duration";

describe("a Go duration in seconds", () => {
  it.each([
    ["15s", 15],
    ["1m30s", 90],
    ["1m0s", 60],
    ["14.863s", 14.863],
    ["1h2m3.5s", 3723.5],
    ["250ms", 0.25],
    ["1.5h", 5400],
    ["2.3h", 8280],
    ["1.1m", 66],
    [".5s", 0.5],
    ["1us", 1e-6],
    ["1µs", 1e-6],
    ["100ns", 1e-7],
    ["0", 0],
    ["-1m", -60],
    ["+1m", 60],
  ])("%s is %d", (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(["", "15", "s", "1d", "1m 30s", "1M", "--1s", "1.2.3s", "٣s", "15s\n", "9999999h", "-", "."])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});
