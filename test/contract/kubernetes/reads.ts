import { describe, expect, it } from "vitest";
import {
  bindings,
  clusters,
  configMaps,
  deployments,
  EVERYTHING,
  fhpas,
  type HubExam,
  member1,
  namespaces,
  podMetrics,
  pods,
  rejects,
  statefulSets,
  unknownKind,
  web,
} from "./exam.ts";

/** Reading the hub: list, listMetadata, get, discover. */
export function reads(exam: HubExam, served = EVERYTHING): void {
  describe("list", () => {
    it("gives the objects of one namespace, whole, with the version of the list", async () => {
      const list = await exam.port.list("hub", deployments, { namespace: "shop" });
      expect(list.items.map((item) => item.metadata.name)).toEqual(["idle", "web"]);
      expect(list.items[1]).toMatchObject({ spec: { replicas: 4 } });
      expect(Number(list.resourceVersion)).toBeGreaterThanOrEqual(
        Math.max(...list.items.map((item) => Number(item.metadata.resourceVersion))),
      );
    });

    it("gives all namespaces when none is asked for", async () => {
      const list = await exam.port.list("hub", deployments);
      expect(list.items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`)).toEqual([
        "other/web",
        "shop/idle",
        "shop/web",
      ]);
    });

    it.each([
      ["equality", "app=web", ["web"]],
      ["inequality", "app!=web", ["idle"]],
      ["a set", "app in (web, idle),tier", ["web"]],
      ["absence", "!tier", ["idle"]],
    ])("narrows by label selector: %s", async (_form, labelSelector, names) => {
      const list = await exam.port.list("hub", deployments, { namespace: "shop", labelSelector });
      expect(list.items.map((item) => item.metadata.name)).toEqual(names);
    });

    it("narrows by field selector", async () => {
      const list = await exam.port.list("hub", deployments, { fieldSelector: "metadata.namespace=other" });
      expect(list.items.map((item) => item.metadata.namespace)).toEqual(["other"]);
    });

    it("follows the pages to the end", async () => {
      await exam.world.fill("paged", 1_234);
      const list = await exam.port.list("hub", configMaps, { namespace: "paged" });
      expect(new Set(list.items.map((item) => item.metadata.name)).size).toBe(1_234);
      expect(list.items).toHaveLength(1_234);
    });

    it("is empty where there is nothing", async () => {
      expect((await exam.port.list("hub", statefulSets, { namespace: "shop" })).items).toEqual([]);
    });

    it("is missing where the kind is not served", async () => {
      await rejects(exam.port.list("hub", unknownKind), "missing");
    });

    it("is invalid with a selector that cannot be parsed", async () => {
      await rejects(exam.port.list("hub", deployments, { labelSelector: "app in web" }), "invalid");
    });
  });

  describe("listMetadata", () => {
    it("gives metadata and nothing else", async () => {
      const list = await exam.port.listMetadata("hub", deployments, { labelSelector: "app=web,tier" });
      expect(list.items.map((item) => item.metadata)).toMatchObject([
        { name: "web", namespace: "shop", labels: { tier: "front" }, generation: 1 },
      ]);
      expect(list.items[0]).not.toHaveProperty("spec");
      expect(list.items[0]).not.toHaveProperty("status");
      expect(list.resourceVersion).toMatch(/^\d+$/);
    });
  });

  describe("get", () => {
    it("gives one object", async () => {
      expect(await exam.port.get("hub", deployments, web)).toMatchObject({
        metadata: { name: "web", namespace: "shop" },
        spec: { replicas: 4 },
      });
    });

    it("gives cluster-scoped objects by name alone", async () => {
      const { metadata } = await exam.port.get("hub", namespaces, { name: "default" });
      expect([metadata.name, metadata.namespace]).toEqual(["default", undefined]);
    });

    it.each([
      ["the object", deployments],
      ["the kind", unknownKind],
    ])("is missing where there is none: %s", async (_what, resource) => {
      await rejects(exam.port.get("hub", resource, { namespace: "shop", name: "absent" }), "missing");
    });
  });

  describe("discover", () => {
    it("names every resource of the hub, and says what scales", async () => {
      const found = await exam.port.discover("hub");
      expect(found).toEqual(
        expect.arrayContaining([
          { ...deployments, kind: "Deployment", namespaced: true, scalable: true },
          { ...statefulSets, kind: "StatefulSet", namespaced: true, scalable: true },
          { ...configMaps, kind: "ConfigMap", namespaced: true, scalable: false },
          { ...namespaces, kind: "Namespace", namespaced: false, scalable: false },
        ]),
      );
      expect(found.filter((resource) => resource.resource.includes("/"))).toEqual([]);
    });

    const karmada = [
      { ...fhpas, kind: "FederatedHPA", namespaced: true, scalable: false },
      { ...bindings, kind: "ResourceBinding", namespaced: true, scalable: false },
      { ...clusters, kind: "Cluster", namespaced: false, scalable: false },
    ];
    it.each(served.karmada ? karmada : [])("names Karmada's: $kind", async (resource) => {
      const found = await exam.port.discover("hub");
      expect(found).toContainEqual(resource);
      expect((await exam.port.list("hub", resource)).resourceVersion).toMatch(/^\d+$/);
    });

    it.each(served.members ? [member1] : [])("names a member's, with its metrics", async (member) => {
      const found = await exam.port.discover(member);
      expect(found).toEqual(
        expect.arrayContaining([
          { ...pods, kind: "Pod", namespaced: true, scalable: false },
          { ...podMetrics, kind: "PodMetrics", namespaced: true, scalable: false },
        ]),
      );
    });
  });
}
