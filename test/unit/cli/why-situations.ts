import type { Pod } from "#domain/fleet/pod";
import type { History } from "#domain/scale/history";
import {
  cpu,
  type Fleet,
  metricFault,
  objectValue,
  podWith,
  ready,
  remembered,
  scaleDown,
  scaleUp,
  times,
  unmeasured,
} from "#test/unit/scale/fleet";

/** A situation of docs/examples/why.md: its heading there, and the world in it. */
export interface Situation {
  readonly heading: string;
  readonly result: string;
  readonly fleet: Fleet;
  readonly history?: History;
}

const foreign: Partial<Pod> = { owner: "ReplicaSet/canary-6b7f" };
const own: Partial<Pod> = { owner: "ReplicaSet/web-5d9c" };

export const SITUATIONS: readonly Situation[] = [
  {
    heading: "Busy everywhere: the rate of scale-out limits it",
    result: "scaled",
    fleet: {
      max: 50,
      metrics: [cpu(10)],
      behavior: { scaleUp: scaleUp(), scaleDown: scaleDown() },
      clusters: { member1: { pods: [ready(100)] } },
    },
    history: remembered([1, 15]),
  },
  {
    heading: "Idle again: the window keeps the highest that was recommended (semantics 4.3)",
    result: "unchanged",
    fleet: { clusters: { member1: { pods: times(3, ready(10)) }, member2: { pods: times(2, ready(10)) } } },
    history: remembered([5, 60], [4, 30]),
  },
  {
    heading: "Near the target: within the tolerance nothing moves (B13)",
    result: "unchanged",
    fleet: { clusters: { member1: { pods: times(3, ready(52)) } } },
    history: remembered([3, 15]),
  },
  {
    heading: "A rolling update with surge: pods without a sample decide nothing (B02)",
    result: "unchanged",
    fleet: {
      template: 2,
      clusters: { member1: { replicas: 2, pods: [...times(2, ready(30)), unmeasured()] } },
    },
    history: remembered([2, 15]),
  },
  {
    heading:
      "A member that does not answer, the other overloaded: what is seen is scaled up to the whole (B04)",
    result: "scaled",
    fleet: {
      template: 6,
      metrics: [cpu(80)],
      clusters: {
        member1: { pods: times(3, ready(120)) },
        member2: { replicas: 3, unreadable: { scale: "cluster-unreachable" } },
      },
    },
    history: remembered([6, 15]),
  },
  {
    heading: "A member that does not answer, the other idle: scale-in is held (D-09)",
    result: "unchanged",
    fleet: {
      template: 6,
      clusters: {
        member1: { pods: times(3, ready(20)) },
        member2: { replicas: 3, unreadable: { scale: "cluster-unreachable" } },
      },
    },
    history: remembered([6, 15]),
  },
  {
    heading: "Completed pods carry no load and need no sample (B17)",
    result: "scaled",
    fleet: {
      clusters: {
        member1: {
          replicas: 4,
          pods: [...times(4, ready(75)), ...times(4, podWith({ phase: "Succeeded" }))],
        },
      },
    },
    history: remembered([4, 15]),
  },
  {
    heading: "Pending pods do not keep idle ones alive (B20)",
    result: "scaled",
    fleet: {
      clusters: {
        member1: { pods: [...times(3, ready(10)), ...times(3, podWith({ phase: "Pending" }))] },
      },
    },
    history: remembered([1, 15]),
  },
  {
    heading: "Another workload's pods under the same labels (B26)",
    result: "unchanged",
    fleet: {
      clusters: {
        member1: { replicas: 3, pods: [...times(3, podWith(own, 90)), ...times(3, podWith(foreign, 10))] },
      },
    },
    history: remembered([3, 15]),
  },
  {
    heading: "One metric cannot be read: no scale-in by the other (B42)",
    result: "unchanged",
    fleet: {
      metrics: [cpu(50), objectValue(10_000)],
      values: { 1: metricFault("the hub answered 503 for rps of Service front") },
      clusters: { member1: { pods: times(3, ready(10)) } },
    },
    history: remembered([3, 15]),
  },
  {
    heading: "One metric cannot be read: scale-out by the other goes on (B43)",
    result: "scaled",
    fleet: {
      metrics: [cpu(50), objectValue(10_000)],
      values: { 1: metricFault("the hub answered 503 for rps of Service front") },
      clusters: { member1: { pods: times(3, ready(80)) } },
    },
    history: remembered([3, 15]),
  },
];
