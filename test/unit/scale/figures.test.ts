import { describe, expect, it } from "vitest";
import { type Figures, figuresOf } from "#domain/scale/figures";
import type { History } from "#domain/scale/history";
import {
  cpu,
  decide,
  type Fleet,
  metricFault,
  objectValue,
  podsMetric,
  ready,
  remembered,
  scaleDown,
  scaleUp,
  times,
  value,
} from "./fleet.ts";

const memory = {
  type: "Resource",
  name: "memory",
  target: { type: "AverageValue", averageValue: 2_000_000 },
} as const;
const cores = { type: "Resource", name: "cpu", target: { type: "AverageValue", averageValue: 250 } } as const;

describe("a decision's figures", () => {
  it.each<[string, Fleet, History | undefined, Partial<Figures>]>([
    [
      "utilization is in percent; what limits a scale-out is named",
      {
        max: 50,
        metrics: [cpu(10)],
        behavior: { scaleUp: scaleUp(), scaleDown: scaleDown() },
        clusters: { a: { pods: [ready(100)] } },
      },
      remembered([1, 15]),
      {
        metrics: [{ name: "cpu", unit: "%", value: 100, target: 10 }],
        minReplicas: 1,
        maxReplicas: 50,
        proposed: 10,
        limits: ["ScaleUpLimit"],
      },
    ],
    [
      "a window that keeps the replicas is named, once",
      { clusters: { a: { pods: times(5, ready(10)) } } },
      remembered([5, 60]),
      { proposed: 1, limits: ["ScaleDownStabilized"] },
    ],
    [
      "cpu is in cores, memory in bytes, others are numbers",
      {
        metrics: [cores, memory, podsMetric(5_000), objectValue(40_000)],
        values: { 3: value(44_000) },
        clusters: { a: { pods: times(2, ready(500, 1_000_000, 5_000)) } },
      },
      undefined,
      {
        metrics: [
          { name: "cpu", unit: "cores", value: 0.5, target: 0.25 },
          { name: "memory", unit: "bytes", value: 1000, target: 2000 },
          { name: "rps", unit: "", value: 5, target: 5 },
          { name: "rps", unit: "", value: 44, target: 40 },
        ],
      },
    ],
    [
      "a metric that failed has a target and no value",
      {
        metrics: [objectValue(40_000)],
        values: { 0: metricFault("no answer") },
        clusters: { a: { pods: [ready()] } },
      },
      undefined,
      { metrics: [{ name: "rps", unit: "", target: 40 }] },
    ],
    [
      "a held scale-in names the hold (B46)",
      {
        metrics: [cpu(80)],
        template: 6,
        clusters: {
          a: { pods: times(3, ready(20)) },
          b: { replicas: 3, unreadable: { scale: "cluster-unreachable" } },
        },
      },
      remembered([6, 15]),
      { limits: ["ClustersUnreadable"], gaps: ["b"] },
    ],
  ])("%s", (_case, fleet, history, figures) => {
    expect(figuresOf(decide(fleet, history))).toMatchObject(figures);
  });
});
