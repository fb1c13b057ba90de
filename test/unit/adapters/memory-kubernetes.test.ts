import { describe, expect, it } from "vitest";
import { type KubernetesCall, memoryKubernetes } from "#adapters/memory/kubernetes";
import { isPortFault, PortFault } from "#ports/fault";
import type { ResourceRef } from "#ports/kubernetes";
import { throwSwitch } from "#sim/hub/faults";
import { contractFleet } from "#test/contract/kubernetes-fleet";

const deployments: ResourceRef = { group: "apps", version: "v1", resource: "deployments" };
const web = { namespace: "shop", name: "web" };
const by = { fieldManager: "test" };
const lost = () => new PortFault("unavailable", "the connection broke");

describe("the memory adapter's hooks", () => {
  it("before: what is thrown is the outcome, and nothing happens", async () => {
    const { fleet, clock } = contractFleet();
    const port = memoryKubernetes(fleet, clock, {
      before: ({ verb }) => {
        if (verb === "updateScale") throw lost();
      },
    });
    const scale = await port.getScale("hub", deployments, web);
    await expect(port.updateScale(deployments, { ...scale, replicas: 9 }, by)).rejects.toThrow(
      "the connection broke",
    );
    expect((await port.getScale("hub", deployments, web)).replicas).toBe(4);
  });

  it("after: the write has happened, its answer is lost", async () => {
    const { fleet, clock } = contractFleet();
    const port = memoryKubernetes(fleet, clock, {
      after: ({ verb }) => {
        if (verb === "updateScale") throw lost();
      },
    });
    const scale = await port.getScale("hub", deployments, web);
    await expect(port.updateScale(deployments, { ...scale, replicas: 9 }, by)).rejects.toThrow(
      "the connection broke",
    );
    expect((await port.getScale("hub", deployments, web)).replicas).toBe(9);
  });

  it("see every call with what it is about", async () => {
    const { fleet, clock } = contractFleet();
    const calls: KubernetesCall[] = [];
    const port = memoryKubernetes(fleet, clock, {
      before: (call) => {
        calls.push(call);
      },
    });
    await port.list({ member: "member1" }, deployments, { namespace: "shop" });
    await port.mergePatch(deployments, web, { status: {} }, { ...by, subresource: "status" });
    await port.discover("hub");
    expect(calls).toEqual([
      { verb: "list", at: { member: "member1" }, resource: deployments, namespace: "shop" },
      { verb: "mergePatch", at: "hub", resource: deployments, ...web, subresource: "status" },
      { verb: "discover", at: "hub" },
    ]);
  });
});

describe("the memory adapter", () => {
  it("lets the fleet act before it answers", async () => {
    const { fleet, clock } = contractFleet();
    const port = memoryKubernetes(fleet, clock);
    const scale = await port.getScale("hub", deployments, web);
    await port.updateScale(deployments, { ...scale, replicas: 6 }, by);
    expect((await port.getScale({ member: "member1" }, deployments, web)).replicas).toBe(3);
  });

  it.each([
    [4_000, "answers"],
    [6_000, "unavailable"],
  ])("a member slower by %d ms: %s", async (milliseconds, outcome) => {
    const { fleet, clock } = contractFleet();
    throwSwitch(fleet.hub, "member1", { kind: "slow", milliseconds }, clock.nowMs());
    const answer = memoryKubernetes(fleet, clock).list({ member: "member1" }, deployments);
    const seen = await answer.then(
      () => "answers",
      (error: unknown) => (isPortFault(error) ? error.kind : "other"),
    );
    expect(seen).toBe(outcome);
  });

  it("says what was tried, on what, and what came back", async () => {
    const { fleet, clock, faults } = contractFleet();
    const port = memoryKubernetes(fleet, clock);
    const absent = { namespace: "shop", name: "absent" };
    await expect(port.get("hub", deployments, absent)).rejects.toThrow(
      'get deployments.apps shop/absent: 404 deployments.apps "absent" not found',
    );
    faults.cutOff("member2");
    await expect(port.getScale({ member: "member2" }, deployments, web)).rejects.toThrow(
      /^getScale deployments\.apps shop\/web in cluster member2: 503 /,
    );
  });

  it("refuses a scale without a version to write against", async () => {
    const { fleet, clock } = contractFleet();
    const port = memoryKubernetes(fleet, clock);
    const scale = await port.getScale("hub", deployments, web);
    const attempt = port.updateScale(deployments, { ...scale, resourceVersion: "" }, by);
    await expect(attempt).rejects.toMatchObject({ kind: "invalid" });
  });
});
