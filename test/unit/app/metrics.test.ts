import { describe, expect, it } from "vitest";
import { memoryExternalMetrics } from "#adapters/memory/external-metrics";
import type { ExternalQuery } from "#ports/external-metrics";
import { externalMetric, metricWorld, objectMetric, podsMetric, scalerOf } from "./metric-world.ts";

const requests = (constant: number, more: object = {}) => ({
  podMetrics: [{ name: "requests", constant, ...more }],
});

describe("Pods metrics of two clusters whose pods have the same names", () => {
  /** Of member1's pods each sees nine times what those of member2 see. */
  const factors = { member1: 1.8, member2: 0.2 };

  it("B45, C05: the mean of both clusters counts: 90 and 10 of 50 is no reason to scale", async () => {
    const world = metricWorld({
      load: requests(200, { factors }),
      objects: [scalerOf("web", [podsMetric("50")])],
    });
    await world.slots(3);
    expect(world.replicas()).toBe(2);
    expect(world.condition("ScalingActive")).toMatchObject({ status: "True", reason: "ValidMetricFound" });
  });

  it("B45: twice the load on both is twice the replicas of each, then it rests", async () => {
    const world = metricWorld({
      load: requests(400, { factors }),
      objects: [scalerOf("web", [podsMetric("50")])],
    });
    await world.slots(8);
    expect(world.replicas()).toBe(4);
  });

  it("the snapshot holds each cluster's samples for itself", async () => {
    const world = metricWorld({
      load: requests(200, { factors }),
      objects: [scalerOf("web", [podsMetric("50")])],
    });
    const [loaded] = await world.load("web");
    const seen = loaded?.snapshot.members.map(({ cluster, samples: [read] }) => [
      cluster,
      read?.ok && read.value.map(({ pod, milliValue }) => `${pod} ${milliValue}`),
    ]);
    expect(seen).toEqual([
      ["member1", ["web-0 90000", "web-1 90000"]],
      ["member2", ["web-0 10000", "web-1 10000"]],
    ]);
  });

  it("B52, C03: a member whose adapter answers 503 is a gap: scale-out goes on, scale-in is held", async () => {
    const world = metricWorld({ load: requests(400), objects: [scalerOf("web", [podsMetric("50")])] });
    world.failMetrics("member2");
    await world.slots(1);
    expect(world.replicas()).toBe(4);
    expect(world.condition("ClustersReadable")).toMatchObject({ status: "False" });
    expect(world.condition("ClustersReadable").message).toContain("member2");
    world.setLoad({ podMetrics: [{ name: "requests", constant: 1 }] });
    await world.slots(4);
    expect(world.replicas()).toBe(4);
  });

  it("a metric that no adapter knows is the metric's fault, in words that say whom to ask", async () => {
    const world = metricWorld({ load: requests(1), objects: [scalerOf("web", [podsMetric("50", "none")])] });
    await world.slots(1);
    expect(world.condition("ScalingActive")).toMatchObject({
      status: "False",
      reason: "FailedGetPodsMetric",
    });
    expect(world.condition("ScalingActive").message).toContain("could not find the metric none for pods");
  });

  it("where no cluster serves custom metrics, that is said", async () => {
    const world = metricWorld({ load: {}, objects: [scalerOf("web", [podsMetric("50")])] });
    await world.slots(1);
    expect(world.condition("ScalingActive").message).toContain(
      "cluster member1 serves no custom.metrics.k8s.io; install a metrics adapter there",
    );
  });
});

