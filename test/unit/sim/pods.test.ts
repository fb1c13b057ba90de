import { describe, expect, it } from "vitest";
import type { KubeObject } from "#sim/api/object";
import { KINDS } from "#sim/kinds";
import { isReady, phaseOf, runningSinceMs } from "#sim/member/pod-state";
import {
  DUPLICATED,
  deploymentDocument,
  policyDocument,
  scenarioDocument,
  smallFleet,
} from "./small-fleet.ts";

const one = (replicas: number, spec: object = {}, scenario: object = {}) =>
  smallFleet([
    scenarioDocument(scenario, ["member1"]),
    deploymentDocument(replicas, spec),
    policyDocument(DUPLICATED),
  ]);

const names = (pods: readonly KubeObject[]) => pods.map(({ metadata }) => metadata.name ?? "");
const states = (pods: readonly KubeObject[]) =>
  pods
    .map((pod) =>
      pod.metadata.deletionTimestamp ? "Terminating" : `${phaseOf(pod)}${isReady(pod) ? "/Ready" : ""}`,
    )
    .sort();

describe("a Deployment's pods in a member", () => {
  it("carry the ReplicaSet's name and hash, the template's labels, requests and a node", () => {
    const world = one(2);
    const [set] = world.fleet.members.get("member1")?.store.list(KINDS.replicaSets) ?? [];
    const hash = set?.metadata.labels?.["pod-template-hash"] ?? "";
    expect(set?.metadata.name).toBe(`web-${hash}`);
    for (const pod of world.pods("member1")) {
      expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
      expect(pod.metadata.labels).toEqual({ app: "web", "pod-template-hash": hash });
      expect(pod.metadata.ownerReferences).toMatchObject([
        { kind: "ReplicaSet", name: `web-${hash}`, controller: true },
      ]);
      expect(pod.spec).toMatchObject({
        nodeName: "member1-node",
        containers: [{ resources: { requests: { cpu: "100m" } } }],
      });
    }
  });

  it("start a while after they are made and become Ready a while later, at whole seconds", () => {
    const world = one(1);
    world.scale("web", 2);
    expect(states(world.pods("member1"))).toEqual(["Pending", "Running/Ready"]);
    world.runTo(0.999);
    expect(states(world.pods("member1"))).toEqual(["Pending", "Running/Ready"]);
    world.runTo(1);
    expect(states(world.pods("member1"))).toEqual(["Running", "Running/Ready"]);
    world.runTo(3);
    expect(states(world.pods("member1"))).toEqual(["Running/Ready", "Running/Ready"]);
    const late = world.pods("member1").find((pod) => pod.status?.startTime === "2026-03-02T09:00:00Z");
    expect(late?.status).toMatchObject({
      conditions: expect.arrayContaining([
        { type: "Ready", status: "True", lastTransitionTime: "2026-03-02T09:00:03Z" },
      ]),
      containerStatuses: [{ ready: true, state: { running: { startedAt: "2026-03-02T09:00:01Z" } } }],
    });
  });

  it("have the same instants in them however late the step comes", () => {
    const [exact, late] = [one(1), one(1)];
    for (const world of [exact, late]) world.scale("web", 3);
    for (const second of [1, 2, 3, 4]) exact.runTo(second);
    exact.runTo(100.5);
    late.runTo(100.5);
    expect(late.pods("member1")).toEqual(exact.pods("member1"));
  });

  it("end newest first when there are too many", () => {
    const world = one(2);
    const old = names(world.pods("member1"));
    world.scale("web", 5);
    world.runTo(10);
    world.scale("web", 2);
    expect(states(world.pods("member1"))).toEqual([
      "Running/Ready",
      "Running/Ready",
      "Terminating",
      "Terminating",
      "Terminating",
    ]);
    world.runTo(11);
    expect(names(world.pods("member1"))).toEqual(old);
  });

  it("end before the Ready ones where they are not Ready yet", () => {
    const world = one(2);
    const old = names(world.pods("member1"));
    world.scale("web", 3);
    world.runTo(0.5);
    world.scale("web", 2);
    world.runTo(40);
    expect(names(world.pods("member1"))).toEqual(old);
  });

  it("are replaced within surge and unavailability when the template changes", () => {
    const world = one(4);
    const before = names(world.pods("member1"));
    const container = { name: "main", image: "main:2" };
    world.patch("apps/v1", "Deployment", "web", {
      spec: { template: { spec: { containers: [container] } } },
    });
    let most = 0;
    let fewest = 99;
    for (let tenth = 0; tenth <= 200; tenth++) {
      world.runTo(tenth / 10);
      const active = world.pods("member1").filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      most = Math.max(most, active.length);
      fewest = Math.min(fewest, active.filter(isReady).length);
    }
    expect(most).toBe(5);
    expect(fewest).toBe(3);
    expect(world.pods("member1")).toHaveLength(4);
    expect(names(world.pods("member1")).filter((name) => before.includes(name))).toEqual([]);
  });

  it("differ in their start by a jitter that depends on the seed alone", () => {
    const starts = (seed: string) => {
      const world = one(8, {}, { seed, pods: { jitterSeconds: 10 }, warmUpSeconds: 60 });
      const running = world.pods("member1").map((pod) => runningSinceMs(pod) ?? 0);
      return running.sort();
    };
    expect(starts("a")).toEqual(starts("a"));
    expect(starts("a")).not.toEqual(starts("b"));
    expect(new Set(starts("a")).size).toBeGreaterThan(2);
  });
});

