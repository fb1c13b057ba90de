import { describe, expect, it } from "vitest";
import { readGiven } from "#infra/simulate/given-manifests";
import { namedClusters } from "#infra/simulate/named-clusters";
import { federatedHpa, manifest, simulated } from "./manifests.ts";

describe("the files of a simulation", () => {
  it("what kubectl get -o yaml prints is taken as its author wrote it", () => {
    const live = {
      ...federatedHpa(),
      metadata: {
        name: "web",
        namespace: "shop",
        uid: "u",
        resourceVersion: "7",
        generation: 3,
        creationTimestamp: "2026-03-01T00:00:00Z",
        managedFields: [],
        labels: { app: "web", "propagationpolicy.karmada.io/permanent-id": "p" },
        annotations: { "mainsheet.io/mode": "observe", "mainsheet.io/tolerance": "0.2" },
      },
      status: { desiredReplicas: 4 },
    };
    const { others, faults, notes } = readGiven([
      manifest({ apiVersion: "v1", kind: "List", items: [live] }),
    ]);
    expect([faults, notes]).toEqual([[], []]);
    expect(others).toEqual([
      {
        ...federatedHpa(),
        metadata: {
          name: "web",
          namespace: "shop",
          labels: { app: "web" },
          annotations: { "mainsheet.io/tolerance": "0.2" },
        },
      },
    ]);
  });

  it("kinds that the simulator does not know are left out, unless a definition is there", () => {
    const game = { apiVersion: "x.io/v1", kind: "Game", metadata: { name: "go", namespace: "shop" } };
    expect(readGiven([manifest(game)])).toMatchObject({
      others: [],
      notes: ["Game shop/go is left out: the simulator does not know Game of x.io/v1"],
    });
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "games.x.io" },
      spec: { names: { kind: "Game" } },
    };
    expect(readGiven([manifest(definition), manifest(game)]).notes).toEqual([]);
  });

  it("of two with one kind and name the later counts", () => {
    const other = federatedHpa({ maxReplicas: 99 });
    const { others } = readGiven(
      [manifest(federatedHpa()), manifest(federatedHpa({}, "api"))],
      [manifest(other)],
    );
    expect(others.map(({ metadata, spec }) => [metadata.name, spec?.maxReplicas])).toEqual([
      ["web", 99],
      ["api", 10],
    ]);
  });

  it("two Scenarios are one too many", () => {
    const scenario = (name: string) =>
      manifest({ apiVersion: "mainsheet.io/v1alpha1", kind: "Scenario", metadata: { name } });
    expect(readGiven([scenario("a"), scenario("b")]).faults).toEqual([
      "the files hold more than one Scenario; give one",
    ]);
  });

  it("what a Scenario repeats is simulated each for itself", async () => {
    const scenario = {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "many" },
      spec: { start: "2026-03-02T00:00:00Z", clusters: [{ name: "a" }], copies: { count: 3, namespaces: 2 } },
    };
    const copied = { ...federatedHpa({}, "web-$(i)"), metadata: { name: "web-$(i)", namespace: "$(ns)" } };
    const choice = { kind: "shape", name: "steady", noisePercent: 0 } as const;
    const { objects } = await simulated({
      manifests: [manifest(scenario), manifest(copied)],
      choice,
      forMs: 60_000,
    });
    expect(objects.map(({ namespace, name, target }) => `${namespace}/${name} ${target}`)).toEqual([
      "team-0/web-0 Deployment/web-0",
      "team-0/web-2 Deployment/web-2",
      "team-1/web-1 Deployment/web-1",
    ]);
  });

  it.each(["StatefulSet", "CloneSet"])("a %s that nobody described is assumed, and scaled", async (kind) => {
    const apiVersion = kind === "CloneSet" ? "apps.kruise.io/v1alpha1" : "apps/v1";
    const object = federatedHpa({ scaleTargetRef: { apiVersion, kind, name: "web" } });
    const choice = { kind: "shape", name: "step", noisePercent: 0 } as const;
    const { summary, notes } = await simulated({ manifests: [manifest(object)], choice });
    expect(notes[1]).toMatch(new RegExp(`^no manifest of ${kind} shop/web: one of 2 replicas`));
    expect(summary).toMatchObject({ failedEvaluations: 0, maxReplicas: 8 });
  });

  it("policies name the clusters, in affinities and in weights", () => {
    const policy = (placement: object) => ({
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { name: "p" },
      spec: { placement },
    });
    const weights = {
      replicaScheduling: {
        weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: ["c"] }, weight: 1 }] },
      },
    };
    expect(
      namedClusters([
        policy({ clusterAffinity: { clusterNames: ["b", "a"] } }),
        policy({ clusterAffinities: [{ clusterNames: ["a", "d"] }], ...weights }),
        policy({}),
      ] as never),
    ).toEqual(["b", "a", "d", "c"]);
  });

  it("an object that is only observed is simulated as active", async () => {
    const observed = {
      ...federatedHpa(),
      metadata: { ...federatedHpa().metadata, annotations: { "mainsheet.io/mode": "observe" } },
    };
    const choice = { kind: "shape", name: "step", noisePercent: 0 } as const;
    const { summary } = await simulated({ manifests: [manifest(observed)], choice });
    expect(summary.scaleEvents).toBeGreaterThan(0);
  });
});
