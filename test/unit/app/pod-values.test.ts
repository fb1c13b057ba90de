import { describe, expect, it } from "vitest";
import { hubCache, type LoadContext } from "#app/load/context";
import { readPodValues } from "#app/load/pod-values";
import type { PodsMetric } from "#domain/spec/federated-hpa";
import { EVERYTHING } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import { PortFault, type PortFaultKind } from "#ports/fault";
import type { MetricValuesQuery } from "#ports/metrics-api";
import { expectFault } from "#test/contract/expect-fault";

const MEMBER = { member: "eu" };

function world(
  versions: readonly string[],
  answer: (query: MetricValuesQuery) => readonly unknown[] = () => [],
) {
  const asked: MetricValuesQuery[] = [];
  const port = {
    versionsOf: async () => versions,
    metricValues: async (_at: unknown, query: MetricValuesQuery) => {
      asked.push(query);
      return answer(query);
    },
  } as unknown as LoadContext["port"];
  const context = { hub: "h", port, cache: hubCache(port), nowMs: 0 };
  const read = (...needs: readonly (readonly [PodsMetric, string])[]) =>
    readPodValues(
      context,
      MEMBER,
      "shop",
      needs.map(([metric, text]) => ({ metric, selector: selectorOf(text) })),
    );
  return { asked, read };
}

function selectorOf(text: string) {
  const parsed = parseSelector(text);
  return parsed.ok ? parsed.value : EVERYTHING;
}

const rps = (selector = ""): PodsMetric => ({
  type: "Pods",
  name: "rps",
  selector,
  target: { type: "AverageValue" },
});

describe("reading a Pods metric", () => {
  it("asks for the pods that all selectors have in common, in the newest version", async () => {
    const { asked, read } = world(["v1beta1", "v1beta2"]);
    await read([rps(), "app=a,tier=web"], [rps(), "app=b,tier=web"]);
    expect(asked).toEqual([
      {
        group: "custom.metrics.k8s.io",
        version: "v1beta2",
        namespace: "shop",
        described: { resource: "pods", name: "*" },
        metric: "rps",
        labelSelector: "app in (a,b),tier=web",
      },
    ]);
  });

  it("asks in the older version where there is no newer, and not in one that is unknown here", async () => {
    const { asked, read } = world(["v2", "v1beta1"]);
    await read([rps(), "app=a"]);
    expect(asked.map(({ version }) => version)).toEqual(["v1beta1"]);
  });

  it("asks for all pods where the selectors would make a URL that a proxy cuts", async () => {
    const { asked, read } = world(["v1beta2"]);
    const values = Array.from({ length: 400 }, (_, i) => `application-${i}`).join(",");
    await read([rps(), `app in (${values})`]);
    expect(asked.map(({ labelSelector }) => labelSelector)).toEqual([undefined]);
  });

  it("keeps what different metric selectors select apart", async () => {
    const { asked, read } = world(["v1beta2"], ({ metricLabelSelector }) => [metricLabelSelector]);
    const values = await read([rps(), "app=a"], [rps("verb=GET"), "app=a"], [rps("verb=GET"), "app=b"]);
    expect(
      asked.map(({ metricLabelSelector, labelSelector }) => [metricLabelSelector, labelSelector]),
    ).toEqual([
      [undefined, "app=a"],
      ["verb=GET", "app in (a,b)"],
    ]);
    expect(values(rps())).toEqual({ ok: true, value: [undefined] });
    expect(values(rps("verb=GET"))).toEqual({ ok: true, value: ["verb=GET"] });
  });

  it.each<PortFaultKind>(["unavailable", "denied", "missing", "invalid"])(
    "B52: an answer that is %s is a fault of this server, never no load",
    async (kind) => {
      const { read } = world(["v1beta2"], () => {
        throw new PortFault(kind, "503");
      });
      const values = await read([rps(), "app=a"]);
      expect(values(rps())).toEqual({ ok: false, fault: { code: "metric-unreadable", message: "503" } });
    },
  );

  it("a server that asks to slow down ends the turn", async () => {
    const { read } = world(["v1beta2"], () => {
      throw new PortFault("throttled", "429");
    });
    await expectFault("throttled", read([rps(), "app=a"]));
  });

  it("asks nothing where nothing is needed", async () => {
    const { asked, read } = world(["v1beta2"]);
    await read();
    expect(asked).toEqual([]);
  });
});
