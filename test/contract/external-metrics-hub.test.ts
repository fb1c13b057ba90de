import { describe, expect, it } from "vitest";
import { hubExternalMetrics } from "#adapters/kubernetes/external-metrics";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { PortFault } from "#ports/fault";
import type { MetricsApiPort } from "#ports/metrics-api";
import { KINDS } from "#sim/kinds";
import { typeOf, written } from "#sim/writes";
import { expectFault } from "#test/contract/expect-fault";
import { externalMetricsContract } from "#test/contract/external-metrics.contract";
import { contractFleet } from "#test/contract/kubernetes-fleet";

externalMetricsContract("the hub's external.metrics.k8s.io", async () => {
  const { fleet, clock } = contractFleet();
  let isCut = false;
  let requests = 0;
  const port = memoryKubernetes(fleet, clock, {
    before({ verb }) {
      if (verb !== "metricValues") return;
      requests += 1;
      if (isCut) throw new PortFault("unavailable", "read orders: no answer");
    },
  });
  const loads = typeOf(fleet.hub, KINDS.loads);
  if (loads === undefined) throw new Error("the hub serves no Loads");
  return {
    port: hubExternalMetrics(port),
    nowMs: () => clock.nowMs(),
    query: (name) => ({ namespace: "shop", name, selector: "" }),
    async put(values) {
      const externalMetrics = Object.entries(values).map(([name, value]) => ({
        name,
        // Quantities have no exponent below 0 but in this form.
        constant: value.toFixed(9),
      }));
      const body = { spec: { externalMetrics } };
      const key = { namespace: "shop", name: "web" };
      written(fleet.hub.patch(loads, key, { type: "merge", body }, { nowMs: clock.nowMs() }));
    },
    refused: { namespace: "shop", name: "orders", selector: "a=b=c" },
    cut() {
      isCut = true;
    },
    requests: () => requests,
    async close() {},
  };
});

describe("the hub's external metrics, beside the contract", () => {
  const at = (value: string, labels = {}) => ({
    metricName: "queue",
    metricLabels: labels,
    timestamp: "2026-11-30T12:00:00Z",
    value,
  });
  const answering = (items: readonly unknown[]): MetricsApiPort => ({
    versionsOf: async () => ["v1beta1"],
    metricValues: async () => items,
  });
  const queue = { namespace: "shop", name: "queue", selector: "team=a" };

  it("Kubernetes: the values of all series are added, and the first one's instant counts", async () => {
    const port = hubExternalMetrics(answering([at("1500m", { shard: "0" }), at("2", { shard: "1" })]));
    expect(await port.read([queue], 0)).toEqual([
      { ok: true, value: { milliValue: 3_500, timestampMs: Date.parse("2026-11-30T12:00:00Z") } },
    ]);
  });

  it("a value that is none makes the sum none", async () => {
    const [read] = await hubExternalMetrics(answering([at("1"), at("many")])).read([queue], 0);
    expect(read).toMatchObject({ ok: false, fault: { code: "metric-unreadable" } });
    expect(JSON.stringify(read)).toContain('items[1].value: found \\"many\\"');
  });

  it("the namespace, the name and the selector are what is asked for", async () => {
    const asked: unknown[] = [];
    const port = hubExternalMetrics({
      versionsOf: async () => [],
      metricValues: async (_at, query) => {
        asked.push(query);
        return [];
      },
    });
    await port.read([queue, { ...queue, selector: "" }, queue], 0);
    const common = {
      group: "external.metrics.k8s.io",
      version: "v1beta1",
      namespace: "shop",
      metric: "queue",
    };
    expect(asked).toEqual([{ ...common, labelSelector: "team=a" }, common]);
  });

  it("a hub that asks to slow down ends the turn", async () => {
    const port = hubExternalMetrics({
      versionsOf: async () => [],
      metricValues: async () => {
        throw new PortFault("throttled", "429");
      },
    });
    await expectFault("throttled", port.read([queue], 0));
  });
});
