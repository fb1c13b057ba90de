import { describe, expect, it } from "vitest";
import { account } from "#domain/scale/account";
import type { History } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { summary } from "#domain/scale/summary";
import {
  cpu,
  decide,
  type Fleet,
  objectValue,
  podsMetric,
  podWith,
  ready,
  remembered,
  scaleDown,
  scaleUp,
  snapshotOf,
  times,
  unmeasured,
  value,
} from "./fleet.ts";

function linesOf(fleet: Fleet, title: string, history?: History): readonly string[] {
  const sections = account(decide(fleet, history), { snapshot: snapshotOf(fleet), policy: DEFAULT_POLICY });
  return sections.find((section) => section.title === title)?.lines ?? [];
}

const MEMORY = { type: "Resource", name: "memory", target: { type: "AverageValue" } } as const;
const memory = (averageValue: number) => ({ ...MEMORY, target: { ...MEMORY.target, averageValue } });

describe("an account's metrics: the numbers, who was not counted, the equation", () => {
  it.each<[string, Fleet, readonly string[]]>([
    [
      "B28: a pod being made counts as idle on the way up, so 6 and not 7",
      { clusters: { a: { pods: [...times(3, ready(90)), podWith({ phase: "Pending" })] } } },
      [
        "cpu (Resource): 90% of 50% (90m per pod): ratio 1.8, with the pods filled in 1.34, is above the tolerance 0.9 to 1.1, proposes 6",
        "  pods: 3 measured; 1 unready (a/web-3 pending), taken as idle",
        "  ceil(1.34 × 4 pods ÷ calibration 1) = 6",
      ],
    ],
    [
      "semantics 4.4: on the way down a pod without a sample counts as fully used",
      { clusters: { a: { pods: [...times(3, ready(20)), unmeasured()] } } },
      [
        "cpu (Resource): 20% of 50% (20m per pod): ratio 0.4, with the pods filled in 0.8, is below the tolerance 0.9 to 1.1, proposes 4",
        "  pods: 3 measured; 1 without a sample (a/web-3), taken as fully used",
        "  ceil(0.8 × 4 pods ÷ calibration 1) = 4",
      ],
    ],
    [
      "B02: pods filled in that turn the ratio round keep the count",
      { clusters: { a: { pods: [...times(2, ready(30)), ...times(3, unmeasured())] } } },
      [
        "cpu (Resource): 30% of 50% (30m per pod): ratio 0.6, with the pods filled in 1.44, is above the tolerance 0.9 to 1.1, proposes 5",
        "  pods: 2 measured; 3 without a sample (a/web-2, a/web-3, a/web-4), taken as fully used",
        "  ceil(1.44 × 5 pods ÷ calibration 1) = 8, but 5: the pods filled in put it on the other side of its target",
      ],
    ],
    [
      "D-02: a metric above its target never proposes fewer than there are",
      { template: 6, clusters: { a: { replicas: 6, pods: times(3, ready(60)) } } },
      [
        "cpu (Resource): 60% of 50% (60m per pod): ratio 1.2 is above the tolerance 0.9 to 1.1, proposes 6",
        "  pods: 3 measured",
        "  ceil(1.2 × 3 pods ÷ calibration 1) = 4, but 6: a metric above its target never proposes fewer than there are",
      ],
    ],
    [
      "B19, B20: a young pod and one being deleted are named; of many only the first three",
      {
        clusters: {
          a: {
            pods: [
              ready(50),
              podWith(
                { ready: { status: "False", sinceMs: Number.MAX_SAFE_INTEGER }, startedAtMs: 2e12 },
                90,
              ),
              podWith({ deleted: true }, 50),
              ...times(5, unmeasured()),
            ],
          },
        },
      },
      [
        "cpu (Resource): 50% of 50% (50m per pod): ratio 1 is within the tolerance 0.9 to 1.1, proposes 8",
        "  pods: 1 measured; 1 unready (a/web-1 starting), left out; 5 without a sample (a/web-3, a/web-4, a/web-5 and 2 more), left out; 1 being deleted (a/web-2), left out",
      ],
    ],
    [
      "bytes read as bytes, other averages as quantities",
      {
        metrics: [memory(314_572_800_000), podsMetric(1000)],
        clusters: { a: { pods: times(2, ready(471_859_200_000, 1500)) } },
      },
      [
        "memory (Resource): 450Mi of 300Mi: ratio 1.5 is above the tolerance 0.9 to 1.1, proposes 3",
        "  pods: 2 measured",
        "  ceil(1.5 × 2 pods ÷ calibration 1) = 3",
        "rps (Pods): 1500m of 1: ratio 1.5 is above the tolerance 0.9 to 1.1, proposes 3",
        "  pods: 2 measured",
        "  ceil(1.5 × 2 pods ÷ calibration 1) = 3",
      ],
    ],
    [
      "B42: a metric that failed says why, beside those that did not",
      {
        metrics: [cpu(50), objectValue(2000)],
        values: { 1: { kind: "fault", fault: { code: "metric-unreadable", message: "503" } } },
        clusters: { a: { pods: times(2, ready(50)) } },
      },
      [
        "cpu (Resource): 50% of 50% (50m per pod): ratio 1 is within the tolerance 0.9 to 1.1, proposes 2",
        "  pods: 2 measured",
        "rps (Object): unknown: unable to get metric rps: 503",
      ],
    ],
    [
      "B46: a sum that lacks a cluster says so",
      {
        metrics: [objectValue(2000)],
        values: { 0: { kind: "value", milliValue: 4000, timestampMs: 1, missingClusters: ["b"] } },
        clusters: { a: { pods: times(2, ready(50)) } },
      },
      [
        "rps (Object): 4 of 2: ratio 2 is above the tolerance 0.9 to 1.1, proposes 4",
        "  without the part of b: enough to scale out by, never to scale in",
      ],
    ],
    [
      "D-06: at template 0 the pods' metrics have no say",
      {
        min: 0,
        template: 0,
        metrics: [cpu(50), objectValue(2000)],
        values: { 1: value(6000) },
        clusters: {},
      },
      [
        "cpu (Resource): no say: no pod can be measured at template 0",
        "rps (Object): 6 of 2: ratio 3 is above the tolerance 0.9 to 1.1, proposes 3",
      ],
    ],
    [
      "B50: a sample that is hardly true",
      { clusters: { a: { pods: [ready(50), ready(20_000)] } } },
      [
        "cpu (Resource): 10025% of 50% (10025m per pod): ratio 200.5 is above the tolerance 0.9 to 1.1, proposes 401",
        "  pods: 2 measured",
        "  ceil(200.5 × 2 pods ÷ calibration 1) = 401",
        "  the sample of a/web-1, 20, is more than 100 times the pod's request",
      ],
    ],
  ])("%s", (_, fleet, lines) => {
    expect(linesOf(fleet, "metrics")).toEqual(lines);
  });
});

