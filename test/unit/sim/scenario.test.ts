import { describe, expect, it } from "vitest";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import { deploymentDocument, loadDocument, scenarioDocument, smallFleet } from "./small-fleet.ts";

function faultsOf(documents: readonly unknown[]): readonly string[] {
  const parsed = parseScenario(documents);
  if (!parsed.ok) return parsed.faults;
  const loaded = loadScenario(parsed.value);
  return loaded.ok ? [] : loaded.faults;
}

const withSpec = (spec: object) => [scenarioDocument(spec)];

describe("a scenario that cannot be used says why in one sentence each", () => {
  it.each<[string, readonly unknown[], string[]]>([
    [
      "no Scenario",
      [deploymentDocument(1)],
      ["a scenario file needs one document of kind Scenario (mainsheet.io/v1alpha1), this has 0"],
    ],
    [
      "two Scenarios",
      [scenarioDocument(), scenarioDocument()],
      ["a scenario file needs one document of kind Scenario (mainsheet.io/v1alpha1), this has 2"],
    ],
    [
      "no clusters",
      withSpec({ clusters: [] }),
      ["Scenario small: spec.clusters must name at least one cluster"],
    ],
    [
      "a cluster twice",
      withSpec({ clusters: [{ name: "a" }, { name: "a" }] }),
      ["Scenario small: spec.clusters names a twice"],
    ],
    [
      "a bad cluster name",
      withSpec({ clusters: [{ name: "A b" }] }),
      ["Scenario small: spec.clusters.0.name must be lower-case letters, digits and dashes, at most 48"],
    ],
    [
      "no start",
      withSpec({ start: undefined }),
      ["Scenario small: spec.start must be an instant such as 2026-03-02T09:00:00Z"],
    ],
    [
      "a start that is no instant",
      withSpec({ start: "tomorrow" }),
      ["Scenario small: spec.start must be an instant such as 2026-03-02T09:00:00Z"],
    ],
    [
      "a field that is none",
      withSpec({ sede: 1 }),
      ["Scenario small: spec has no field sede; remove it or correct its name"],
    ],
    [
      "a capacity that is no quantity",
      withSpec({ clusters: [{ name: "a", capacity: { cpu: "many" } }] }),
      ["Scenario small: spec.clusters.0.capacity.cpu must be a quantity such as 250m"],
    ],
    [
      "a negative delay",
      withSpec({ pods: { startSeconds: -1 } }),
      ["Scenario small: spec.pods.startSeconds must not be negative"],
    ],
    [
      "an action that is none",
      withSpec({ timeline: [{ afterSeconds: 1, do: "explode", cluster: "member1" }] }),
      [
        "Scenario small: spec.timeline.0.do must say what to do: cut-off, reconnect, fail-metrics, restore-metrics, slow, scale, delete, apply",
      ],
    ],
    [
      "a fault of an unknown cluster",
      withSpec({ timeline: [{ afterSeconds: 1, do: "cut-off", cluster: "nowhere" }] }),
      ["Scenario small: spec.timeline.0.cluster is nowhere, which is none of spec.clusters"],
    ],
    [
      "a manifest without a kind",
      [scenarioDocument(), { apiVersion: "v1", metadata: { name: "x" } }],
      ["document 1: kind must be a text"],
    ],
    [
      "a manifest without a name",
      [scenarioDocument(), { apiVersion: "v1", kind: "ConfigMap", metadata: {} }],
      ["ConfigMap (document 1): metadata.name must be a text"],
    ],
    ["a document that is no object", [scenarioDocument(), 7], ["document 1: it must be a Kubernetes object"]],
    [
      "a kind that the hub does not serve",
      [scenarioDocument(), { apiVersion: "v1", kind: "Sprocket", metadata: { name: "x" } }],
      ["Sprocket x: the hub serves no Sprocket of v1; correct the apiVersion or define the kind"],
    ],
    [
      "a load that its schema refuses",
      [scenarioDocument(), loadDocument({ cpu: { constant: "much" } })],
      [expect.stringContaining('Load web: Load.mainsheet.io "web" is invalid: spec.cpu.constant')],
    ],
  ])("%s", (_what, documents, faults) => {
    expect(faultsOf(documents)).toEqual(faults);
  });

  it("names every fault, not only the first", () => {
    expect(faultsOf(withSpec({ start: 5, warmUpSeconds: 0.5 }))).toHaveLength(2);
  });
});

describe("a scenario", () => {
  it("counts its loads and its timeline from its start, also where a command line moves that", () => {
    const startMs = Date.UTC(2027, 0, 1);
    const timeline = [
      {
        afterSeconds: 30,
        do: "scale",
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "default",
        name: "web",
        replicas: 3,
      },
    ];
    const world = smallFleet([scenarioDocument({ timeline }), deploymentDocument(1), loadDocument({})], {
      startMs,
    });
    expect(world.fleet.hub.store.list({ group: "mainsheet.io", resource: "loads" })[0]?.spec?.since).toBe(
      "2027-01-01T00:00:00Z",
    );
    expect(world.fleet.nextDueMs(startMs)).toBe(startMs + 30_000);
    world.runTo(30);
    expect(world.template("web")?.spec?.replicas).toBe(3);
  });

  it("runs its timeline in order of time, each entry once, and notes what was refused", () => {
    const target = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default" };
    const world = smallFleet([
      scenarioDocument({
        timeline: [
          { afterSeconds: 20, do: "delete", ...target, name: "web" },
          { afterSeconds: 10, do: "scale", ...target, name: "web", replicas: 5 },
          { afterSeconds: 15, do: "scale", ...target, name: "missing", replicas: 5 },
        ],
      }),
      deploymentDocument(1),
    ]);
    world.runTo(10);
    expect(world.template("web")?.spec?.replicas).toBe(5);
    world.runTo(60);
    expect(world.template("web")).toBeUndefined();
    expect(world.fleet.hub.store.list({ group: "mainsheet.io", resource: "scenarios" })[0]?.status).toEqual({
      done: 3,
      refusals: ['after 15 s: deployments.apps "missing" not found'],
    });
  });

  it("applies a manifest over what is there", () => {
    const manifest = { ...deploymentDocument(7), metadata: { name: "web", namespace: "default" } };
    const world = smallFleet([
      scenarioDocument({ timeline: [{ afterSeconds: 10, do: "apply", manifest }] }),
      deploymentDocument(1),
    ]);
    world.runTo(10);
    expect(world.template("web")?.spec?.replicas).toBe(7);
    expect(world.template("web")?.metadata.labels).toMatchObject({ app: "web" });
  });

  it("is not made again over stores that hold a fleet", () => {
    const first = smallFleet([scenarioDocument(), deploymentDocument(1)]);
    const versions = first.fleet.hub.store.resourceVersion;
    const servers = new Map(
      [first.fleet.hub, ...first.fleet.members.values()].map(({ name, store }) => [name, store]),
    );
    const parsed = parseScenario([scenarioDocument(), deploymentDocument(5)]);
    if (!parsed.ok) throw new Error("unreachable");
    const again = loadScenario(parsed.value, {
      storeOf: (server) => {
        const store = servers.get(server);
        if (store === undefined) throw new Error(server);
        return store;
      },
    });
    expect(again.ok && again.fleet.hub.store.resourceVersion).toBe(versions);
  });
});
