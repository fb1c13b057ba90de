import type { MetricSpec } from "#domain/spec/federated-hpa";
import type { Answers } from "#test/unit/docs/algorithm/answers";
import {
  cpu,
  type Fleet,
  objectAverage,
  objectValue,
  type PodState,
  podsMetric,
  podWith,
  proposedBy,
  ready,
  scaleDown,
  scaleUp,
  times,
  unmeasured,
  value,
} from "#test/unit/scale/fleet";

const pending = unmeasured({ phase: "Pending" });
const succeeded = unmeasured({ phase: "Succeeded" });
const notReady = { ready: { status: "False", sinceMs: 0 } };
const deleted = podWith({ deleted: true });
const memory100: MetricSpec = {
  type: "Resource",
  name: "memory",
  target: { type: "AverageValue", averageValue: 100 },
};
const external10: MetricSpec = {
  type: "External",
  name: "queue",
  selector: "",
  target: { type: "Value", value: 10_000 },
};

/** One metric over the pods of one cluster, whose template asks for as many unless said otherwise. */
function one(metric: MetricSpec, pods: readonly PodState[], fleet: Partial<Fleet> = {}): number | undefined {
  const { template = pods.length } = fleet;
  const clusters = { a: { pods, replicas: template } };
  return proposedBy({ metrics: [metric], clusters, ...fleet, template });
}

/** An Object or External metric of this value, in whole units. */
function valued(
  metric: MetricSpec,
  units: number,
  pods: readonly PodState[],
  fleet: Partial<Fleet> = {},
): number | undefined {
  return one(metric, pods, { values: { 0: value(units * 1000) }, ...fleet });
}

export const proposals: Answers = {
  "E-40": () => one(cpu(60), [ready(50), ready(30), ready(70)]),
  "E-41": () => one(cpu(54), [podWith({ containers: [{ name: "app", requests: { cpu: 251 } }] }, 150)]),
  "E-42": () => one(cpu(50), [...times(3, ready(90)), unmeasured()]),
  "E-43": () => one(cpu(30), [...times(3, ready(90)), ...times(3, pending)]),
  "E-44": () => one(cpu(80), [ready(10), ready(10), unmeasured()]),
  "E-45": () => one(cpu(150), [ready(50), ready(50), unmeasured()]),
  "E-46": () => one(cpu(50), [...times(3, ready(10)), ...times(3, pending)]),
  "E-47": () => one(cpu(50), [ready(40), unmeasured()]),
  "E-48": () => one(cpu(50), [ready(-513), ready(90), ready(90)]),
  "E-49": () => one(cpu(50), [...times(4, ready(90)), ...times(4, succeeded)], { template: 4 }),
  "E-50": () => one(podsMetric(1000), [...times(3, ready(1000)), unmeasured()]),
  "E-51": () => one(podsMetric(1000), [...times(2, ready(400)), unmeasured()]),
  "E-52": () => one(memory100, [ready(100), ready(100), podWith(notReady, 400)]),
  "E-53": () => {
    const clusters = { a: { pods: times(2, ready(100)), strays: { "canary-0": 0, "canary-1": 0 } } };
    return proposedBy({ metrics: [podsMetric(100)], clusters });
  },
  "E-54": () => valued(objectValue(10_000), 20, [...times(5, ready()), ...times(5, podWith(notReady))]),
  "E-55": () => valued(objectValue(10_000), 15, [...times(4, ready()), deleted, deleted], { template: 4 }),
  "E-56": () => perPod(105, 11),
  "E-57": () => perPod(90, 15),
  "E-58": () => {
    const clusters = { a: { pods: times(5, ready()) }, b: { pods: times(5, ready()) } };
    const metrics = [objectAverage(10_000)];
    return proposedBy({ metrics, values: { 0: value(150_000) }, template: 5, duplicated: true, clusters });
  },
  "E-59": () => valued(objectAverage(100), 4_000_000_000, times(10, ready())),
  "E-60": () => valued(external10, 20, times(3, ready())),
  "E-61": () => one(cpu(50), times(3, ready(55))),
  "E-62": () => one(cpu(50), times(3, ready(45))),
  "E-63": () => one(cpu(50), times(3, ready(56))),
  "E-64": () => {
    const behavior = { scaleUp: scaleUp({ tolerance: 0.05 }), scaleDown: scaleDown() };
    return one(cpu(50), times(10, ready(53)), { behavior });
  },
  "E-65": () => one(cpu(50), times(10, ready(53))),
  "E-66": () => valued(objectValue(10_000), 30, [ready(), ...times(3, podWith(notReady))]),
  "E-67": () => one(cpu(50), [ready(10), ready(10), unmeasured()], { template: 2 }),
};

/** An Object metric of this value against 10 per pod: the template asks for 10, so many run. */
function perPod(units: number, statusReplicas: number): number | undefined {
  const clusters = { a: { replicas: 10, statusReplicas, pods: times(statusReplicas, ready()) } };
  return proposedBy({ metrics: [objectAverage(10_000)], values: { 0: value(units * 1000) }, clusters });
}