describe("requests for Pods metrics", () => {
  const one = "get pods.custom.metrics.k8s.io/requests proxied";

  it("one for each member, however many objects want the metric", async () => {
    const objects = ["a", "b", "c"].map((name) => scalerOf(name, [podsMetric("50")]));
    const world = metricWorld({ load: requests(1), objects });
    await world.load("a", "b", "c");
    expect(world.requests.get(one)).toBe(2);
  });

  it("one for each metric selector", async () => {
    const route = { matchLabels: { route: "home" } };
    const objects = [
      scalerOf("a", [podsMetric("50"), podsMetric("50", "requests", route)]),
      scalerOf("b", [podsMetric("50", "requests", route)]),
    ];
    const world = metricWorld({ load: requests(1), objects });
    await world.load("a", "b");
    expect(world.requests.get(one)).toBe(4);
  });

  it("which version a member serves is asked once a minute", async () => {
    const world = metricWorld({ load: requests(1), objects: [scalerOf("a", [podsMetric("50")])] });
    await world.slots(5);
    expect(world.requests.get("get group custom.metrics.k8s.io proxied")).toBe(4);
  });

  it("none where no object wants a custom metric", async () => {
    const cpu = {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
    };
    const world = metricWorld({ load: requests(1), objects: [scalerOf("a", [cpu])] });
    await world.load("a");
    expect([...world.requests.keys()].filter((key) => key.includes("custom"))).toEqual([]);
  });
});

describe("Object metrics", () => {
  const waiting = (constant: number, more: object = {}) => ({
    objectMetrics: [{ name: "waiting", constant, ...more }],
  });
  const reading = async (world: ReturnType<typeof metricWorld>, name = "web") =>
    (await world.load(name))[0]?.snapshot.metrics[0];

  it("B46: are added over the clusters that have it", async () => {
    const world = metricWorld({ load: waiting(100), objects: [scalerOf("web", [objectMetric("50")])] });
    expect(await reading(world)).toMatchObject({ kind: "value", milliValue: 100_000 });
    await world.slots(1);
    expect(world.replicas()).toBe(4);
  });

  it("B46: while a cluster's part cannot be read, the rest is no reason to scale in", async () => {
    const world = metricWorld({ load: waiting(100), objects: [scalerOf("web", [objectMetric("100")])] });
    world.failMetrics("member2");
    expect(await reading(world)).toMatchObject({ milliValue: 50_000, missingClusters: ["member2"] });
    await world.slots(3);
    expect(world.replicas()).toBe(2);
    expect(world.condition("ScalingActive").message).toContain("metric waiting lacks the part of member2");
  });

  it("B46: and it is enough to scale out by", async () => {
    const world = metricWorld({ load: waiting(300), objects: [scalerOf("web", [objectMetric("50")])] });
    world.failMetrics("member2");
    await world.slots(1);
    expect(world.replicas()).toBe(6);
  });

  it("B46: a bound cluster that is not Ready is missing without being asked", async () => {
    const world = metricWorld({ load: waiting(100), objects: [scalerOf("web", [objectMetric("100")])] });
    world.cutOff("member2");
    await world.slots(3);
    expect(await reading(world)).toMatchObject({ milliValue: 50_000, missingClusters: ["member2"] });
    expect(world.requests.get("get statefulsets.apps.custom.metrics.k8s.io/waiting proxied")).toBe(1);
  });

  it.each([
    ["sum", 200_000],
    ["max", 100_000],
    ["mean", 100_000],
  ])("of a source that the clusters share, `mainsheet.io/object-metric: %s` makes %d", async (how, milli) => {
    const annotations = { "mainsheet.io/object-metric": how };
    const world = metricWorld({
      load: waiting(100, { whole: true }),
      objects: [scalerOf("web", [objectMetric("100")], { annotations })],
    });
    expect(await reading(world)).toMatchObject({ milliValue: milli });
  });

  it("are asked once for each member, however many objects want the same", async () => {
    const objects = ["a", "b"].map((name) => scalerOf(name, [objectMetric("50")]));
    const world = metricWorld({ load: waiting(100), objects });
    await world.load("a", "b");
    expect(world.requests.get("get statefulsets.apps.custom.metrics.k8s.io/waiting proxied")).toBe(2);
  });

  it("that no cluster has is empty, with the clusters that were asked", async () => {
    const world = metricWorld({
      load: waiting(100),
      objects: [scalerOf("web", [objectMetric("50", "none")])],
    });
    expect(await reading(world)).toEqual({
      kind: "fault",
      fault: {
        code: "metric-empty",
        message: "none of the clusters (member1, member2) has the metric none of StatefulSet web",
      },
    });
  });

  it("scale from 0, where the binding names no cluster any more", async () => {
    const object = { apiVersion: "v1", kind: "Namespace", name: "default" };
    const scaler = scalerOf("web", [objectMetric("50", "waiting", object)], { minReplicas: 0 });
    const world = metricWorld({ load: waiting(100, { object }), objects: [scaler], replicas: 0 });
    await world.slots(1);
    expect(world.replicas()).toBe(2);
  });

  it("an annotation that is none is a fault of the object, and nothing is written", async () => {
    const annotations = { "mainsheet.io/object-metric": "total" };
    const scaler = scalerOf("web", [objectMetric("50")], { annotations });
    const world = metricWorld({ load: waiting(100), objects: [scaler] });
    await world.slots(1);
    expect(world.replicas()).toBe(2);
    expect(world.condition("ScalingActive")).toMatchObject({
      reason: "InvalidSpec",
      message: "metadata.annotations[mainsheet.io/object-metric]: must be sum, max or mean",
    });
  });
});

