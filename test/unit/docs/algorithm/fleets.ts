import { EMPTY_HISTORY } from "#domain/scale/history";
import type { MetricSpec } from "#domain/spec/federated-hpa";
import { type Answers, outcome } from "#test/unit/docs/algorithm/answers";
import {
  CPU_50,
  cpu,
  decide,
  type Fleet,
  metricFault,
  NOW_MS,
  objectValue,
  proposedBy,
  ready,
  remembered,
  times,
  value,
} from "#test/unit/scale/fleet";

/** Nothing higher was recommended lately, so a scale-in is free to happen. */
const FREE = remembered([1, 1000]);
const rps = objectValue(10_000);
const external10PerPod: MetricSpec = {
  type: "External",
  name: "queue",
  selector: "",
  target: { type: "AverageValue", averageValue: 10_000 },
};

export const gates: Answers = {
  "E-10": () => decide({ min: 2, max: 10, clusters: { a: { pods: times(12, ready(90)) } } }).desiredReplicas,
  "E-11": () => decide({ min: 2, max: 10, clusters: { a: { pods: [ready(90)] } } }).desiredReplicas,
  "E-12": () => {
    const decision = decide({
      min: 15,
      max: 10,
      template: 10,
      clusters: { a: { pods: times(10, ready(50)) } },
    });
    return outcome({ ...decision, currentReplicas: 10 });
  },
  "E-13": () => outcome(decide({ template: 0, clusters: { a: { pods: times(2, ready(90)) } } })),
  "E-14": () => fromZero({ metrics: [rps], values: { 0: value(30_000) }, clusters: { a: { replicas: 0 } } }),
  "E-15": () => fromZero({ metrics: [CPU_50, external10PerPod], values: { 1: value(25_000) }, clusters: {} }),
  "E-16": () => {
    const clusters = { a: { replicas: 0 }, b: { replicas: 0 } };
    return fromZero({
      metrics: [external10PerPod],
      values: { 0: value(95_000) },
      clusters,
      duplicated: true,
    });
  },
};

function fromZero(fleet: Fleet): number | undefined {
  return proposedBy({ min: 0, template: 0, ...fleet });
}

export const calibration: Answers = {
  "E-70": () => twoClusters(2, 20, cpu(10), { template: 2, duplicated: true }),
  "E-71": () => twoClusters(1, 20, cpu(10), {}),
  "E-72": () => halfLost(30, 60, CPU_50, 40),
  "E-73": () => halfLost(3, 120, cpu(80), 6),
  "E-74": () => twoClusters(5, 150, cpu(100), { template: 5, duplicated: true }),
  "E-75": () => {
    const clusters = { a: { pods: times(2, ready(90)) }, b: { pods: times(2, ready(10)) } };
    return proposedBy({ template: 2, duplicated: true, clusters });
  },
};

function twoClusters(
  podsEach: number,
  milli: number,
  metric: MetricSpec,
  fleet: Partial<Fleet>,
): number | undefined {
  const pods = times(podsEach, ready(milli));
  return proposedBy({ metrics: [metric], clusters: { a: { pods }, b: { pods } }, ...fleet });
}

function halfLost(pods: number, milli: number, metric: MetricSpec, template: number): number | undefined {
  const lost = { replicas: template - pods, unreadable: { scale: "cluster-unreachable" } } as const;
  return proposedBy({
    metrics: [metric],
    template,
    clusters: { a: { pods: times(pods, ready(milli)) }, b: lost },
  });
}

