import { describe, expect, it } from "vitest";
import { readMetricValues, readPodMetrics } from "#wire/pod-metrics";

const AT = "2026-03-01T08:00:00Z";
const AT_MS = 1_772_352_000_000;

function podMetrics(
  name: string,
  usage: Readonly<Record<string, Readonly<Record<string, string>>>>,
  rest = {},
) {
  const containers = Object.entries(usage).map(([container, amounts]) => ({
    name: container,
    usage: amounts,
  }));
  return { metadata: { name, namespace: "shop" }, timestamp: AT, window: "15s", containers, ...rest };
}

function metricValue(name: string, value: string, rest = {}) {
  return { describedObject: { kind: "Pod", name, namespace: "shop" }, timestamp: AT, value, ...rest };
}

const cpuByPod = (items: readonly unknown[], container?: string) =>
  readPodMetrics(items, { resource: "cpu", ...(container === undefined ? {} : { container }) }).samples.map(
    ({ pod, milliValue }) => [pod, milliValue],
  );

describe("samples of metrics.k8s.io", () => {
  it("carry amount, instant and window", () => {
    const { samples, faults } = readPodMetrics(
      [
        podMetrics(
          "web-0",
          { app: { cpu: "3487521n", memory: "128Mi" }, sidecar: { cpu: "250u", memory: "1Ki" } },
          { window: "14.863s" },
        ),
      ],
      { resource: "memory" },
    );
    expect(samples).toEqual([
      { pod: "web-0", milliValue: (128 * 1024 + 1) * 1024 * 1000, timestampMs: AT_MS, windowSeconds: 14.863 },
    ]);
    expect(faults).toEqual([]);
  });

  it("add containers that were each rounded up to a thousandth", () => {
    expect(cpuByPod([podMetrics("web-0", { app: { cpu: "3487521n" }, sidecar: { cpu: "250u" } })])).toEqual([
      ["web-0", 5],
    ]);
  });

  it.each([
    ["a pod without containers", podMetrics("web-1", {})],
    [
      "a container that lacks the resource",
      podMetrics("web-1", { app: { cpu: "1" }, sidecar: { memory: "1Mi" } }),
    ],
    ["B49, D-30: a negative amount after a restart", podMetrics("web-1", { app: { cpu: "-513m" } })],
    [
      "B49, D-30: one negative container of two",
      podMetrics("web-1", { app: { cpu: "700m" }, sidecar: { cpu: "-1n" } }),
    ],
  ])("%s has none, and costs no other pod its own", (_, odd) => {
    const items = [
      podMetrics("web-0", { app: { cpu: "90m" } }),
      odd,
      podMetrics("web-2", { app: { cpu: "0" } }),
    ];
    expect(readPodMetrics(items, { resource: "cpu" }).faults).toEqual([]);
    expect(cpuByPod(items)).toEqual([
      ["web-0", 90],
      ["web-2", 0],
    ]);
  });

  it("D-14: a pod that lacks the container asked for has none; the others have that container's amount", () => {
    const items = [
      podMetrics("web-0", { app: { cpu: "1" } }),
      podMetrics("web-1", { app: { cpu: "1" }, sidecar: { cpu: "20m" } }),
    ];
    expect(cpuByPod(items, "sidecar")).toEqual([["web-1", 20]]);
  });

  it("D-03: two items of one name stay two", () => {
    const items = [podMetrics("db-0", { app: { cpu: "10m" } }), podMetrics("db-0", { app: { cpu: "90m" } })];
    expect(cpuByPod(items)).toEqual([
      ["db-0", 10],
      ["db-0", 90],
    ]);
  });
});

describe("samples of custom.metrics.k8s.io", () => {
  it("have a window of 60 s where none is given, under either version's name", () => {
    const items = [
      metricValue("web-0", "1500m"),
      metricValue("web-1", "2", { windowSeconds: 10 }),
      metricValue("web-2", "3", { window: 30 }),
    ];
    expect(readMetricValues(items).samples).toEqual([
      { pod: "web-0", milliValue: 1500, timestampMs: AT_MS, windowSeconds: 60 },
      { pod: "web-1", milliValue: 2000, timestampMs: AT_MS, windowSeconds: 10 },
      { pod: "web-2", milliValue: 3000, timestampMs: AT_MS, windowSeconds: 30 },
    ]);
  });

  it("D-30: are none where the value is negative", () => {
    expect(readMetricValues([metricValue("web-0", "-1")])).toEqual({ samples: [], faults: [] });
  });
});

describe("items that are not as the API promises", () => {
  const app = { app: { cpu: "1" } };

  it.each([
    [podMetrics("web-0", app, { timestamp: "yesterday" }), "items[0].timestamp", '"yesterday"'],
    [podMetrics("web-0", app, { window: "15" }), "items[0].window", '"15"'],
    [podMetrics("web-0", app, { window: "-15s" }), "items[0].window", '"-15s"'],
    [podMetrics("web-0", { app: { cpu: "1 m" } }), "items[0].containers[0].usage.cpu", '"1 m"'],
    [podMetrics("web-0", app, { containers: "app" }), "items[0].containers", '"app"'],
    [podMetrics("web-0", app, { metadata: {} }), "items[0].metadata.name", "nothing"],
  ])("are named, and give no sample: %#", (item, path, found) => {
    const { samples, faults } = readPodMetrics([item], { resource: "cpu" });
    expect(samples).toEqual([]);
    expect(faults.map((fault) => fault.path)).toEqual([path]);
    expect(faults[0]?.detail).toContain(`found ${found} where `);
  });

  it.each([
    [metricValue("web-0", "1", { windowSeconds: "60" }), "items[0].windowSeconds"],
    [metricValue("web-0", "x"), "items[0].value"],
    [metricValue("", "1"), "items[0].describedObject.name"],
  ])("are named, and give no sample: custom %#", (item, path) => {
    const { samples, faults } = readMetricValues([item]);
    expect(samples).toEqual([]);
    expect(faults.map((fault) => fault.path)).toEqual([path]);
  });

  it.each([[null], [undefined], [7], ["x"], [[]], [{ containers: [null], metadata: { name: {} } }]])(
    "never throw: %j",
    (item) => {
      expect(readPodMetrics([item], { resource: "cpu" }).samples).toEqual([]);
      expect(readMetricValues([item]).samples).toEqual([]);
    },
  );
});
