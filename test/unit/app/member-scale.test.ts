import { describe, expect, it } from "vitest";
import { hubCache, type LoadContext } from "#app/load/context";
import { readMember } from "#app/load/member";

const need = { apiVersion: "apps/v1", kind: "Deployment", name: "web", podMetrics: false, podsMetrics: [] };

function writtenBy(manager: string, fields: object = { "f:spec": { "f:replicas": {} } }) {
  const object = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "web",
      namespace: "shop",
      managedFields: [
        {
          manager: "karmada-controller-manager",
          operation: "Update",
          time: "2026-03-01T10:00:00Z",
          fieldsV1: { "f:spec": { "f:template": {} } },
        },
        {
          manager,
          operation: "Update",
          subresource: "scale",
          time: "2026-03-01T11:00:00Z",
          fieldsV1: fields,
        },
      ],
    },
    spec: { replicas: 3, selector: { matchLabels: { app: "web" } } },
    status: { replicas: 3 },
  };
  const port = { get: async () => object, list: async () => ({ items: [], resourceVersion: "1" }) };
  return port as unknown as LoadContext["port"];
}

describe("who scaled a workload in its member (design 4, Modes)", () => {
  it.each<[string, string, object | undefined, string | undefined]>([
    ["a native HPA is named", "kube-controller-manager", undefined, "kube-controller-manager"],
    ["a person is named", "kubectl", undefined, "kubectl"],
    ["Karmada is nobody else", "karmada-agent", undefined, undefined],
    ["who wrote other fields did not scale it", "kubectl", { "f:metadata": { "f:labels": {} } }, undefined],
  ])("%s", async (_case, manager, fields, named) => {
    const port = writtenBy(manager, fields);
    const context = { hub: "eu", port, cache: hubCache(port), nowMs: 0 };
    const world = await readMember(context, "member1", "shop", [need]);
    const scale = world.scaleOf(need);
    expect(scale).toMatchObject({ ok: true, value: { specReplicas: 3 } });
    expect(scale.ok && scale.value.foreignManager).toBe(named);
  });
});
