import { beforeAll, describe, expect, it } from "vitest";
import { TOPOLOGY, type Topology } from "#infra/topology";
import { MEASURES, SELDOM_MEASURES } from "#ports/telemetry";
import type { Recording } from "#test/infra/privileged-host";
import { type Resource, resourcesOf, stackOf } from "#test/infra/stack";

interface Measured {
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  readonly atMs: number;
}

/** What CloudWatch makes of the functions' log lines. Ref: CloudWatch User Guide, "Embedded metric format specification". */
function measuredIn({ log }: Recording): Measured[] {
  return log.flatMap(({ line }) =>
    (line._aws?.CloudWatchMetrics ?? []).flatMap(
      // biome-ignore lint/suspicious/noExplicitAny: the embedded metric format has no types here.
      ({ Namespace, Dimensions, Metrics }: any): Measured[] => {
        expect([Namespace, Dimensions.length]).toEqual(["Mainsheet", 1]);
        const dimensions = Object.fromEntries(Dimensions[0].map((name: string) => [name, line[name]]));
        return Metrics.map(({ Name }: { Name: string }) => ({
          name: Name,
          dimensions,
          values: [line[Name]].flat(),
          atMs: line._aws.Timestamp,
        }));
      },
    ),
  );
}

/** What the dashboard and the alarms read is what the functions write (O2: from recorded data). */
export function describeMeasures(recorded: () => Recording, bundles: () => string): void {
  describe("measures of the recorded run", () => {
    let measured: readonly Measured[];
    let resources: Record<string, Resource>;
    beforeAll(() => {
      measured = measuredIn(recorded());
      resources = resourcesOf(stackOf(bundles(), { hubs: [{ name: "eu", kubeconfig: { secret: "eu" } }] }));
    }, 60_000);

    const sum = (name: string) =>
      measured
        .filter((each) => each.name === name)
        .reduce((total, { values }) => total + values.reduce((a, b) => a + b, 0), 0);

    it("every measure was written, with few dimensions", () => {
      expect(new Set(measured.map(({ name }) => name))).toEqual(new Set(Object.keys(MEASURES)));
      const combinations = new Set(measured.map(({ dimensions }) => JSON.stringify(dimensions)));
      expect([...combinations].sort()).toEqual(
        [
          { service: "mainsheet", hub: "-" },
          { service: "mainsheet", hub: "eu" },
          { service: "mainsheet", hub: "eu", cluster: "member1" },
          { service: "mainsheet", hub: "eu", cluster: "member2" },
        ]
          .map((dimensions) => JSON.stringify(dimensions))
          .sort(),
      );
    });

    it("and says what happened: scales, cron runs, parked messages, a cluster that was away", () => {
      const scaled = recorded().log.filter(
        ({ line }) => line.message === "decision" && line.result === "scaled",
      );
      expect(sum("ScaleOuts") + sum("ScaleIns")).toBe(scaled.length);
      expect(scaled.length).toBeGreaterThan(3);
      const cron = recorded().log.flatMap(({ line }) => (line.message === "cron" ? [line.runs ?? 0] : []));
      expect(sum("CronRuns")).toBe(cron.reduce((total, runs) => total + runs, 0));
      // Two that came due; a message that comes twice may evaluate them twice.
      expect(sum("CronRuns")).toBeGreaterThanOrEqual(2);
      expect(sum("MessagesParked")).toBe(2);
      expect(sum("UnreadableClusters")).toBeGreaterThan(0);
    });

    it("and what the bus still refuses after its retries, of every function that puts events (B91)", () => {
      const missed = recorded().log.filter(({ line }) => /^event not published/.test(line.message));
      const putting = Object.entries((TOPOLOGY as Topology).functions).filter(([, { bus }]) => bus);
      expect(new Set(missed.map(({ functionName }) => functionName))).toEqual(
        new Set(putting.map(([name]) => name)),
      );
      expect(sum("EventsRefused")).toBe(missed.length);
    });

    it("what seldom happens is written when it does and never as 0, since it is paid by the hour", () => {
      const values = (name: string) =>
        measured.filter((each) => each.name === name).flatMap((each) => each.values);
      for (const name of SELDOM_MEASURES) expect(Math.min(...values(name))).toBeGreaterThan(0);
    });

    it("the dashboard and the alarms read no other metric of ours than those", () => {
      const written = new Set(measured.map(({ name }) => name));
      const read = new Set<string>();
      for (const { Type, Properties } of Object.values(resources)) {
        if (Type !== "AWS::CloudWatch::Alarm" && Type !== "AWS::CloudWatch::Dashboard") continue;
        const text = JSON.stringify(Properties);
        const names =
          Type === "AWS::CloudWatch::Dashboard"
            ? [...text.matchAll(/Mainsheet\/mainsheet\\+",\\+"(\w+)\\+"|MetricName=\\+"(\w+)\\+"/g)]
            : text.includes('Mainsheet/mainsheet"')
              ? [...text.matchAll(/"MetricName":"(\w+)"/g)]
              : [];
        for (const [, first, second] of names) read.add(first ?? second ?? "");
      }
      expect([...read].filter((name) => !written.has(name))).toEqual([]);
      // All that is paid for is looked at.
      expect([...written].filter((name) => !read.has(name))).toEqual([]);
    });

    it("the dashboard has the three panels: replicas by cluster, the latencies, failovers and scales", () => {
      const dashboard = Object.values(resources).find(({ Type }) => Type === "AWS::CloudWatch::Dashboard");
      const parts = dashboard?.Properties.DashboardBody["Fn::Join"][1] as unknown[];
      const body = JSON.parse(parts.map((part) => (typeof part === "string" ? part : "x")).join(""));
      const widgets: { properties: { title: string; stacked?: boolean; metrics?: object[] } }[] =
        body.widgets;
      const titled = (title: string) =>
        widgets.find(({ properties }) => properties.title === title)?.properties;
      expect(titled("eu: replicas by cluster")).toMatchObject({ stacked: true });
      expect(titled("eu: decision and sweep latency")?.metrics).toHaveLength(3);
      expect(titled("eu: failovers and scales")?.metrics).toHaveLength(4);
      expect(widgets.map(({ properties }) => properties.title)).toEqual(
        expect.arrayContaining([
          "Alarms",
          "Events: matched, delivered, evaluations asked for",
          "Queues: age of the oldest message, dead letters",
          "Functions: duration, errors and throttles",
          expect.stringMatching(/^Cost: USD a month/),
        ]),
      );
    });

    it("a slot's replicas by cluster are those that ran there, each counted once", () => {
      const ofCluster = measured.filter(
        ({ name, dimensions }) => name === "Replicas" && dimensions.cluster === "member1",
      );
      const slots = new Map<number, number>();
      for (const { atMs, values } of ofCluster) {
        const slot = Math.floor(atMs / 15_000);
        slots.set(slot, (slots.get(slot) ?? 0) + values.reduce((a, b) => a + b, 0));
      }
      expect([...slots.values()].at(-1)).toBe(recorded().replicas);
      expect(recorded().replicas).toBeGreaterThan(9);
    });
  });
}
