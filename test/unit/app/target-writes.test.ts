import { describe, expect, it } from "vitest";
import { written } from "#sim/writes";
import { metricWorld, podsMetric, scalerOf } from "./metric-world.ts";

describe("who set a target's replicas last", () => {
  async function lastWrite(scaledBy: "us" | "kubectl") {
    const load = { podMetrics: [{ name: "requests", constant: 400 }] };
    const world = metricWorld({ load, objects: [scalerOf("web", [podsMetric("50")])] });
    if (scaledBy === "us") await world.slots(4);
    if (scaledBy === "kubectl") {
      const type = world.fleet.hub.catalogue.find("apps/v1", "statefulsets");
      if (type === undefined) throw new Error("the hub serves no StatefulSets");
      const key = { namespace: "default", name: "web" };
      const patch = { type: "merge", body: { spec: { replicas: 5 } } } as const;
      written(world.fleet.hub.patch(type, key, patch, { nowMs: world.nowMs(), fieldManager: "kubectl" }));
    }
    const [loaded] = await world.load("web");
    if (!loaded?.snapshot.target.ok) throw new Error("the target was not read");
    const { foreignWrite, ownWriteAtMs } = loaded.snapshot.target.value;
    return { foreignWrite, ownWriteAtMs, nowMs: world.nowMs() };
  }

  it("is kept with its instant when it was us, since a second FederatedHPA writes under that name too", async () => {
    const { foreignWrite, ownWriteAtMs = 0, nowMs } = await lastWrite("us");
    expect(foreignWrite).toBeUndefined();
    expect(nowMs - ownWriteAtMs).toBeGreaterThanOrEqual(0);
    expect(nowMs - ownWriteAtMs).toBeLessThanOrEqual(60_000);
  });

  it("is named when it was somebody else", async () => {
    const { foreignWrite, ownWriteAtMs, nowMs } = await lastWrite("kubectl");
    expect(foreignWrite).toEqual({ manager: "kubectl", atMs: nowMs });
    expect(ownWriteAtMs).toBeUndefined();
  });
});
