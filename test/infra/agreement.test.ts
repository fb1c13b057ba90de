import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { functionSettings } from "#infra/local/host";
import { TOPOLOGY, type Topology, WITH_RELAY } from "#infra/topology";
import { cloudRendering, localRendering, type Rendering } from "#test/infra/renderings";
import { stackOf, standInBundles } from "#test/infra/stack";

/** The cloud and this machine run one topology (design 2): what one of them changes, the other must change too. */
describe.each([
  ["without a relay", false, TOPOLOGY as Topology],
  ["with one", true, WITH_RELAY],
])("%s", (_case, relay, topology) => {
  let cloud: Rendering;
  let local: Rendering;
  let bundles: string;

  beforeAll(async () => {
    const hub = {
      name: "eu",
      kubeconfig: { secret: "eu/kubeconfig" },
      mode: "observe" as const,
      ...(relay ? { relay } : {}),
    };
    bundles = await standInBundles();
    cloud = cloudRendering(stackOf(bundles, { hubs: [hub], logDecisions: "changes" }));
    local = localRendering(topology, functionSettings(hub, "changes"));
  }, 60_000);
  afterAll(() => rm(bundles, { recursive: true }));

  describe("the template and the local host agree on", () => {
    it("the functions there are, and all of each", () => {
      expect(Object.keys(cloud.functions)).toEqual(Object.keys(topology.functions));
      expect(cloud.functions).toEqual(local.functions);
    });

    it("who is called by what, with how much at once", () => {
      expect(cloud.triggers.length).toBeGreaterThanOrEqual(Object.keys(topology.functions).length);
      expect(cloud.triggers).toEqual(local.triggers);
    });

    it("every queue's kind, visibility, delay and dead letters", () => {
      expect(Object.keys(cloud.queues).sort()).toEqual(Object.keys(topology.queues).sort());
      expect(cloud.queues).toEqual(local.queues);
    });

    it("the tables' keys and their expiry", () => {
      expect(Object.keys(cloud.tables)).toEqual(Object.keys(topology.tables));
      expect(cloud.tables).toEqual(local.tables);
    });

    it("the buses, and what is taken from them", () => {
      expect(cloud.buses).toEqual(local.buses);
      expect(cloud.busRules).toHaveLength(Object.keys(topology.busRules).length);
      expect(cloud.busRules).toEqual(local.busRules);
    });
  });
});
