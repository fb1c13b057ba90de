import { describe, expect, it } from "vitest";
import { joinSamples } from "#domain/fleet/join-samples";
import type { Pod, PodSample } from "#domain/fleet/pod";

describe("joining samples to pods (D-03)", () => {
  const pod = (name: string): Pod => ({ name, deleted: false, containers: [], labels: {} });
  const sample = (name: string, milliValue: number): PodSample => ({
    pod: name,
    milliValue,
    timestampMs: 0,
    windowSeconds: 30,
  });
  it.each<[string, string[], PodSample[], (number | undefined)[]]>([
    ["in order", ["a", "b"], [sample("a", 1), sample("b", 2)], [1, 2]],
    ["in order, one missing", ["a", "b", "c"], [sample("a", 1), sample("c", 3)], [1, undefined, 3]],
    ["in any order", ["a", "b"], [sample("b", 2), sample("a", 1)], [1, 2]],
    ["a stray between", ["a", "c"], [sample("a", 1), sample("b", 2), sample("c", 3)], [1, 3]],
    ["of two samples the later counts", ["a", "b"], [sample("a", 1), sample("b", 2), sample("a", 9)], [9, 2]],
    ["none", ["a"], [], [undefined]],
  ])("%s", (_, pods, samples, expected) => {
    expect(joinSamples(pods.map(pod), samples).map((joined) => joined?.milliValue)).toEqual(expected);
  });
});
