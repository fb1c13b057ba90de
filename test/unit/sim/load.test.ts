import { describe, expect, it } from "vitest";
import {
  DUPLICATED,
  deploymentDocument,
  loadDocument,
  policyDocument,
  scenarioDocument,
  smallFleet,
  weighted,
} from "./small-fleet.ts";

const spread = policyDocument(weighted({ member1: 1, member2: 1 }));
const values = (usage: Readonly<Record<string, number>>) => Object.values(usage).sort((a, b) => a - b);

describe("load and metrics", () => {
  it("is shared by the pods that serve, over all members", () => {
    const world = smallFleet([
      scenarioDocument(),
      deploymentDocument(4),
      spread,
      loadDocument({ since: "2026-03-02T08:00:00Z", cpu: { constant: 1 } }),
    ]);
    expect(values(world.cpu("member1"))).toEqual([250, 250]);
    expect(values(world.cpu("member2"))).toEqual([250, 250]);
  });

  it("never passes a pod's limit, and is not handed on to others", () => {
    const load = loadDocument({ since: "2026-03-02T08:00:00Z", cpu: { constant: 10 } });
    const world = smallFleet([scenarioDocument(), deploymentDocument(4), spread, load]);
    expect(values(world.cpu("member1"))).toEqual([500, 500]);
  });

  it("shows at the first sample whose window it fills, every 15 s", () => {
    const load = loadDocument({ cpu: { steps: [{ afterSeconds: 20, demand: "200m" }] } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(2),
      policyDocument(DUPLICATED),
      load,
    ]);
    const seen = [19, 20, 34.9, 35, 49, 50].map((second) => {
      world.runTo(second);
      return values(world.cpu("member1"))[0];
    });
    expect(seen).toEqual([0, 0, 0, 100, 100, 100]);
  });

  it("shows in part where it fills a part of the window", () => {
    const load = loadDocument({ cpu: { steps: [{ afterSeconds: 17, demand: "150m" }] } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(1),
      policyDocument(DUPLICATED),
      load,
    ]);
    world.runTo(20);
    expect(values(world.cpu("member1"))).toEqual([30]);
  });

  it("new pods have no sample before they ran through a whole window", () => {
    const load = loadDocument({ cpu: { constant: "600m" } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(1),
      policyDocument(DUPLICATED),
      load,
    ]);
    world.runTo(30);
    world.scale("web", 3);
    const counts = [31, 35, 49, 50, 65].map((second) => {
      world.runTo(second);
      return values(world.cpu("member1"));
    });
    // Running from :31, Ready from :33; the window from :35 to :50 is the first that they ran through.
    expect(counts[0]).toHaveLength(1);
    expect(counts[1]).toHaveLength(1);
    expect(counts[2]).toHaveLength(1);
    expect(counts[3]).toEqual([200, 200, 200]);
    expect(counts[4]).toEqual([200, 200, 200]);
  });

  it("a sample keeps what was true in its window after pods are gone", () => {
    const load = loadDocument({ since: "2026-03-02T08:00:00Z", cpu: { constant: "400m" } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(4),
      policyDocument(DUPLICATED),
      load,
    ]);
    world.runTo(36);
    world.scale("web", 2);
    world.runTo(49);
    expect(values(world.cpu("member1"))).toEqual([100, 100]);
    world.runTo(50);
    expect(values(world.cpu("member1"))).toEqual([193.333333, 193.333333]);
    world.runTo(65);
    expect(values(world.cpu("member1"))).toEqual([200, 200]);
  });

  it("differs from pod to pod by the noise, the same in every run", () => {
    const run = (seed: string) => {
      const load = loadDocument({ since: "2026-03-02T08:00:00Z", noisePercent: 10, cpu: { constant: 1 } });
      const world = smallFleet([scenarioDocument(), deploymentDocument(4), spread, load], { seed });
      world.runTo(20);
      return [...values(world.cpu("member1")), ...values(world.cpu("member2"))];
    };
    const usage = run("a");
    expect(usage).toEqual(run("a"));
    expect(usage).not.toEqual(run("b"));
    expect(new Set(usage).size).toBe(4);
    for (const value of usage) expect(Math.abs(value - 250)).toBeLessThanOrEqual(25);
  });

  it("can be changed while the fleet runs", () => {
    const load = loadDocument({ since: "2026-03-02T08:00:00Z", cpu: { constant: "100m" } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(1),
      policyDocument(DUPLICATED),
      load,
    ]);
    expect(values(world.cpu("member1"))).toEqual([100]);
    world.patch("mainsheet.io/v1alpha1", "Load", "web", { spec: { cpu: { constant: "300m" } } });
    expect(values(world.cpu("member1"))).toEqual([300]);
  });

  it("records who served when, and forgets what no sample can ask for", () => {
    const load = loadDocument({ cpu: { constant: 1 } });
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(1),
      policyDocument(DUPLICATED),
      load,
    ]);
    for (const [second, replicas] of [
      [10, 2],
      [20, 3],
      [300, 4],
    ] as const) {
      world.runTo(second);
      world.scale("web", replicas);
      world.runTo(second + 5);
    }
    const [object] = world.fleet.hub.store.list({ group: "mainsheet.io", resource: "loads" });
    expect(object?.status).toEqual({
      serving: [
        { since: "2026-03-02T09:00:23Z", pods: 3 },
        { since: "2026-03-02T09:05:03Z", pods: 4 },
      ],
    });
  });

  it("a pod without a load uses nothing but some memory", () => {
    const world = smallFleet([
      scenarioDocument({}, ["member1"]),
      deploymentDocument(1),
      policyDocument(DUPLICATED),
    ]);
    expect(values(world.cpu("member1"))).toEqual([0]);
  });
});