export const placement: Answers = {
  "E-76": () => decide(roomFor60(100)).desiredReplicas,
  "E-77": () => decide(roomFor60(100), EMPTY_HISTORY, { caughtUpCheck: false }).desiredReplicas,
  "E-78": () => decide(roomFor60(40), FREE).desiredReplicas,
  "E-79": () =>
    decide({
      template: 10,
      clusters: { a: { pods: times(20, ready(45)) } },
      binding: { replicas: 20, clusters: [{ name: "a", replicas: 20 }] },
    }).desiredReplicas,
  "E-80": () => sharesDiffer(119),
  "E-81": () => sharesDiffer(120),
  "E-82": () => {
    const clusters = { a: { pods: times(10, ready(10)) }, b: { pods: times(6, ready(10)) } };
    const shares = ["a", "b"].map((name) => ({ name, replicas: 10 }));
    const binding = { schedulerObservedGeneration: 1, clusters: shares };
    return decide({ template: 10, duplicated: true, clusters, binding }, FREE).desiredReplicas;
  },
  "E-83": () => outcome(decide({ template: 3, clusters: { a: { replicas: 0 }, b: { replicas: 0 } } })),
};

function roomFor60(milli: number): Fleet {
  return {
    template: 100,
    max: 1000,
    metrics: [cpu(80)],
    clusters: { a: { pods: times(60, ready(milli)) } },
    binding: { scheduled: "False", clusters: [{ name: "a", replicas: 60 }] },
  };
}

function sharesDiffer(sinceSeconds: number): string {
  const pods = times(2, ready(90));
  const shares = [
    { name: "a", replicas: 3 },
    { name: "b", replicas: 1 },
  ];
  const fleet = { clusters: { a: { pods }, b: { pods } }, binding: { clusters: shares } };
  return outcome(decide(fleet, { ...EMPTY_HISTORY, sharesDifferSinceMs: NOW_MS - sinceSeconds * 1000 }));
}

export const lostClusters: Answers = {
  "E-84": () => outcome(decide(halfOf6(90))),
  "E-85": () => outcome(decide(halfOf6(10), FREE)),
  "E-86": () => outcome(decide(halfOf6(10), lostFor(1799))),
  "E-87": () => outcome(decide(halfOf6(10), lostFor(1800))),
  "E-88": () =>
    outcome(decide({ ...halfOf6(10), annotations: { "mainsheet.io/lost-cluster": "assume-equal" } }, FREE)),
  "E-89": () => outcome(decide({ ...halfOf6(10), max: 4 }, FREE)),
  "E-90": () => {
    const pods = times(3, ready(120));
    return proposedBy({
      metrics: [cpu(80)],
      clusters: { a: { pods, unreadable: { pods: true } }, b: { pods } },
    });
  },
  "E-91": () => outcome(decide({ template: 6, clusters: { a: LOST, b: LOST } })),
};

const LOST = { replicas: 3, unreadable: { scale: "cluster-unreachable" } } as const;

function halfOf6(milli: number): Fleet {
  return { template: 6, clusters: { a: { pods: times(3, ready(milli)) }, b: LOST } };
}

function lostFor(seconds: number) {
  return { ...FREE, lostSinceMs: { b: NOW_MS - seconds * 1000 } };
}

export const severalMetrics: Answers = {
  "E-92": () => cpuAndRps(75, value(30_000)),
  "E-93": () => cpuAndRps(10, metricFault("503")),
  "E-94": () => {
    const decision = decide(cpuAndRpsFleet(75, metricFault("503")));
    return decision.failure?.reason === "FailedGetObjectMetric" ? outcome(decision) : "not reported";
  },
  "E-95": () => rpsAlone(metricFault("503")),
  "E-96": () => rpsAlone(lowerBound(6_000)),
  "E-97": () => rpsAlone(lowerBound(20_000)),
};

function lowerBound(milliValue: number): Reading {
  return { kind: "value", milliValue, timestampMs: NOW_MS, missingClusters: ["b"] };
}

type Reading = NonNullable<Fleet["values"]>[number];

function cpuAndRpsFleet(milli: number, reading: Reading): Fleet {
  return {
    metrics: [CPU_50, rps],
    values: { 1: reading },
    clusters: { a: { pods: times(3, ready(milli)) } },
  };
}

function cpuAndRps(milli: number, reading: Reading): string {
  return outcome(decide(cpuAndRpsFleet(milli, reading), FREE));
}

function rpsAlone(reading: Reading): string {
  const clusters = { a: { pods: times(3, ready()) } };
  return outcome(decide({ metrics: [rps], values: { 0: reading }, clusters }, FREE));
}