describe("an account's clusters", () => {
  it("C03, D-09: the lost one is named with its reason, the calibration with its parts", () => {
    const lost = { replicas: 4, unreadable: { scale: "cluster-unreachable" } } as const;
    const fleet = { template: 8, clusters: { a: { pods: times(4, ready(60)) }, b: lost } };
    expect(linesOf(fleet, "clusters")).toEqual([
      "a: 4 of 4 replicas, 4 pods: 4 measured",
      "b: left out (cluster-unreachable): cluster b does not answer",
      "calibration 0.5: the clusters that were read run 4 of the template's 8",
    ]);
  });

  it("B53: a lag is named with what is placed, and the calibration is that of the placed", () => {
    const fleet = {
      template: 10,
      binding: { scheduled: "False" },
      clusters: { a: { pods: times(6, ready(80)) } },
    };
    expect(linesOf(fleet, "clusters").slice(1)).toEqual([
      "calibration 1",
      "the members lag behind the template (NotScheduled): they run 6",
    ]);
  });

  it("B26: pods of another workload", () => {
    const stranger = podWith({ owner: "ReplicaSet/other-1" }, 50);
    expect(linesOf({ clusters: { a: { pods: [ready(50), stranger] } } }, "clusters").at(-1)).toBe(
      "1 pod that another workload owns match the selector too: a/web-1",
    );
  });
});