describe("a StatefulSet's pods", () => {
  const set = (replicas: number, spec: object = {}) => {
    const { kind: _kind, ...document } = deploymentDocument(replicas, { serviceName: "web", ...spec });
    return smallFleet([
      scenarioDocument({}, ["member1"]),
      { ...document, kind: "StatefulSet" },
      policyDocument(DUPLICATED, { resourceSelectors: [{ apiVersion: "apps/v1", kind: "StatefulSet" }] }),
    ]);
  };
  const scale = (world: ReturnType<typeof set>, replicas: number) =>
    world.patch("apps/v1", "StatefulSet", "web", { spec: { replicas } });

  it("are numbered", () => {
    expect(names(set(3).pods("member1"))).toEqual(["web-0", "web-1", "web-2"]);
  });

  it("come one after the other, each when the one before is Ready", () => {
    const world = set(1);
    scale(world, 3);
    expect(names(world.pods("member1"))).toEqual(["web-0", "web-1"]);
    world.runTo(2.9);
    expect(names(world.pods("member1"))).toEqual(["web-0", "web-1"]);
    world.runTo(3);
    expect(names(world.pods("member1"))).toEqual(["web-0", "web-1", "web-2"]);
  });

  it("go one after the other, from the highest", () => {
    const world = set(3);
    scale(world, 1);
    expect(states(world.pods("member1"))).toEqual(["Running/Ready", "Running/Ready", "Terminating"]);
    world.runTo(1);
    expect(names(world.pods("member1"))).toEqual(["web-0", "web-1"]);
    world.runTo(2);
    expect(names(world.pods("member1"))).toEqual(["web-0"]);
  });

  it("wait for the pods of a deleted set of their name to end", () => {
    const world = set(2);
    const {
      resourceVersion: _version,
      uid: _uid,
      ...metadata
    } = world.fleet.hub.store.get(KINDS.statefulSets, "default", "web")?.metadata ?? {};
    const type = world.fleet.hub.catalogue.findKind("apps/v1", "StatefulSet");
    const spec = world.fleet.hub.store.get(KINDS.statefulSets, "default", "web")?.spec ?? {};
    if (type === undefined) throw new Error("no StatefulSets");
    world.remove("apps/v1", "StatefulSet", "web");
    const again = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "web", namespace: metadata.namespace ?? "" },
      spec,
    };
    world.fleet.hub.create(type, again, { nowMs: world.scenario.startMs });
    world.runTo(0.5);
    expect(states(world.pods("member1"))).toEqual(["Terminating", "Terminating"]);
    world.runTo(20);
    expect(states(world.pods("member1"))).toEqual(["Running/Ready", "Running/Ready"]);
  });

  it("come and go at once when they are Parallel", () => {
    const world = set(1, { podManagementPolicy: "Parallel" });
    scale(world, 4);
    expect(world.pods("member1")).toHaveLength(4);
    world.runTo(10);
    scale(world, 1);
    world.runTo(11);
    expect(names(world.pods("member1"))).toEqual(["web-0"]);
  });
});

describe("a CloneSet's pods", () => {
  it("end by name where podsToDelete says so, and no other does (R4)", () => {
    const { apiVersion: _version, kind: _kind, ...document } = deploymentDocument(10);
    const world = smallFleet([
      scenarioDocument(),
      { apiVersion: "apps.kruise.io/v1alpha1", kind: "CloneSet", ...document },
      policyDocument(
        { replicaScheduling: { replicaSchedulingType: "Divided" } },
        { resourceSelectors: [{ apiVersion: "apps.kruise.io/v1alpha1", kind: "CloneSet" }] },
      ),
    ]);
    const before = names(world.pods("member1"));
    expect(before).toHaveLength(5);
    const chosen = before[2] ?? "";
    const member = world.fleet.members.get("member1");
    const type = member?.catalogue.findKind("apps.kruise.io/v1alpha1", "CloneSet");
    if (member === undefined || type === undefined) throw new Error("no CloneSets");
    const body = { spec: { scaleStrategy: { podsToDelete: [chosen] } } };
    member.patch(
      type,
      { namespace: "default", name: "web" },
      { type: "merge", body },
      { nowMs: world.scenario.startMs },
    );
    world.patch("apps.kruise.io/v1alpha1", "CloneSet", "web", { spec: { replicas: 9 } });
    world.runTo(40);
    const spec = world.fleet.hub.store.get(KINDS.bindings, "default", "web-cloneset")?.spec;
    const clusters = (spec?.clusters ?? []) as { name: string; replicas: number }[];
    const share = clusters.find(({ name }) => name === "member1");
    const after = names(world.pods("member1"));
    expect(after).toHaveLength(share?.replicas ?? 0);
    expect(after).not.toContain(chosen);
    expect(before.filter((name) => !after.includes(name))).toEqual([chosen]);
  });
});
