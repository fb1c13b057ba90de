import { describe, expect, it } from "vitest";
import { evaluateHub } from "#app/cron/evaluate-hub";
import type { KubeObject } from "#sim/api/object";
import { tutorialWorld, type World } from "./world.ts";

const AUTOSCALING = "autoscaling.karmada.io/v1alpha1";
const NGINX = { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" };
const NGINX_FHPA = { apiVersion: AUTOSCALING, kind: "FederatedHPA", name: "nginx" };

function applyCron(world: World, scaleTargetRef: object, rules: readonly object[]): void {
  const type = world.fleet.hub.catalogue.findKind(AUTOSCALING, "CronFederatedHPA");
  if (type === undefined) throw new Error("the hub serves no CronFederatedHPA");
  const metadata = { name: "nginx", namespace: "default" };
  const object = {
    apiVersion: AUTOSCALING,
    kind: "CronFederatedHPA",
    metadata,
    spec: { scaleTargetRef, rules },
  };
  const made = world.fleet.hub.create(type, object as KubeObject, { nowMs: world.clock.nowMs() });
  if (!made.ok) throw new Error(made.status.message);
}

/** Slots up to the next full minute, and the cron's message at it. */
async function minute(world: World): Promise<void> {
  do await world.slot();
  while (world.clock.nowMs() % 60_000 !== 0);
  const message = { v: 1, kind: "cron", hub: "local", dueAtMs: world.clock.nowMs() } as const;
  await evaluateHub(world.deps, message, { receiveCount: 1, isOutOfTime: () => false });
}

/** An idle tutorial: its load comes and goes before the cron's rules. */
async function idle(): Promise<World> {
  const world = tutorialWorld();
  await world.slots(20);
  expect(world.replicas()).toBe(1);
  return world;
}

describe("a CronFederatedHPA beside a FederatedHPA (B79)", () => {
  it("on its workload: what the rule sets is pulled back, as in Karmada, and both objects are warned", async () => {
    const world = await idle();
    applyCron(world, NGINX, [{ name: "wide", schedule: "*/10 * * * *", targetReplicas: 8 }]);
    await minute(world);
    const warnings = world.events("TargetShared");
    expect(warnings.map(({ involvedObject }) => (involvedObject as { kind: string }).kind).sort()).toEqual([
      "CronFederatedHPA",
      "FederatedHPA",
    ]);
    expect(warnings.map(({ message }) => message).join("\n")).toMatch(
      /pulls back.*\n.*pulled back|pulled back.*\n.*pulls back/,
    );
    while (world.replicas() !== 8) await minute(world);
    await world.slots(4);
    expect(world.replicas()).toBe(1);
    expect(world.events("TargetShared")).toHaveLength(2);
  });

  it("on its bounds: the new min holds at once, though the load is low", async () => {
    const world = await idle();
    const rules = [{ name: "busy", schedule: "*/10 * * * *", targetMinReplicas: 6 }];
    applyCron(world, NGINX_FHPA, rules);
    while (world.events("ScaleSucceeded").length === 0) await minute(world);
    const setMs = world.clock.nowMs();
    await world.slot();
    expect(world.replicas()).toBe(6);
    expect(world.scales().at(-1)).toMatchObject({ from: 1, to: 6, atMs: setMs + 1 });
    await world.slots(12);
    expect(world.replicas()).toBe(6);
    expect(world.events("TargetShared")).toEqual([]);
  });
});
