import { describe, expect, it } from "vitest";
import {
  condition,
  cpu,
  decide,
  type Fleet,
  podsMetric,
  podWith,
  proposedBy,
  ready,
  times,
  unmeasured,
} from "#test/unit/scale/fleet";

const app = { name: "app", requests: { cpu: 100 } };
const sidecar = { name: "proxy", requests: { cpu: 100 } };
const succeeded = unmeasured({ phase: "Succeeded" });
const pending = unmeasured({ phase: "Pending" });

describe("pods and requests (cases, pods)", () => {
  it.each<[string, Fleet, number]>([
    [
      "B17a, D-12: finished pods do not hold a scale-in: 4 running at 10 %, 4 Succeeded",
      { clusters: { a: { replicas: 4, pods: [...times(4, ready(10)), ...times(4, succeeded)] } } },
      1,
    ],
    [
      "B17b: nor a scale-out: 4 running at 90 %, 4 Succeeded",
      { clusters: { a: { replicas: 4, pods: [...times(4, ready(90)), ...times(4, succeeded)] } } },
      8,
    ],
    [
      "B19: pods that are being deleted do not block a scale-out: 3 at 90 %, 3 on a lost node",
      {
        clusters: {
          a: { replicas: 3, pods: [...times(3, ready(90)), ...times(3, podWith({ deleted: true }, 0))] },
        },
      },
      6,
    ],
    [
      "B20: pending pods do not hold a scale-in: 3 at 10 %, 3 Pending",
      { clusters: { a: { pods: [...times(3, ready(10)), ...times(3, pending)] } } },
      1,
    ],
    [
      "pending pods count as idle on a scale-out: (3 × 90 + 3 × 0) ÷ 600 = 45 % of 30 %, ceil(1.5 × 6)",
      { metrics: [cpu(30)], clusters: { a: { pods: [...times(3, ready(90)), ...times(3, pending)] } } },
      9,
    ],
    [
      "B22: readiness windows are for CPU alone: an unready pod's memory counts",
      {
        metrics: [{ type: "Resource", name: "memory", target: { type: "AverageValue", averageValue: 100 } }],
        clusters: {
          a: { pods: [ready(100), ready(100), podWith({ ready: { status: "False", sinceMs: 0 } }, 400)] },
        },
      },
      6,
    ],
    [
      "B23, D-13: a native sidecar's request counts: 120m of 200m are 60 % of 60 %",
      {
        metrics: [cpu(60)],
        clusters: { a: { pods: times(3, podWith({ containers: [app, sidecar] }, 120)) } },
      },
      3,
    ],
    [
      "D-13: pod-level requests stand in for the containers' sum: 120m of 200m",
      {
        metrics: [cpu(60)],
        clusters: { a: { pods: times(3, podWith({ podRequests: { cpu: 200 } }, 120)) } },
      },
      3,
    ],
    [
      "B25: a finished Job pod without requests does not break the metric",
      {
        clusters: {
          a: {
            replicas: 2,
            pods: [ready(90), ready(90), unmeasured({ phase: "Succeeded", containers: [] })],
          },
        },
      },
      4,
    ],
    [
      "B28, D-14: a pod whose sample lacks the container is missing: 270 ÷ 400 = 67 %, ceil(1.34 × 4) = 6",
      {
        metrics: [
          {
            type: "ContainerResource",
            name: "cpu",
            container: "app",
            target: { type: "Utilization", averageUtilization: 50 },
          },
        ],
        clusters: { a: { pods: [...times(3, ready(90)), unmeasured()] } },
      },
      6,
    ],
    [
      "ContainerResource: requests of other containers do not count: 60m of the app's 100m, not of 200m",
      {
        metrics: [
          {
            type: "ContainerResource",
            name: "cpu",
            container: "app",
            target: { type: "Utilization", averageUtilization: 30 },
          },
        ],
        clusters: { a: { pods: times(2, podWith({ containers: [app, sidecar] }, 60)) } },
      },
      4,
    ],
    [
      "B45, D-03: web-0 and web-1 of two clusters are four pods: 90, 90, 10, 10 are 50 %",
      {
        duplicated: true,
        template: 2,
        clusters: { a: { pods: times(2, ready(90)) }, b: { pods: times(2, ready(10)) } },
      },
      2,
    ],
    [
      "C05: web-0 of two clusters at 50 are two pods at 50 of a Pods metric, not one at 100",
      { metrics: [podsMetric(50)], clusters: { a: { pods: [ready(50)] }, b: { pods: [ready(50)] } } },
      2,
    ],
    [
      "C04, D-03: samples of pods that are not bound drop out of the average: 100 of 100 stays",
      {
        metrics: [podsMetric(100)],
        clusters: { a: { pods: times(2, ready(100)), strays: { "canary-0": 0, "canary-1": 0 } } },
      },
      2,
    ],
    [
      "B49, D-30: a negative sample is none: (0 + 180) ÷ 300 = 60 %, ceil(1.2 × 3) = 4",
      { clusters: { a: { pods: [ready(-513), ready(90), ready(90)] } } },
      4,
    ],
    [
      "scale-in fills a missing pod with its request: (10 + 10 + 100) ÷ 300 = 40 % of 80 %",
      { metrics: [cpu(80)], clusters: { a: { pods: [ready(10), ready(10), unmeasured()] } } },
      2,
    ],
    [
      "… or with the target where that is above 100 %: (50 + 50 + 150) ÷ 300 = 83 % of 150 %",
      { metrics: [cpu(150)], clusters: { a: { pods: [ready(50), ready(50), unmeasured()] } } },
      2,
    ],
    [
      "C10: each cluster's own selector chooses its pods",
      {
        clusters: {
          a: { replicas: 1, pods: [ready(90), podWith({ labels: { app: "other" } }, 0)] },
          b: {
            replicas: 1,
            selector: "app=web-eu",
            pods: [podWith({ labels: { app: "web-eu" } }, 90), podWith({ labels: { app: "web" } }, 0)],
          },
        },
      },
      4,
    ],
  ])("%s", (_, fleet, expected) => {
    expect(proposedBy(fleet)).toBe(expected);
  });

  it.each<[string, Fleet, string]>([
    [
      "a container without a request fails the metric, and is named",
      {
        clusters: { a: { pods: [ready(50), podWith({ containers: [{ name: "app", requests: {} }] }, 50)] } },
      },
      "missing request for cpu in container app of Pod web-1",
    ],
    [
      "no pods at all",
      { clusters: { a: { replicas: 2, pods: [] } } },
      "no metrics returned from resource metrics API",
    ],
    [
      "only finished pods are no pods",
      { clusters: { a: { replicas: 1, pods: [podWith({ phase: "Failed" }, 90)] } } },
      "no pods returned by selector while calculating replica count",
    ],
    [
      "only pending pods",
      { clusters: { a: { pods: [podWith({ phase: "Pending" }, 10)] } } },
      "did not receive metrics for any ready pods",
    ],
    [
      "requests of 0",
      { clusters: { a: { pods: [podWith({ containers: [{ name: "app", requests: { cpu: 0 } }] }, 10)] } } },
      "no metrics returned matched known pods",
    ],
  ])("%s", (_, fleet, message) => {
    const decision = decide(fleet);
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetResourceMetric");
    expect(decision.trace.metrics[0]?.fault?.message).toContain(message);
  });

  it("B26: pods of another workload are counted, and named in a warning", () => {
    const own = { owner: "ReplicaSet/web-6d4f9c7b58" };
    const canary = { owner: "ReplicaSet/web-canary-5f7d" };
    const decision = decide({
      clusters: {
        a: { replicas: 3, pods: [...times(3, podWith(own, 90)), ...times(2, podWith(canary, 90))] },
      },
    });
    expect(decision.trace.limits?.proposed).toBe(9);
    expect(decision.trace.foreignPods).toEqual({ count: 2, examples: ["a/web-3", "a/web-4"] });
    expect(decision.events.map(({ type, reason }) => `${type}/${reason}`)).toEqual(["Warning/ForeignPods"]);
  });

  it("B27: pods that another FederatedHPA selects too: neither scales", () => {
    const decision = decide({
      clusters: { a: { pods: times(2, ready(90)) } },
      ambiguousWith: ["shop/other"],
    });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/AmbiguousSelector");
    expect(decision.failure?.message).toBe(
      "pods by selector app=web are controlled by multiple HPAs: [shop/other shop/web]",
    );
  });

  it("B50: an absurd sample moves it at most to 2 × 10, and stands in the record", () => {
    const absurd = 18_446_744_074_000;
    const decision = decide({ max: 500, clusters: { a: { pods: [ready(absurd), ...times(9, ready(50))] } } });
    expect(decision.desiredReplicas).toBe(20);
    expect(decision.trace.metrics[0]?.suspect).toEqual({ cluster: "a", pod: "web-0", milliValue: absurd });
  });
});
