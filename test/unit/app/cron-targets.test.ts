import { describe, expect, it } from "vitest";
import { brotli } from "#adapters/zlib/compression";
import { listCronRuns, listRunsOf } from "#app/ledger/read-ledger";
import { pastEvents } from "#infra/cli/past-events";
import { cronWorld, federatedHpaSpec, SHOP_FHPA } from "./cron-world.ts";

const T = (time: string) => `2026-03-02T${time}Z`;
const MORNING = { name: "open", schedule: "30 8 * * *", targetReplicas: 40 };

describe("targets", () => {
  it("B61: a scale without spec.replicas is 0, and the write always carries the count", async () => {
    const world = cronWorld("08:29");
    world.patch("Deployment", "shop", { spec: { replicas: 0 } });
    world.apply([{ ...MORNING, targetReplicas: 5 }]);
    await world.until("08:31");
    expect(world.replicas()).toBe(5);
  });

  it("B65: targetReplicas 0 sets 0", async () => {
    const world = cronWorld("19:59");
    world.apply([{ name: "night", schedule: "0 20 * * *", targetReplicas: 0 }]);
    await world.until("20:01");
    expect(world.replicas()).toBe(0);
    expect(world.history()?.successfulExecutions).toMatchObject([{ appliedReplicas: 0 }]);
  });

  it("B62: a FederatedHPA without minReplicas gets the rule's", async () => {
    const world = cronWorld("08:29", { webhooks: false });
    world.create("FederatedHPA", "shop", federatedHpaSpec({ maxReplicas: 10 }));
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 5 }], { target: SHOP_FHPA });
    await world.until("08:31");
    expect(world.spec("FederatedHPA", "shop")).toMatchObject({ minReplicas: 5, maxReplicas: 10 });
    expect(world.history()?.successfulExecutions).toMatchObject([{ appliedMinReplicas: 5 }]);
  });

  it("B64: one bound alone is set alone, and recorded alone", async () => {
    const world = cronWorld("08:29");
    world.create("FederatedHPA", "shop", federatedHpaSpec({ minReplicas: 2, maxReplicas: 10 }));
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 5 }], { target: SHOP_FHPA });
    await world.until("08:31");
    const [success] = world.history()?.successfulExecutions ?? [];
    expect(success).toEqual({
      scheduleTime: T("08:30:00"),
      executionTime: T("08:30:00"),
      appliedMinReplicas: 5,
    });
    expect(world.writes).toEqual(["mergePatch federatedhpas shop"]);
    const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
    const id = { hub: "local", namespace: "default", name: "shop" };
    const run = { atMs: Date.parse(T("08:30:00")), cron: "shop", rule: "open", outcome: "applied" };
    const onTarget = await listCronRuns(reader, id, {});
    expect(onTarget).toMatchObject([{ ...run, message: "FederatedHPA shop: minReplicas 2 → 5" }]);
    // The history of either object tells it once.
    expect(await pastEvents(reader, id, { limit: 50 })).toMatchObject([{ kind: "cron", ...run }]);
    expect(await listRunsOf(reader, { ...id, name: "none" }, {})).toBeUndefined();
  });

  it("B40: a min that would end up above the max is a failed execution; the FederatedHPA stays as it is", async () => {
    const world = cronWorld("08:29");
    world.create("FederatedHPA", "shop", federatedHpaSpec({ minReplicas: 2, maxReplicas: 10 }));
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 15 }], { target: SHOP_FHPA });
    await world.until("08:35");
    expect(world.writes).toEqual([]);
    expect(world.spec("FederatedHPA", "shop")).toMatchObject({ minReplicas: 2, maxReplicas: 10 });
    expect(world.history()?.failedExecutions).toEqual([
      {
        scheduleTime: T("08:30:00"),
        executionTime: T("08:30:00"),
        message: "minReplicas 15 would be above maxReplicas 10; nothing was written, set both in one rule",
      },
    ]);
    expect(world.events()).toEqual(["Warning ScaleFailed"]);
  });

  it("a FederatedHPA whose bounds were set is reconciled at once, in its own group", async () => {
    const world = cronWorld("08:29");
    world.create("FederatedHPA", "shop", federatedHpaSpec({ minReplicas: 2, maxReplicas: 10 }));
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 5 }], { target: SHOP_FHPA });
    await world.until("08:31");
    const [message, ...more] = world.queue.take("reconcile");
    expect(more).toEqual([]);
    expect(message?.groupId).toBe("local:o/default/shop");
    expect(JSON.parse(message?.body ?? "")).toEqual({
      v: 1,
      kind: "object",
      hub: "local",
      dueAtMs: Date.parse(T("08:30:00")) + 1,
      object: { namespace: "default", name: "shop" },
      shard: "o/default/shop",
      afterCrash: false,
    });
  });

  it.each([
    [
      "another kind of Karmada's autoscaling",
      { apiVersion: SHOP_FHPA.apiVersion, kind: "CronFederatedHPA" },
      /do not support scale target/,
    ],
    [
      "a kind that the hub does not serve",
      { apiVersion: "acme.io/v1", kind: "Rocket" },
      /no scalable kind Rocket in acme.io\/v1/,
    ],
    ["a kind without a scale", { apiVersion: "v1", kind: "ConfigMap" }, /no scalable kind ConfigMap/],
    [
      "an object that is not there",
      { apiVersion: "apps/v1", kind: "Deployment", name: "gone" },
      /"gone" not found/,
    ],
  ])("%s is a failed execution, not tried again", async (_case, target, message) => {
    const world = cronWorld("08:29", { webhooks: false });
    world.apply([MORNING], { target: { name: "shop", ...target } });
    await world.until("08:35");
    expect(world.history()?.failedExecutions).toMatchObject([{ message: expect.stringMatching(message) }]);
    expect(world.events()).toEqual(["Warning ScaleFailed"]);
  });
});
