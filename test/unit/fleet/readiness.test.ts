import { describe, expect, it } from "vitest";
import type { Pod, PodSample } from "#domain/fleet/pod";
import { isUnreadyForCpu } from "#domain/fleet/readiness";

describe("unready for CPU (semantics 4.4)", () => {
  const rules = { cpuInitializationPeriodSeconds: 300, initialReadinessDelaySeconds: 30 };
  const second = 1000;
  const now = 10_000 * second;
  const sample = (timestampMs: number): PodSample => ({
    pod: "p",
    milliValue: 1,
    timestampMs,
    windowSeconds: 30,
  });

  it.each<[string, Partial<Pod>, PodSample, boolean]>([
    ["without a Ready condition: always", { startedAtMs: 0 }, sample(now), true],
    ["without a start time: always", { ready: { status: "True", sinceMs: 0 } }, sample(now), true],
    [
      "young and not ready",
      { startedAtMs: now - 60 * second, ready: { status: "False", sinceMs: now - 60 * second } },
      sample(now),
      true,
    ],
    [
      "young, ready, and a whole window measured since: believed",
      { startedAtMs: now - 60 * second, ready: { status: "True", sinceMs: now - 30 * second } },
      sample(now),
      false,
    ],
    [
      "young, ready, but the window reaches to before that",
      { startedAtMs: now - 60 * second, ready: { status: "True", sinceMs: now - 29 * second } },
      sample(now),
      true,
    ],
    [
      "young ends exactly at the initialization period",
      { startedAtMs: now - 300 * second, ready: { status: "True", sinceMs: now } },
      sample(now),
      false,
    ],
    [
      "old and not ready since within its first 30 s: it never was",
      { startedAtMs: 0, ready: { status: "False", sinceMs: 29 * second } },
      sample(now),
      true,
    ],
    [
      "old and not ready, but once it was: believed",
      { startedAtMs: 0, ready: { status: "False", sinceMs: 30 * second } },
      sample(now),
      false,
    ],
    [
      "old with Ready=Unknown: believed",
      { startedAtMs: 0, ready: { status: "Unknown", sinceMs: 0 } },
      sample(now),
      false,
    ],
  ])("%s", (_, shape, its, expected) => {
    const pod: Pod = { name: "p", deleted: false, containers: [], labels: {}, ...shape };
    expect(isUnreadyForCpu(pod, its, now, rules)).toBe(expected);
  });
});
