import { expect, it } from "vitest";
import { durationText } from "#domain/units/duration-text";

it.each([
  [0, "0s"],
  [-5_000, "0s"],
  [999, "0s"],
  [45_000, "45s"],
  [180_000, "3m"],
  [185_000, "3m5s"],
  [5_400_000, "1h30m"],
  [3_605_000, "1h"],
  [187_200_000, "2d4h"],
])("%i ms is %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
