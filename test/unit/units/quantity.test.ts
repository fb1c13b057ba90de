import { describe, expect, it } from "vitest";
import {
  parseMilli,
  parseQuantity,
  quantityMilli,
  quantitySign,
  quantityValue,
} from "#domain/units/quantity";
import { milliText, quantityText } from "#domain/units/quantity-text";

function read(text: string) {
  const parsed = parseQuantity(text);
  if (!parsed.ok) return parsed.fault.code;
  const { value } = parsed;
  return [quantityMilli(value), quantityValue(value), quantityText(value), quantitySign(value)];
}

describe("a quantity in thousandths, in units, as canonical text, and its sign (serverless 7)", () => {
  it.each([
    ["100m", 100, 1, "100m", 1],
    ["0.5", 500, 1, "500m", 1],
    ["1e3", 1_000_000, 1000, "1e3", 1],
    ["1E", 1_000_000_000_000_000_000_000n, 1_000_000_000_000_000_000n, "1E", 1],
    ["12Ki", 12_288_000, 12_288, "12Ki", 1],
    ["1.5Gi", 1_610_612_736_000, 1_610_612_736, "1536Mi", 1],
    ["1.5k", 1_500_000, 1500, "1500", 1],
    ["2.5M", 2_500_000_000, 2_500_000, "2500k", 1],
    ["0.5Ki", 512_000, 512, "512", 1],
    ["250000n", 1, 1, "250u", 1],
    ["0.1m", 1, 1, "100u", 1],
    ["1.1n", 1, 1, "2n", 1],
    ["-1", -1000, -1, "-1", -1],
    ["-890.00213m", -891, -1, "-890002130n", -1],
    [
      "99999999999999999999",
      99_999_999_999_999_999_999_000n,
      99_999_999_999_999_999_999n,
      "99999999999999999999",
      1,
    ],
    ["0Ki", 0, 0, "0", 0],
    ["-0", 0, 0, "0", 0],
    ["1024", 1_024_000, 1024, "1024", 1],
    ["1023Ki", 1_047_552_000, 1_047_552, "1023Ki", 1],
    ["-1Ki", -1_024_000, -1024, "-1Ki", -1],
    ["0.999Ki", 1_022_976, 1023, "1022976m", 1],
  ])("%s", (text, ...expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    [
      "D-27: 1Ei is exact, where Go wraps",
      "1Ei",
      1_152_921_504_606_846_976_000n,
      1_152_921_504_606_846_976n,
      "1Ei",
      1,
    ],
    [
      "D-27: 8Ei is not capped at 2^63 − 1",
      "8Ei",
      9_223_372_036_854_775_808_000n,
      9_223_372_036_854_775_808n,
      "8Ei",
      1,
    ],
    [
      "D-27: -3Pi is exact, where Go wraps",
      "-3Pi",
      -3_377_699_720_527_872_000n,
      -3_377_699_720_527_872,
      "-3Pi",
      -1,
    ],
    ["D-27: 1000E has no suffix of its own", "1000E", 10n ** 24n, 10n ** 21n, "1e21", 1],
    ["D-28: no plus sign", "+1", 1000, 1, "1", 1],
    ["D-28: no point at the end", "5.", 5000, 5, "5", 1],
    ["D-28: no leading zeros", "00012", 12_000, 12, "12", 1],
    ["D-28: no fraction", "104.675", 104_675, 105, "104675m", 1],
    ["D-28: a small e", "1E3", 1_000_000, 1000, "1e3", 1],
    ["D-28: no exponent 0", "1e0", 1000, 1, "1", 1],
  ])("%s", (_, text, ...expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("what is no quantity", () => {
  it.each([
    [
      "quantity-form",
      ["", " ", "1 ", " 1", "1 Gi", "abc", "1KB", "1gi", "0x10", "NaN", "1..5", "1e1.5", "1\n", "١"],
    ],
    ["quantity-suffix", ["1K", "1ki", "1e", "1e+", "--1", "1ee3", "1Mi1", "1i"]],
    ["quantity-digits", ["Gi", "m", "e3", "+", "-", ".", "E", "Pi"]],
    ["quantity-range", ["1e1001", "1e-99999999999999999999", "9".repeat(1001)]],
  ])("%s", (code, texts) => {
    expect(texts.map((text) => [text, read(text)])).toEqual(texts.map((text) => [text, code]));
    expect(texts.map(parseMilli)).toEqual(texts.map(() => undefined));
  });

  it("is said in one sentence that names the text and what to write", () => {
    expect(parseQuantity("1.5 Gi")).toEqual({
      ok: false,
      fault: {
        code: "quantity-form",
        detail: '"1.5 Gi" is not a quantity; write a number and a unit, such as 250m, 1.5Gi or 2e3',
      },
    });
  });
});

describe("the short way to thousandths", () => {
  it.each([
    ["leaves what a double cannot hold to the exact way", "10000000000000001n", 10_000_000_001],
    ["knows no negative zero", "-0n", 0],
  ])("%s", (_, text, milli) => {
    expect(parseMilli(text)).toBe(milli);
  });
});

describe("thousandths as status text", () => {
  it.each([
    [0, "0"],
    [1, "1m"],
    [1500, "1500m"],
    [2000, "2"],
    [-2_000_000, "-2k"],
    [10n ** 24n, "1e21"],
  ])("%s is %s", (milli, text) => {
    expect(milliText(milli)).toBe(text);
  });
});
