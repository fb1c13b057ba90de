import { describe, expect, it } from "vitest";
import { hubCache, type LoadContext } from "#app/load/context";
import { hubSamples, type PerPodMetric } from "#app/load/hub-samples";
import { openLoad } from "#app/load/open-load";
import type { Pod } from "#domain/fleet/pod";
import type { Member } from "#domain/fleet/snapshot";
import { PortFault } from "#ports/fault";
import type { KubeObject, ResourceRef, Server } from "#ports/kubernetes";
import type { MetricValuesQuery } from "#ports/metrics-api";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");
const TIMESTAMP = "2026-11-30T11:59:45Z";
const CPU: PerPodMetric = {
  type: "Resource",
  name: "cpu",
  target: { type: "Utilization", averageUtilization: 50 },
};
const REQUESTS: PerPodMetric = {
  type: "Pods",
  name: "requests",
  selector: "",
  target: { type: "AverageValue", averageValue: 50_000 },
};

function pod(name: string, readyForSeconds = 600): Pod {
  const sinceMs = NOW_MS - readyForSeconds * 1000;
  return {
    name,
    phase: "Running",
    deleted: false,
    startedAtMs: sinceMs,
    ready: { status: "True", sinceMs },
    containers: [],
    labels: { app: "web" },
  };
}

function member(cluster: string, pods: readonly Pod[]): Member {
  const scale = { specReplicas: pods.length, statusReplicas: pods.length, selector: "app=web" };
  return { cluster, scale: { ok: true, value: scale }, pods: { ok: true, value: pods }, samples: [] };
}

const podMetrics = (name: string, cpu: string, cluster?: string) => ({
  metadata: {
    name,
    ...(cluster === undefined ? {} : { annotations: { "resource.karmada.io/query-from-cluster": cluster } }),
  },
  timestamp: TIMESTAMP,
  window: "15s",
  containers: [{ name: "main", usage: { cpu } }],
});

const metricValue = (name: string, value: string) => ({
  describedObject: { kind: "Pod", name },
  metric: { name: "requests" },
  timestamp: TIMESTAMP,
  value,
});

/** `web-0 90` for each sample of each member, or the fault's code. */
function seen(metric: PerPodMetric, items: readonly unknown[], members: readonly Member[]) {
  return hubSamples(metric, { ok: true, value: items }, members, NOW_MS).map((read) =>
    read.ok ? read.value.map(({ pod: name, milliValue }) => `${name} ${milliValue}`) : read.fault.code,
  );
}

describe("samples from the hub's own metrics APIs", () => {
  const both = [member("eu", [pod("web-0")]), member("us", [pod("web-0")])];

  it("B45: each is of the cluster that the adapter names", () => {
    const items = [podMetrics("web-0", "90m", "eu"), podMetrics("web-0", "10m", "us")];
    expect(seen(CPU, items, both)).toEqual([["web-0 90"], ["web-0 10"]]);
  });

  it("C04: those of a cluster that is not bound drop out", () => {
    const items = [
      podMetrics("web-0", "90m", "eu"),
      podMetrics("web-0", "10m", "us"),
      podMetrics("web-0", "0", "asia"),
    ];
    expect(seen(CPU, items, both)).toEqual([["web-0 90"], ["web-0 10"]]);
  });

  it("one that names no cluster is of the one that has the pod", () => {
    const members = [member("eu", [pod("web-a")]), member("us", [pod("web-b")])];
    const items = [metricValue("web-b", "10"), metricValue("web-a", "90"), metricValue("web-c", "5")];
    expect(seen(REQUESTS, items, members)).toEqual([["web-a 90000"], ["web-b 10000"]]);
  });

  it("C05: one value for two pods of one name is none: the adapter has added them", () => {
    expect(seen(REQUESTS, [metricValue("web-0", "100")], both)).toEqual([
      "metric-unreadable",
      "metric-unreadable",
    ]);
    const [read] = hubSamples(REQUESTS, { ok: true, value: [metricValue("web-0", "100")] }, both, NOW_MS);
    expect(read).toMatchObject({
      fault: {
        message:
          "the hub's metrics adapter has one value for the pods web-0 of eu and us; read the members' own metrics",
      },
    });
  });

  it.each<[string, readonly Pod[], unknown]>([
    [
      "whose pods are Ready for long is a gap: the adapter has left it out",
      [pod("web-1", 121)],
      "metric-empty",
    ],
    ["whose pods are new has pods without a sample", [pod("web-1", 120)], []],
    ["without pods has none", [], []],
    ["whose pods are not Ready has pods without a sample", [{ ...pod("web-1"), phase: "Pending" }], []],
  ])("a cluster of which there is nothing, %s", (_case, pods, expected) => {
    const members = [member("eu", [pod("web-0")]), member("us", pods)];
    expect(seen(CPU, [podMetrics("web-0", "90m", "eu")], members)).toEqual([["web-0 90"], expected]);
  });

  it("an API that fails fails for every cluster, so that it is the metric's fault", () => {
    const fault = { code: "metric-unreadable", message: "503" } as const;
    expect(hubSamples(CPU, { ok: false, fault }, both, NOW_MS)).toEqual([
      { ok: false, fault },
      { ok: false, fault },
    ]);
  });
});

