import { describe, expect, it } from "vitest";
import { parseInstant } from "#domain/units/instant";
import { askedMilli, changeable, demandOf, shapePatch, steadyFromNow } from "#infra/local/page/load-change";
import type { KubeObject } from "#sim/api/object";
import type { LoadSpec } from "#sim/load/load";

const SINCE = "2026-03-02T09:00:00Z";
const nowMs = (parseInstant(SINCE) ?? 0) + 60_000;

function load(spec: Partial<LoadSpec>): KubeObject {
  const whole = { target: { kind: "Deployment", name: "web" }, since: SINCE, ...spec };
  return {
    apiVersion: "mainsheet.io/v1alpha1",
    kind: "Load",
    metadata: { name: "web" },
    spec: whole,
  } as never;
}

describe("a load that the reader changes", () => {
  it.each<[string, Partial<LoadSpec>, object]>([
    [
      "steps keep those of the past, and lose those that were to come",
      {
        cpu: {
          steps: [
            { afterSeconds: 0, demand: "1" },
            { afterSeconds: 90, demand: "3" },
          ],
        },
      },
      {
        steps: [
          { afterSeconds: 0, demand: "1" },
          { afterSeconds: 60, demand: "500m" },
        ],
      },
    ],
    [
      "another shape was what it asks for now",
      { cpu: { ramp: { from: 0, to: 2, overSeconds: 120 } } },
      {
        steps: [
          { afterSeconds: 0, demand: "1" },
          { afterSeconds: 60, demand: "500m" },
        ],
      },
    ],
    [
      "what pods use in any case stays",
      { cpu: { idle: "5m", constant: 1 } },
      {
        idle: "5m",
        steps: [
          { afterSeconds: 0, demand: "1" },
          { afterSeconds: 60, demand: "500m" },
        ],
      },
    ],
  ])("%s", (_case, spec, shape) => {
    expect(steadyFromNow(load(spec), "cpu", 500, nowMs)).toEqual({ since: SINCE, shape });
  });

  it("asks for the new amount from now on, and for the old one before", () => {
    const before = load({ cpu: { constant: 2 } });
    const { shape, since } = steadyFromNow(before, "cpu", 500, nowMs);
    const after = load({ cpu: shape, ...(since === undefined ? {} : { since }) });
    expect([askedMilli(after, "cpu", nowMs - 1), askedMilli(after, "cpu", nowMs)]).toEqual([2_000, 500]);
  });

  it("is patched so that nothing of the former shape stays", () => {
    expect(shapePatch("cpu", { constant: 1 }, SINCE)).toMatchObject({
      spec: { since: SINCE, cpu: { constant: 1, steps: null, ramp: null, sine: null, spike: null } },
    });
    expect(shapePatch("memory", undefined, undefined)).toEqual({ spec: { memory: null } });
  });

  it("is one on CPU, or on memory where it has no CPU", () => {
    expect(changeable(load({ cpu: {}, memory: {} }))).toBe("cpu");
    expect(changeable(load({ memory: {} }))).toBe("memory");
    expect(changeable(load({}))).toBeUndefined();
  });

  it.each<[string, number | undefined]>([
    ["500m", 500],
    [" 2 ", 2_000],
    ["1.5", 1_500],
    ["300Mi", 300 * 1024 * 1024 * 1000],
    ["0", 0],
    ["-1", undefined],
    ["NaN", undefined],
    ["", undefined],
    ["1e30", undefined],
    ["two", undefined],
  ])("an amount as people type it: %j is %j thousandths", (text, milli) => {
    expect(demandOf(text)).toBe(milli);
  });
});
