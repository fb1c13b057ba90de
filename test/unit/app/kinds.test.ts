import { describe, expect, it } from "vitest";
import { hubCache, type LoadContext } from "#app/load/context";
import { scalableKind } from "#app/load/kinds";
import { PortFault } from "#ports/fault";
import type { ApiResource, Server } from "#ports/kubernetes";

const rollouts = (version: string): ApiResource => ({
  group: "argoproj.io",
  version,
  resource: "rollouts",
  kind: "Rollout",
  namespaced: true,
  scalable: true,
});

const crd = {
  metadata: { name: "rollouts.argoproj.io" },
  spec: {
    versions: [
      {
        name: "v1alpha1",
        subresources: {
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.HPAReplicas",
            labelSelectorPath: ".status.selector",
          },
        },
      },
    ],
  },
};

/** A port that serves these resources, and counts what it is asked. */
function portOf(resources: { served: readonly ApiResource[] }, getCrd: () => object = () => crd) {
  const asked = { discover: 0, crd: 0 };
  const port = {
    discover: async () => {
      asked.discover += 1;
      return resources.served;
    },
    get: async () => {
      asked.crd += 1;
      return getCrd();
    },
  } as unknown as LoadContext["port"];
  const cache = hubCache(port);
  const at = (nowMs: number): LoadContext => ({ hub: "eu", port, cache, nowMs });
  return { asked, at };
}

const member: Server = { member: "member1" };

describe("kinds (issue: kinds by the hub's discovery, versions by each member's)", () => {
  it("built-in kinds cost no request", async () => {
    const { asked, at } = portOf({ served: [] });
    expect(await scalableKind(at(0), "hub", "apps/v1", "Deployment")).toMatchObject({
      resource: { resource: "deployments" },
      paths: { specReplicas: "spec.replicas" },
    });
    expect(asked).toEqual({ discover: 0, crd: 0 });
  });

  it("a custom kind is found by discovery and its CRD's scale paths; both are kept for 60 s", async () => {
    const { asked, at } = portOf({ served: [rollouts("v1alpha1")] });
    const kind = await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout");
    expect(kind?.paths).toEqual({
      specReplicas: "spec.replicas",
      statusReplicas: "status.HPAReplicas",
      selector: "status.selector",
    });
    await scalableKind(at(59_999), "hub", "argoproj.io/v1alpha1", "Rollout");
    expect(asked).toEqual({ discover: 1, crd: 1 });
    await scalableKind(at(60_000), "hub", "argoproj.io/v1alpha1", "Rollout");
    expect(asked).toEqual({ discover: 2, crd: 2 });
  });

  it.each<[string, () => object]>([
    [
      "may not be read",
      () => {
        throw new PortFault("denied", "get crd: 403");
      },
    ],
    [
      "does not exist, as with an aggregated API",
      () => {
        throw new PortFault("missing", "get crd: 404");
      },
    ],
    ["declares no scale", () => ({ spec: { versions: [{ name: "v1alpha1" }] } })],
  ])("where the CRD %s, only the scale subresource tells", async (_case, getCrd) => {
    const { at } = portOf({ served: [rollouts("v1alpha1")] }, getCrd);
    expect(await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout")).toEqual({
      resource: { group: "argoproj.io", version: "v1alpha1", resource: "rollouts" },
    });
  });

  it("a member may serve another version; the hub may not", async () => {
    const { at } = portOf({ served: [rollouts("v1beta1")] });
    expect((await scalableKind(at(0), member, "argoproj.io/v1alpha1", "Rollout"))?.resource.version).toBe(
      "v1beta1",
    );
    expect(await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout")).toBeUndefined();
  });

  it("a kind without scale is none that can be scaled", async () => {
    const { at } = portOf({ served: [{ ...rollouts("v1alpha1"), scalable: false }] });
    expect(await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout")).toBeUndefined();
  });

  it("a kind that is missing is looked for anew, once for each instant", async () => {
    const resources = { served: [] as ApiResource[] };
    const { asked, at } = portOf(resources);
    expect(await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout")).toBeUndefined();
    await scalableKind(at(0), "hub", "argoproj.io/v1alpha1", "Rollout");
    expect(asked.discover).toBe(1);
    resources.served = [rollouts("v1alpha1")];
    expect(await scalableKind(at(15_000), "hub", "argoproj.io/v1alpha1", "Rollout")).toBeDefined();
    expect(asked.discover).toBe(2);
  });
});
