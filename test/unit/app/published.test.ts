import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type MemoryBus, memoryBus } from "#adapters/memory/bus";
import { openBreakers } from "#app/reconcile/breakers";
import { PortFault } from "#ports/fault";
import { EVENT_SCHEMAS, type EventType } from "#wire/events";
import { cronWorld, type Rule } from "./cron-world.ts";
import { tutorialWorld, type World } from "./world.ts";

const NGINX = { hub: "local", namespace: "default", name: "nginx" };

/** What was published of a type since the last time, each as docs/events.md has it. */
function taken(bus: unknown, type: EventType): object[] {
  return (bus as MemoryBus).take().flatMap(({ source, detailType, detail }) => {
    expect(source).toBe("mainsheet");
    z.parse(EVENT_SCHEMAS[detailType as EventType] as z.ZodMiniType<unknown>, detail);
    return detailType === type ? [detail] : [];
  });
}

describe("what the reconcile publishes (docs/events.md)", () => {
  let world: World;
  const published = (type: EventType) => taken(world.deps.bus, type);
  beforeEach(() => {
    world = tutorialWorld();
  });

  it("each scale once: before, after, cause, and what each cluster had", async () => {
    await world.slots(6);
    const scales = published("ScaleDecided");
    expect(scales).toMatchObject([
      { ...NGINX, before: 1, after: 5, target: { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" } },
      { ...NGINX, before: 5, after: 10, clusters: { member1: 3, member2: 2 } },
    ]);
    expect(scales.map((scale) => (scale as { cause: string }).cause)).toEqual([
      "cpu resource utilization (percentage of request) above target",
      "cpu resource utilization (percentage of request) above target",
    ]);
    expect(scales.map((scale) => (scale as { id: string }).id)).toEqual(
      world.scales().map(({ intentId }) => intentId),
    );
  });

  it("also a scale whose invocation died before it could tell", async () => {
    let armed = true;
    world.interrupt = (call, when) => {
      if (!armed || call !== "hub.updateScale" || when !== "after") return;
      armed = false;
      throw new Error("died");
    };
    await world.slots(12);
    const scales = published("ScaleDecided");
    expect(scales[0]).toMatchObject({ before: 1, after: 5 });
    expect(new Set(scales.map((scale) => (scale as { id: string }).id))).toEqual(
      new Set(world.scales().map(({ intentId }) => intentId)),
    );
  });

  it("a bus that takes nothing keeps no scale from being recorded", async () => {
    const refusing = memoryBus({ refuse: () => "throttled" });
    Object.assign(world.deps, { bus: refusing });
    await world.slots(6);
    expect(world.scales()).toHaveLength(2);
    expect(world.log.filter(({ message }) => message.startsWith("event not published"))).toHaveLength(2);
  });

  it("the third write of the replicas by others within ten minutes, once", async () => {
    await world.slot();
    for (let i = 0; i < 4; i++) {
      world.scaleByHand(2 + (i % 2));
      await world.slots(2);
    }
    expect(world.condition("ScaleConflict")).toMatchObject({ status: "True" });
    expect(published("ScaleConflict")).toMatchObject([
      { ...NGINX, message: expect.stringContaining("kubectl") },
    ]);
  });

  it("another autoscaler at work, once for each Event that says so", async () => {
    await world.slot();
    for (let i = 0; i < 3; i++) {
      world.writeStatusAs("karmada-controller-manager");
      await world.slot();
    }
    expect(published("AutoscalerYielded")).toMatchObject([
      { ...NGINX, message: expect.stringContaining("karmada-controller-manager") },
    ]);
  });

  it("a cluster whose breaker opens, once, by whoever opened it", async () => {
    const slotMs = world.clock.nowMs();
    for (let i = 0; i < 4; i++) {
      const breakers = openBreakers(world.deps, "local", slotMs);
      breakers.note("member2", false);
      await breakers.store();
    }
    expect(published("ClusterUnreadable")).toEqual([
      { v: 1, id: `local:member2:${slotMs}`, hub: "local", cluster: "member2" },
    ]);
  });
});

describe("what the cron publishes", () => {
  const RULES: readonly Rule[] = [{ name: "open", schedule: "30 8 * * *", targetReplicas: 40 }];
  const SCHEDULED = { rule: "open", scheduledAt: "2026-03-02T08:30:00Z" };

  it("a run that failed", async () => {
    const bus = memoryBus();
    const world = cronWorld("08:28");
    Object.assign(world.deps, { bus });
    world.apply(RULES, { target: { apiVersion: "apps/v1", kind: "Deployment", name: "nowhere" } });
    await world.until("08:32");
    expect(taken(bus, "CronRunFailed")).toMatchObject([
      {
        hub: "local",
        namespace: "default",
        name: "shop",
        ...SCHEDULED,
        message: expect.stringContaining("nowhere"),
      },
    ]);
  });

  it("a run that was found too late, and none that was done", async () => {
    const bus = memoryBus();
    const world = cronWorld("08:28");
    Object.assign(world.deps, { bus });
    world.apply(RULES);
    await world.until("08:29");
    world.at("09:00");
    await world.evaluate();
    expect(taken(bus, "CronRunFailed")).toMatchObject([SCHEDULED]);

    const other = cronWorld("08:28");
    Object.assign(other.deps, { bus });
    other.apply(RULES);
    await other.until("08:32");
    expect(taken(bus, "CronRunFailed")).toEqual([]);
  });

  it("a bus that does not answer is no fault of the run", async () => {
    const world = cronWorld("08:28");
    const bus = {
      put: () => Promise.reject(new PortFault("unavailable", "put events: no answer")),
    };
    Object.assign(world.deps, { bus });
    world.apply(RULES, { target: { apiVersion: "apps/v1", kind: "Deployment", name: "nowhere" } });
    await world.until("08:32");
    expect(world.events()).toEqual(["Warning ScaleFailed"]);
    expect(world.log.filter(({ message }) => message.startsWith("event not published"))).toHaveLength(1);
  });
});
