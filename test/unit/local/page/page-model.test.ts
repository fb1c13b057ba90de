import { describe, expect, it } from "vitest";
import type { CronLine, DecisionLine } from "#infra/local/decision-line";
import { openFleetEye } from "#infra/local/page/fleet-eye";
import { PageModel } from "#infra/local/page/page-model";
import { readScenario } from "#infra/local/scenario-file";
import { throwSwitch } from "#sim/hub/faults";
import { loadScenario } from "#sim/scenario/load-scenario";

const SLOT = 15_000;

function lostCluster() {
  const scenario = readScenario("lost-cluster");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const loaded = loadScenario({ ...scenario.value, timeline: [] });
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  let nowMs = scenario.value.startMs;
  const model = new PageModel({ mode: "embedded", clock: { nowMs: () => nowMs }, eye: openFleetEye(fleet) });
  return {
    fleet,
    model,
    startMs: nowMs,
    step(ms: number) {
      nowMs += ms;
      fleet.step(nowMs);
      model.refresh();
      return nowMs;
    },
  };
}

function decision(atMs: number, part: Partial<DecisionLine> = {}): DecisionLine {
  const clusters = { member1: 2, member2: 2, member3: 2 };
  return {
    atMs,
    object: "default/shop",
    result: "unchanged",
    from: 6,
    to: 6,
    clusters,
    why: "at rest",
    ...part,
  };
}

const cron: CronLine = {
  atMs: 0,
  executionMs: 0,
  object: "default/nightly",
  rule: "open",
  result: "applied",
  target: "Deployment/shop",
  skipped: 0,
  why: "replicas 2 to 6",
};

describe("what the page knows of an embedded fleet", () => {
  it("begins with the world as it is, before anything was decided", () => {
    const { model } = lostCluster();
    model.refresh();
    expect(model.since(0, undefined)).toMatchObject({
      whole: true,
      clusters: [
        { name: "member1", state: "ready", isCutOff: false, wanted: 2, ready: 2 },
        { name: "member2", wanted: 2 },
        { name: "member3", wanted: 2 },
      ],
      objects: [{ key: "default/shop", wanted: 6, ready: 6, minReplicas: 3, maxReplicas: 24, state: "new" }],
    });
  });

  it("a point has the demand of its instant, and replicas as the scheduler gave them", () => {
    const { model, startMs } = lostCluster();
    model.decided(decision(startMs));
    const { course } = model.since(0, "default/shop");
    expect(course).toMatchObject({
      points: [
        { clusters: { member1: 2, member2: 2, member3: 2 }, ready: 6, demand: [{ name: "cpu", value: 0.3 }] },
      ],
      load: { demand: [{ name: "cpu", unit: "cores", value: 0.3 }], isChanged: false },
    });
  });

  it("a cluster that was cut off is told once it is found not ready, and nothing is told of what stayed", () => {
    const { fleet, model, step, startMs } = lostCluster();
    step(0);
    const before = model.revision;
    expect(model.since(before, undefined)).not.toHaveProperty("clusters");
    throwSwitch(fleet.hub, "member3", { kind: "cut-off" }, startMs);
    step(0);
    step(60_000);
    const update = model.since(before, undefined);
    expect(update.whole).toBe(false);
    expect(update.clusters?.map(({ name, state, isCutOff }) => [name, state, isCutOff])).toEqual([
      ["member1", "ready", false],
      ["member2", "ready", false],
      ["member3", "not ready", true],
    ]);
  });

  it.each<[string, Partial<DecisionLine>, object]>([
    ["at rest", {}, { state: "steady" }],
    ["a failure", { result: "failed" }, { state: "trouble", note: "failed" }],
    [
      "a cluster that could not be read",
      { clusters: { member1: 2, member2: null } },
      { state: "trouble", note: "member2 unread" },
    ],
    [
      "a limit",
      { figures: { metrics: [], limits: ["TooManyReplicas"], gaps: [] } },
      { state: "limited", note: "TooManyReplicas" },
    ],
    ["another autoscaler", { result: "yielded" }, { state: "limited", note: "yielded" }],
    [
      "its metric, in the list",
      { figures: { metrics: [{ name: "cpu", unit: "%", value: 45, target: 60 }], limits: [], gaps: [] } },
      { metric: "cpu 45% of 60%" },
    ],
  ])("an object's line: %s", (_case, part, view) => {
    const { model, startMs } = lostCluster();
    model.decided(decision(startMs, part));
    expect(model.since(0, undefined).objects).toMatchObject([view]);
  });

  it("a cron run is told at the next evaluation of what it scales, once", () => {
    const { model, startMs } = lostCluster();
    model.cronRan(cron);
    model.cronRan({ ...cron, result: "missed", target: "FederatedHPA/shop", why: "too late" });
    model.cronRan({ ...cron, target: "Deployment/other" });
    model.decided(decision(startMs));
    model.decided(decision(startMs + SLOT));
    const { course } = model.since(0, "default/shop");
    expect(course?.points.map((point) => point.cron)).toEqual([
      ["rule open: missed: too late", "rule open: replicas 2 to 6"],
      undefined,
    ]);
  });

  it("an object that is deleted is gone from the list, with its past", () => {
    const { fleet, model, step, startMs } = lostCluster();
    step(0);
    model.decided(decision(startMs));
    const before = model.revision;
    const type = fleet.hub.catalogue.findKind("autoscaling.karmada.io/v1alpha1", "FederatedHPA");
    if (type === undefined) throw new Error("the hub serves no FederatedHPAs");
    fleet.hub.delete(type, { namespace: "default", name: "shop" }, { nowMs: startMs });
    step(SLOT);
    expect(model.since(before, undefined).gone).toEqual(["default/shop"]);
    model.decided(decision(startMs + SLOT, { result: "gone" }));
    expect(model.since(0, "default/shop").course?.points).toEqual([]);
  });
});

describe("what the page knows of a real hub: what was decided", () => {
  it("clusters are those that decisions named, unread where the last one could not read them", () => {
    const model = new PageModel({ mode: "observe", clock: { nowMs: () => 0 } });
    model.decided(decision(0, { clusters: { a: 3, b: null } }));
    model.decided(decision(SLOT, { object: "default/other", clusters: { a: 1 } }));
    model.refresh();
    expect(model.since(0, undefined).clusters).toEqual([
      { name: "a", state: "ready", wanted: 4 },
      { name: "b", state: "unread", wanted: 0 },
    ]);
  });
});
