import { describe, expect, it } from "vitest";
import { demandMilli, type Shape } from "#sim/load/shape";

const steps: Shape = {
  kind: "steps",
  steps: [
    { afterSeconds: 10, milli: 500 },
    { afterSeconds: 20, milli: 0 },
  ],
};
const ramp: Shape = { kind: "ramp", fromMilli: 100, toMilli: 300, afterSeconds: 10, overSeconds: 20 };
const sine: Shape = {
  kind: "sine",
  meanMilli: 100,
  amplitudeMilli: 150,
  periodSeconds: 40,
  phaseSeconds: 0,
};
const spike: Shape = {
  kind: "spike",
  baseMilli: 100,
  peakMilli: 900,
  afterSeconds: 10,
  riseSeconds: 4,
  holdSeconds: 10,
  fallSeconds: 8,
};

describe("demand over time", () => {
  it.each<[string, Shape, number, number]>([
    ["a constant is the same at any time", { kind: "constant", milli: 250 }, 1e6, 250],
    ["a negative constant is nothing", { kind: "constant", milli: -5 }, 0, 0],
    ["steps are 0 before the first", steps, 9.999, 0],
    ["a step holds from its instant on", steps, 10, 500],
    ["until the next one", steps, 19.999, 500],
    ["and the next one holds for good", steps, 20, 0],
    [
      "a first step at 0 holds before the start as well",
      { kind: "steps", steps: [{ afterSeconds: 0, milli: 7 }] },
      -60,
      7,
    ],
    ["no steps are nothing", { kind: "steps", steps: [] }, 5, 0],
    ["a ramp starts low", ramp, 0, 100],
    ["a ramp is half way in the middle", ramp, 20, 200],
    ["a ramp ends high", ramp, 30, 300],
    ["and stays there", ramp, 1000, 300],
    ["a ramp of no length is a step", { ...ramp, overSeconds: 0 }, 10, 300],
    ["a sine is its mean at its phase", sine, 0, 100],
    ["highest after a quarter", sine, 10, 250],
    ["never below 0", sine, 30, 0],
    ["a spike stands on its base", spike, 5, 100],
    ["rises", spike, 12, 500],
    ["holds its peak", spike, 20, 900],
    ["falls", spike, 28, 500],
    ["and is over", spike, 32, 100],
    ["a spike without slopes is a pulse", { ...spike, riseSeconds: 0, fallSeconds: 0 }, 19.999, 900],
    ["that ends at once", { ...spike, riseSeconds: 0, fallSeconds: 0 }, 20, 100],
  ])("%s", (_what, shape, seconds, milli) => {
    expect(demandMilli(shape, seconds)).toBeCloseTo(milli, 9);
  });
});
