import { describe, expect, it } from "vitest";
import type { Decision, MetricTrace } from "#domain/scale/decision";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import { readLoadHistory } from "#infra/simulate/load-history";
import type { DecisionRecord } from "#wire/decision-record";

const START = Date.parse("2026-03-02T09:00:00Z");
const pods = { ready: 4, unready: 1, missing: 0, ignored: 0 };

function record(
  seconds: number,
  metric: Partial<MetricTrace>,
  name = "web",
  more: object = {},
): DecisionRecord {
  const decision = {
    namespace: "shop",
    name,
    instantMs: START + seconds * 1000,
    trace: {
      clusters: [{ cluster: "a", statusReplicas: 2 }, { cluster: "b", statusReplicas: 3 }, { cluster: "c" }],
      metrics: [metric],
    },
  } as unknown as Decision;
  const id = { hub: "h", namespace: "shop", name };
  return {
    id,
    atMs: decision.instantMs,
    result: "unchanged",
    code: "1",
    decision,
    inputs: { replayable: false, why: "" },
    ...more,
  };
}

const object = (name = "web") => ({ namespace: "shop", name }) as FederatedHpa;
const spec = (type: string, name: string) => ({ type, name }) as MetricSpec;

function loadOf(records: DecisionRecord[]) {
  const read = readLoadHistory("shop.jsonl", records);
  if (!read.ok) throw new Error(read.fault);
  return read.value;
}

describe("a load from decisions on record", () => {
  it("is what the measured pods used together, in the order of time, and lasts a slot longer than the last", () => {
    const cpu = (averageValue: number) =>
      ({ type: "Resource", name: "cpu", current: { averageValue }, pods }) as const;
    const load = loadOf([record(30, cpu(200)), record(0, cpu(100))]);
    expect(load).toMatchObject({ startMs: START, spanSeconds: 45 });
    expect(load.of(object(), spec("Resource", "cpu"))).toEqual([
      { seconds: 0, milli: 400 },
      { seconds: 30, milli: 800 },
    ]);
    expect(load.of(object(), spec("Pods", "cpu"))).toBeUndefined();
  });

  it.each([
    ["an average of all replicas", { averageValue: 1000 }, 5000],
    ["a total", { value: 7000 }, 7000],
  ])("of an External metric: %s", (_name, current, milli) => {
    const load = loadOf([record(0, { type: "External", name: "queue", current })]);
    expect(load.of(object(), spec("External", "queue"))).toEqual([{ seconds: 0, milli }]);
  });

  it("of one object may be tried out on another; of several only on their own", () => {
    const metric = { type: "Resource", name: "cpu", current: { averageValue: 1 }, pods } as const;
    expect(loadOf([record(0, metric)]).of(object("copy"), spec("Resource", "cpu"))).toHaveLength(1);
    const two = loadOf([record(0, metric), record(15, metric, "api")]);
    expect(two.of(object("copy"), spec("Resource", "cpu"))).toBeUndefined();
    expect(two.of(object("api"), spec("Resource", "cpu"))).toEqual([{ seconds: 15, milli: 4 }]);
  });

  it("shadows are no part of it; without a metric there is none", () => {
    const shadow = { shadow: { configMap: "next", real: { summary: "" } } };
    const metric = { type: "Resource", name: "cpu", current: { averageValue: 1 }, pods } as const;
    expect(readLoadHistory("x", [record(0, metric, "web", shadow)])).toEqual({
      ok: false,
      fault: "x holds no decision that read a metric; record more with LEDGER_DECISIONS=all",
    });
  });
});
