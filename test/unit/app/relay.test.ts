import { describe, expect, it } from "vitest";
import { HUB_SOURCES, podSource } from "#app/relay/sources";
import type { KubeObject } from "#sim/api/object";
import { HUB, type RelayWorld } from "#test/relay/relay-world";
import {
  AUTOSCALERS,
  BINDINGS,
  CLUSTERS,
  object,
  PODS,
  pass,
  started,
  told,
  WEB,
  world,
} from "#test/relay/small-hub";
import { EVENT_SCHEMAS } from "#wire/events";

describe("relay: what comes to the bus (design 1)", () => {
  const web = (made: RelayWorld, of: typeof AUTOSCALERS, name: string) =>
    made.server.store.get(of, of === CLUSTERS ? undefined : "shop", name) as KubeObject;

  it.each<[string, typeof AUTOSCALERS, string, (found: KubeObject) => Partial<KubeObject>, boolean]>([
    [
      "another generation",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, generation: 2 } }),
      true,
    ],
    [
      "an annotation of ours",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, annotations: { "mainsheet.io/mode": "active" } } }),
      true,
    ],
    [
      "a foreign annotation",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, annotations: { "example.io/a": "b" } } }),
      false,
    ],
    ["our own status", AUTOSCALERS, "web", () => ({ status: { desiredReplicas: 3 } }), false],
    [
      "another share",
      BINDINGS,
      "web-deployment",
      ({ spec }) => ({ spec: { ...spec, clusters: [{ name: "member1", replicas: 3 }] } }),
      true,
    ],
    ["other replicas", BINDINGS, "web-deployment", ({ spec }) => ({ spec: { ...spec, replicas: 3 } }), true],
    [
      "no longer scheduled",
      BINDINGS,
      "web-deployment",
      () => ({ status: { conditions: [{ type: "Scheduled", status: "False" }] } }),
      true,
    ],
    [
      "an aggregated status",
      BINDINGS,
      "web-deployment",
      ({ status }) => ({ status: { ...status, aggregatedStatus: [{ clusterName: "member1" }] } }),
      false,
    ],
    [
      "a cluster that is not ready",
      CLUSTERS,
      "member1",
      () => ({ status: { conditions: [{ type: "Ready", status: "False" }] } }),
      true,
    ],
    [
      "a cluster's heartbeat",
      CLUSTERS,
      "member1",
      ({ status }) => ({ status: { ...status, kubernetesVersion: "v1.33.1" } }),
      false,
    ],
  ])("%s", async (_case, of, name, change, matters) => {
    const made = world();
    await started(made);
    const found = web(made, of, name);
    const { metadata } = made.server.store.put(of, { ...found, ...change(found) });
    await pass(made, 1_000);
    const id = `${metadata.uid}:${metadata.resourceVersion}`;
    expect(told(made)).toEqual(
      matters ? [expect.objectContaining({ v: 1, id, hub: HUB, name, change: "modified" })] : [],
    );
    for (const detail of told(made))
      expect(EVENT_SCHEMAS.ObjectChanged.safeParse(detail).error).toBeUndefined();
  });

  it("names the workload that a binding binds, and passes over what nobody scales", async () => {
    const made = world();
    await started(made);
    const other = object("ResourceBinding", "settings", {
      spec: { resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "settings" } },
    });
    made.server.store.put(BINDINGS, other);
    const binding = web(made, BINDINGS, "web-deployment");
    made.server.store.put(BINDINGS, { ...binding, spec: { ...binding.spec, replicas: 4 } });
    await pass(made, 1_000);
    expect(told(made)).toMatchObject([{ kind: "ResourceBinding", target: { ...WEB, namespace: "shop" } }]);
  });

  it("tells of what is new and what is gone", async () => {
    const made = world();
    await started(made);
    const late = made.server.store.put(AUTOSCALERS, object("FederatedHPA", "late", { spec: {} }));
    await pass(made, 1_000);
    made.server.store.remove(AUTOSCALERS, late);
    await pass(made, 1_000);
    expect(told(made)).toMatchObject([
      { name: "late", change: "added" },
      { name: "late", change: "deleted", id: `${late.metadata.uid}:deleted` },
    ]);
  });

  it("says nothing of what is there when it first starts", async () => {
    const made = world();
    await started(made);
    await pass(made, 60_000);
    expect(told(made)).toEqual([]);
  });

  it("tells of a workload's pods once, and only when one becomes ready or no longer is", async () => {
    const made = world();
    const pod = (name: string, status: string, labels = { "pod-template-hash": "5d" }) =>
      object("Pod", name, {
        metadata: {
          labels,
          ownerReferences: [
            { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5d", uid: "rs", controller: true },
          ],
        },
        status: { phase: "Running", conditions: [{ type: "Ready", status }] },
      });
    await started(made, [...HUB_SOURCES, { ...podSource("member1"), at: "hub" }]);
    const ready = ["a", "b", "c"].map((name) => made.server.store.put(PODS, pod(`web-5d-${name}`, "True")));
    made.server.store.put(PODS, pod("web-5d-d", "False"));
    made.server.store.put(PODS, {
      ...pod("stray", "True"),
      metadata: { name: "stray", namespace: "shop", uid: "stray" },
    });
    await pass(made, 1_000);
    const last = ready.at(-1)?.metadata;
    const event = { kind: "Pod", cluster: "member1", target: { ...WEB, namespace: "shop" } };
    expect(told(made).length).toBeLessThanOrEqual(3);
    expect(told(made).at(-1)).toMatchObject({ ...event, id: `${last?.uid}:${last?.resourceVersion}` });
    const before = told(made).length;
    made.server.store.put(PODS, {
      ...(ready[0] as KubeObject),
      status: { phase: "Running", conditions: [] },
    });
    await pass(made, 1_000);
    expect(told(made).slice(before)).toMatchObject([{ ...event, name: "web-5d-a", change: "modified" }]);
  });
});
