import { describe, expect, it } from "vitest";
import { KINDS } from "#sim/kinds";
import { createdMs } from "#sim/member/pod-state";
import { builtIn, type SmallFleet, smallFleet } from "./small-fleet.ts";

/** Slots are at whole quarters of a minute. */
const perCluster = (world: SmallFleet) => ["member1", "member2"].map((member) => world.pods(member).length);
const usage = (world: SmallFleet) =>
  ["member1", "member2"].flatMap((member) => Object.values(world.cpu(member)));

describe("the tutorial (issue 2; systems C9, C10)", () => {
  it("starts with one pod in member1, an hour old and idle", () => {
    const world = smallFleet(builtIn("tutorial"));
    expect(perCluster(world)).toEqual([1, 0]);
    expect(
      world.scenario.startMs -
        createdMs(world.pods("member1")[0] ?? { apiVersion: "", kind: "", metadata: {} }),
    ).toBe(3_600_000);
    expect(usage(world)).toEqual([0]);
  });

  it("shows 5 as 3+2 and 10 as 5+5 in two successive slots, and 1 in member1 at the end", () => {
    const world = smallFleet(builtIn("tutorial"));
    const first = world.pods("member1")[0]?.metadata.name;
    world.runTo(45);
    expect(usage(world)).toEqual([0]);
    world.runTo(60);
    expect(usage(world)).toEqual([25]);
    world.scale("nginx", 5);
    expect(world.shares("nginx")).toBe("member1: 3, member2: 2");
    world.runTo(65);
    expect(perCluster(world)).toEqual([3, 2]);
    expect(world.template("nginx")?.status).toMatchObject({ readyReplicas: 5 });
    world.runTo(75);
    expect(usage(world)).toEqual([25]);
    world.scale("nginx", 10);
    expect(world.shares("nginx")).toBe("member1: 5, member2: 5");
    world.runTo(90);
    expect(usage(world)).toEqual([25, 25, 25, 25, 25]);
    world.runTo(105);
    expect(usage(world)).toEqual(Array(10).fill(25));
    world.runTo(120);
    expect(usage(world)).toEqual(Array(10).fill(0));
    world.scale("nginx", 1);
    expect(world.shares("nginx")).toBe("member1: 1");
    world.runTo(125);
    expect(perCluster(world)).toEqual([1, 0]);
    expect(world.pods("member1")[0]?.metadata.name).toBe(first);
  });

  it("has its load start and stop on a sample's instant, a window before a slot at least", () => {
    const { scenario } = smallFleet(builtIn("tutorial"));
    const load = scenario.manifests.find(({ kind }) => kind === "Load");
    const { steps } = (load?.spec?.cpu ?? {}) as { steps: { afterSeconds: number }[] };
    const { intervalSeconds, offsetSeconds } = scenario.settings.metrics;
    const changes = steps
      .slice(1)
      .map(({ afterSeconds }) => (afterSeconds - offsetSeconds) % intervalSeconds);
    expect(changes).toEqual([0, 0]);
  });
});

describe("built-in scenarios", () => {
  it.each(["tutorial", "two-clusters-duplicated", "lost-cluster", "many"])(
    "%s settles before its start",
    (name) => {
      const world = smallFleet(builtIn(name), { copies: { count: 3, namespaces: 2 } });
      const { hub } = world.fleet;
      const templates = hub.store.list(KINDS.deployments);
      expect(templates.length).toBeGreaterThan(0);
      for (const template of templates) {
        const { replicas, readyReplicas, observedGeneration } = template.status ?? {};
        expect(readyReplicas).toBe(replicas);
        expect(readyReplicas).toBeGreaterThanOrEqual(Number(template.spec?.replicas));
        expect(observedGeneration).toBe(template.metadata.generation);
      }
      expect(hub.store.list({ group: "autoscaling.karmada.io", resource: "federatedhpas" })).toHaveLength(
        templates.length,
      );
    },
  );

  it("many makes as many copies as it is asked for, in so many namespaces", () => {
    const world = smallFleet(builtIn("many"), { copies: { count: 7, namespaces: 3 } });
    const places = world.fleet.hub.store
      .list(KINDS.deployments)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(places).toEqual([
      "team-0/web-0",
      "team-0/web-3",
      "team-0/web-6",
      "team-1/web-1",
      "team-1/web-4",
      "team-2/web-2",
      "team-2/web-5",
    ]);
    expect(world.pods("member5")).toHaveLength(70);
  });
});