describe("metrics from the hub, where Karmada's metrics adapter is installed", () => {
  const annotations = { "mainsheet.io/metrics-from": "hub" };
  const cpu = {
    type: "Resource",
    resource: { name: "cpu", target: { type: "AverageValue", averageValue: "50m" } },
  };

  it("Resource: pods of one name in two clusters are two pods, and nothing is asked of the members", async () => {
    const world = metricWorld({
      load: { cpu: { constant: "400m" } },
      objects: [scalerOf("web", [cpu], { annotations })],
      metricsAdapter: true,
    });
    const [loaded] = await world.load("web");
    expect(
      loaded?.snapshot.members.map(
        ({ samples: [read] }) => read?.ok && read.value.map(({ milliValue }) => milliValue),
      ),
    ).toEqual([
      [100, 100],
      [100, 100],
    ]);
    expect(world.requests.get("list pods.metrics.k8s.io")).toBe(1);
    expect([...world.requests.keys()].filter((key) => /metrics.*proxied/.test(key))).toEqual([]);
    await world.slots(1);
    expect(world.replicas()).toBe(4);
  });

  it("Resource: a cluster that the adapter leaves out is a gap: scale-in is held", async () => {
    const world = metricWorld({
      load: { cpu: { constant: "400m" } },
      objects: [scalerOf("web", [cpu], { annotations })],
      replicas: 8,
      metricsAdapter: true,
    });
    await world.slots(8);
    expect(world.replicas()).toBe(4);
    world.failMetrics("member2");
    world.setLoad({ cpu: { constant: "1m" } });
    await world.slots(4);
    expect(world.replicas()).toBe(4);
    expect(world.condition("ClustersReadable").message).toContain(
      "the hub's metrics adapter has nothing of cluster member2",
    );
  });

  it("Pods: the adapter's sum of two pods of one name is a fault, not a number (C05)", async () => {
    const world = metricWorld({
      load: requests(200),
      objects: [scalerOf("web", [podsMetric("50")], { annotations })],
      metricsAdapter: true,
    });
    await world.slots(1);
    expect(world.replicas()).toBe(2);
    expect(world.condition("ScalingActive").message).toContain(
      "one value for the pods web-0 of member1 and member2",
    );
  });

  it("Object: is the adapter's sum; with a bound cluster that is not Ready no reason to scale in", async () => {
    const load = { objectMetrics: [{ name: "waiting", constant: 100 }] };
    const scaler = scalerOf("web", [objectMetric("100")], { annotations });
    const world = metricWorld({ load, objects: [scaler], metricsAdapter: true });
    expect((await world.load("web"))[0]?.snapshot.metrics).toMatchObject([
      { kind: "value", milliValue: 100_000 },
    ]);
    world.cutOff("member2");
    await world.slots(4);
    expect((await world.load("web"))[0]?.snapshot.metrics).toMatchObject([
      { kind: "value", milliValue: 50_000, missingClusters: ["member2"] },
    ]);
    expect(world.replicas()).toBe(2);
  });

  it("without an adapter, that is said", async () => {
    const world = metricWorld({ load: {}, objects: [scalerOf("web", [cpu], { annotations })] });
    await world.slots(1);
    expect(world.condition("ScalingActive")).toMatchObject({
      status: "False",
      reason: "FailedGetResourceMetric",
    });
  });
});

