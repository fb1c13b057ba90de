import { describe, expect, it } from "vitest";
import type { MetricValuesQuery } from "#ports/metrics-api";
import { type Exam, member1, member2, rejects } from "./exam.ts";

const custom = { group: "custom.metrics.k8s.io", version: "v1beta2", namespace: "shop" };
const external = { group: "external.metrics.k8s.io", version: "v1beta1", namespace: "shop" };
const ofPods: MetricValuesQuery = {
  ...custom,
  described: { resource: "pods", name: "*" },
  metric: "requests",
};
const ofWeb: MetricValuesQuery = {
  ...custom,
  described: { resource: "deployments.apps", name: "web" },
  metric: "waiting",
};

/** Values of the metrics APIs that adapters serve (`MetricsApiPort`). */
export function metrics(exam: Exam): void {
  describe("metrics APIs of adapters", () => {
    it("names the versions in which a group is served, the preferred first; none where it is not", async () => {
      expect(await exam.port.versionsOf(member1, custom.group)).toEqual(["v1beta2", "v1beta1"]);
      expect(await exam.port.versionsOf("hub", external.group)).toEqual(["v1beta1"]);
      expect(await exam.port.versionsOf("hub", "apps")).toEqual(["v1"]);
      expect(await exam.port.versionsOf("hub", custom.group)).toEqual([]);
    });

    it("reads the values of all pods that match, of one member each", async () => {
      for (const at of [member1, member2]) {
        const values = await exam.port.metricValues(at, { ...ofPods, labelSelector: "app=web" });
        expect(values).toHaveLength(2);
        expect(values[0]).toEqual({
          describedObject: {
            kind: "Pod",
            namespace: "shop",
            name: expect.stringMatching(/^web-/),
            apiVersion: "v1",
          },
          metric: { name: "requests", selector: null },
          timestamp: "2026-03-02T09:00:05Z",
          windowSeconds: 15,
          value: "250m",
        });
      }
    });

    it("reads no values where the pods' labels or the series' labels are others", async () => {
      for (const selector of [{ labelSelector: "app=idle" }, { metricLabelSelector: "route=none" }]) {
        expect(await exam.port.metricValues(member1, { ...ofPods, ...selector })).toEqual([]);
      }
    });

    it("reads the older form where the version is the older one", async () => {
      const [value] = await exam.port.metricValues(member1, { ...ofPods, version: "v1beta1" });
      expect(value).toMatchObject({ metricName: "requests", window: 15 });
    });

    it("reads each member's part of an object's metric", async () => {
      for (const at of [member1, member2]) {
        expect(await exam.port.metricValues(at, ofWeb)).toMatchObject([
          { describedObject: { kind: "Deployment", name: "web" }, value: "30000m" },
        ]);
      }
    });

    it("reads external metrics of the hub, narrowed by their labels", async () => {
      const queue = { ...external, metric: "queue" };
      expect(await exam.port.metricValues("hub", { ...queue, labelSelector: "name=orders" })).toMatchObject([
        { metricName: "queue", metricLabels: { name: "orders" }, value: "7000m" },
      ]);
      expect(await exam.port.metricValues("hub", { ...queue, labelSelector: "name=other" })).toEqual([]);
    });

    it.each<[string, MetricValuesQuery]>([
      ["a metric that nobody has", { ...ofPods, metric: "none" }],
      [
        "an object that is not there",
        { ...ofWeb, described: { resource: "deployments.apps", name: "none" } },
      ],
      ["another namespace", { ...ofPods, namespace: "other" }],
      [
        "the namespace's own metric, of which there is none",
        { ...ofPods, described: { resource: "metrics" } },
      ],
      ["a version that is not served", { ...ofPods, version: "v9" }],
      ["an API that is not served there", { ...external, metric: "queue" }],
    ])("is missing for %s", async (_case, query) => {
      await rejects(exam.port.metricValues(member1, query), "missing");
    });

    it("is unavailable while the member's metrics fail", async () => {
      exam.world.faults.failMetrics("member1");
      await rejects(exam.port.metricValues(member1, ofPods), "unavailable");
      await rejects(exam.port.versionsOf(member1, custom.group), "unavailable");
      expect(await exam.port.metricValues(member2, ofPods)).toHaveLength(2);
    });
  });
}