describe("an account's limits and outcome", () => {
  const busy = { clusters: { a: { pods: times(6, ready(80)) } } };
  const idle = { clusters: { a: { pods: times(4, ready(10)) } } };

  it.each<[string, Fleet, History | undefined, readonly string[]]>([
    [
      "B110: what was proposed, what limited it",
      { ...busy, max: 8 },
      undefined,
      [
        "proposed: 10",
        "windows (up 0 s, down 300 s): agree",
        "limits of 1 to 8, at most 12 at this instant: limited to 8 (TooManyReplicas)",
      ],
    ],
    [
      "semantics 4.12: a window holds the highest",
      idle,
      remembered([4, 60]),
      [
        "proposed: 1",
        "windows (up 0 s, down 300 s): stabilized at 4, the highest that was recommended (ScaleDownStabilized)",
        "limits of 1 to 100, at most 8 at this instant: kept",
      ],
    ],
    [
      "B31: the up window holds the lowest",
      {
        ...busy,
        behavior: { scaleUp: scaleUp({ stabilizationWindowSeconds: 120 }), scaleDown: scaleDown() },
      },
      remembered([6, 60]),
      [
        "proposed: 10",
        "windows (up 120 s, down 300 s): stabilized at 6, the lowest that was recommended (ScaleUpStabilized)",
        "limits of 1 to 100: kept",
      ],
    ],
    [
      "D-08: while the members lag, the template's count is what goes on record",
      { ...busy, template: 20, binding: { scheduled: "False" } },
      undefined,
      [
        "proposed: 10",
        "on record: 20 (NotScheduled)",
        "windows (up 0 s, down 300 s): agree",
        "limits of 1 to 100, at most 40 at this instant: kept",
      ],
    ],
    [
      "a gate asks no metric",
      { ...busy, max: 3 },
      undefined,
      ["Current number of replicas above Spec.MaxReplicas: no metric is asked"],
    ],
    [
      "D-06: 0 means off",
      { template: 0, clusters: {} },
      undefined,
      ["the template is at 0, which means off: no metric is asked"],
    ],
  ])("%s", (_, fleet, history, lines) => {
    expect(linesOf(fleet, "limits", history)).toEqual(lines);
  });

  it.each<[string, Fleet, readonly string[]]>([
    [
      "a scale with its reason, and what cut it",
      { ...busy, max: 8 },
      [
        "scale 6 → 8: cpu resource utilization (percentage of request) above target",
        "TooManyReplicas: the desired replica count is more than the maximum replica count",
      ],
    ],
    ["nothing to do", { clusters: { a: { pods: times(2, ready(50)) } } }, ["stays at 2"]],
    [
      "D-16: a spec that cannot be acted on",
      { ...busy, min: 9, max: 3 },
      [
        "nothing is decided: InvalidSpec: spec.maxReplicas: maxReplicas 3 is below minReplicas 9: raise it or lower the other",
      ],
    ],
    [
      "B27: two objects on the same pods",
      { ...busy, ambiguousWith: ["shop/other"] },
      [
        "stays at 6: AmbiguousSelector: pods by selector app=web are controlled by multiple HPAs: [shop/other shop/web]",
      ],
    ],
  ])("%s", (_, fleet, lines) => {
    expect(linesOf(fleet, "outcome")).toEqual(lines);
  });

  it("of several metrics it says which one decided", () => {
    const metrics = [cpu(50), podsMetric(1000)];
    const fleet = { metrics, clusters: { a: { pods: times(4, ready(50, 1500)) } } };
    expect(linesOf(fleet, "limits")[0]).toBe("proposed: 6, the largest, by rps");
  });

  it("without the snapshot it still accounts for the numbers, and names no pod", () => {
    const sections = account(decide({ clusters: { a: { pods: [ready(90), unmeasured()] } } }));
    expect(sections.map(({ title }) => title)).toEqual([
      "outcome",
      "clusters",
      "metrics",
      "limits",
      "conditions",
    ]);
    expect(sections[2]?.lines[1]).toBe("  pods: 1 measured; 1 without a sample, taken as idle");
  });
});

describe("a summary", () => {
  it.each<[string, Fleet, History | undefined, string]>([
    ["a scale", { clusters: { a: { pods: times(2, ready(80)) } } }, undefined, "cpu 80% of 50% → 4"],
    [
      "a limit",
      { max: 8, clusters: { a: { pods: times(6, ready(80)) } } },
      undefined,
      "cpu 80% of 50% → 10; limited to 8 (TooManyReplicas)",
    ],
    [
      "a window",
      { clusters: { a: { pods: times(4, ready(10)) } } },
      remembered([4, 60]),
      "cpu 10% of 50% → 1; stabilized at 4 (ScaleDownStabilized)",
    ],
    [
      "a lag that keeps the template's count",
      { template: 20, binding: { scheduled: "False" }, clusters: { a: { pods: times(6, ready(80)) } } },
      undefined,
      "cpu 80% of 50% → 10; kept at 20 (NotScheduled)",
    ],
    [
      "quiet",
      { clusters: { a: { pods: times(2, ready(50)) } } },
      undefined,
      "cpu 50% of 50% within tolerance, 2",
    ],
  ])("%s", (_, fleet, history, line) => {
    expect(summary(decide(fleet, history))).toBe(line);
  });
});