describe("External metrics", () => {
  const queue = (constant: number) => ({ externalMetrics: [{ name: "queue", constant }] });

  it("B47: of the hub's API are supported: 90 waiting at 30 for each pod of a cluster are 3", async () => {
    const world = metricWorld({
      load: queue(180),
      objects: [scalerOf("web", [externalMetric("30", "queue")])],
    });
    await world.slots(1);
    expect(world.replicas()).toBe(3);
  });

  it("B47: one that nobody knows is said, beside a CPU below its target nothing is scaled in", async () => {
    const cpu = {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
    };
    const world = metricWorld({
      load: queue(1),
      objects: [scalerOf("web", [cpu, externalMetric("30", "none")])],
    });
    await world.slots(3);
    expect(world.replicas()).toBe(2);
    expect(world.condition("ScalingActive")).toMatchObject({
      status: "False",
      reason: "FailedGetExternalMetric",
    });
    expect(world.condition("ScalingActive").message).toContain("could not find the metric none");
  });

  it("equal metrics of several objects are one request to the hub", async () => {
    const objects = ["a", "b", "c"].map((name) => scalerOf(name, [externalMetric("30", "queue")]));
    const world = metricWorld({ load: queue(90), objects });
    await world.load("a", "b", "c");
    expect(world.requests.get("get queue.external.metrics.k8s.io")).toBe(1);
  });

  it("each source is asked once for all objects of an invocation, and only for its own", async () => {
    const asked: (readonly ExternalQuery[])[] = [];
    const cloudwatch = memoryExternalMetrics({
      read: () => ({ milliValue: 60_000, timestampMs: 0 }),
      observe: (queries) => asked.push(queries),
    });
    const definition = { namespace: "Shop", metric: "orders" };
    const annotations = { "mainsheet.io/cloudwatch": JSON.stringify({ orders: definition }) };
    const name = "orders.cloudwatch.mainsheet.io";
    const objects = ["a", "b"].map((scaler) =>
      scalerOf(scaler, [externalMetric("30", name), externalMetric("30", "queue")], { annotations }),
    );
    const world = metricWorld({ load: queue(90), objects, external: { cloudwatch } });
    const loaded = await world.load("a", "b");
    expect(asked).toEqual([[{ namespace: "default", name, selector: "", definition }]]);
    expect(loaded.map((one) => one?.snapshot.metrics)).toEqual(
      Array(2).fill([
        { kind: "value", milliValue: 60_000, timestampMs: 0 },
        expect.objectContaining({ kind: "value", milliValue: 90_000 }),
      ]),
    );
  });

  it("a source that is not wired is the metric's fault", async () => {
    const annotations = { "mainsheet.io/cloudwatch": '{"orders":{"namespace":"Shop","metric":"orders"}}' };
    const scaler = scalerOf("web", [externalMetric("30", "orders.cloudwatch.mainsheet.io")], { annotations });
    const world = metricWorld({ load: queue(1), objects: [scaler] });
    const [loaded] = await world.load("web");
    expect(loaded?.snapshot.metrics).toMatchObject([{ kind: "fault", fault: { code: "metric-unreadable" } }]);
  });
});