describe("`mainsheet.io/metrics-from: hub`", () => {
  const metadata = (name: string) => ({
    name,
    namespace: "shop",
    uid: name,
    resourceVersion: "1",
    generation: 1,
    labels: { "propagationpolicy.karmada.io/permanent-id": "p" },
  });
  const ref = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const deployment = (replicas: number) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata("web"),
    spec: { replicas, selector: { matchLabels: { app: "web" } } },
    status: { replicas },
  });
  const target = { type: "AverageValue", averageValue: "50" };
  const metrics = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
    { type: "Pods", pods: { metric: { name: "requests" }, target } },
    {
      type: "Object",
      object: {
        describedObject: { apiVersion: "v1", kind: "Service", name: "web" },
        metric: { name: "rps" },
        target: { type: "Value", value: "50" },
      },
    },
  ];
  const objectsOf = (at: Server): Record<string, readonly object[]> => ({
    federatedhpas: ["a", "b"].map((name) => ({
      metadata: { ...metadata(name), annotations: { "mainsheet.io/metrics-from": "hub" } },
      spec: { scaleTargetRef: ref, minReplicas: 1, maxReplicas: 5, metrics },
    })),
    clusters: ["eu", "us", "asia"].map((name) => ({
      metadata: { name },
      status: { conditions: [{ type: "Ready", status: name === "asia" ? "False" : "True" }] },
    })),
    resourcebindings: [
      {
        metadata: metadata("web-deployment"),
        spec: {
          resource: { ...ref, namespace: "shop", uid: "web" },
          replicas: 2,
          clusters: ["eu", "us", "asia"].map((name) => ({ name, replicas: 1 })),
        },
      },
    ],
    deployments: [deployment(at === "hub" ? 2 : 1)],
    pods: at === "hub" ? [] : [podObject(`web-${at.member}`)],
    "pods.metrics.k8s.io": [podMetrics("web-eu", "90m", "eu"), podMetrics("web-us", "10m", "us")],
  });
  const podObject = (name: string) => ({
    metadata: { name, namespace: "shop", labels: { app: "web" } },
    spec: { containers: [{ name: "main", resources: { requests: { cpu: "100m" } } }] },
    status: { phase: "Running", startTime: TIMESTAMP },
  });

  function world() {
    const asked: string[] = [];
    const keyOf = ({ group, resource }: ResourceRef) =>
      group === "metrics.k8s.io" ? `pods.${group}` : resource;
    const listed = (at: Server, resource: ResourceRef) => {
      asked.push(`${at === "hub" ? "hub" : at.member} ${keyOf(resource)}`);
      return (objectsOf(at)[keyOf(resource)] ?? []) as readonly KubeObject[];
    };
    const port = {
      list: async (at: Server, resource: ResourceRef) => ({
        items: listed(at, resource),
        resourceVersion: "1",
      }),
      get: async (at: Server, resource: ResourceRef) => {
        const [object] = listed(at, resource);
        if (object === undefined) throw new PortFault("missing", "404");
        return object;
      },
      versionsOf: async () => ["v1beta1"],
      metricValues: async (at: Server, { metric, version, described }: MetricValuesQuery) => {
        asked.push(`${at === "hub" ? "hub" : at.member} ${version} ${described?.resource}/${metric}`);
        return metric === "rps"
          ? [{ ...metricValue("web", "70"), describedObject: { kind: "Service", name: "web" } }]
          : [metricValue("web-eu", "30"), metricValue("web-us", "20")];
      },
    } as unknown as LoadContext["port"];
    const context = { hub: "h", port, cache: hubCache(port), nowMs: NOW_MS };
    const keys = ["a", "b"].map((name) => ({ namespace: "shop", name }));
    return { asked, load: openLoad(context, keys), keys };
  }

  it("all metrics come from the hub, one request each for all objects over the same pods, none from a member", async () => {
    const { asked, load, keys } = world();
    await Promise.all(keys.map((key) => load(key, NOW_MS)));
    const metricReads = asked.filter((what) => /metrics|requests|rps/.test(what)).sort();
    expect(metricReads).toEqual([
      "hub pods.metrics.k8s.io",
      "hub v1beta1 pods/requests",
      "hub v1beta1 services/rps",
    ]);
  });

  it("each cluster has its samples; one that is not Ready makes the adapter's sum a lower bound", async () => {
    const { load, keys } = world();
    const { snapshot } = (await load(keys[0] ?? { namespace: "", name: "" }, NOW_MS)) ?? {};
    const samples = snapshot?.members.map(({ cluster, samples: reads }) => [
      cluster,
      ...reads.map((read) => (read.ok ? read.value.map(({ milliValue }) => milliValue) : read.fault.code)),
    ]);
    expect(samples).toEqual([
      ["eu", [90], [30_000], []],
      ["us", [10], [20_000], []],
      ["asia", "cluster-not-ready", "cluster-not-ready", "cluster-not-ready"],
    ]);
    expect(snapshot?.metrics[2]).toMatchObject({
      kind: "value",
      milliValue: 70_000,
      missingClusters: ["asia"],
    });
  });
});
