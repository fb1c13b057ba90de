import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "#ports/clock";
import { isPortFault, type PortFaultKind } from "#ports/fault";
import type { KubernetesPort, ResourceRef, Server, WatchEvent } from "#ports/kubernetes";
import type { Fleet } from "#sim/fleet";
import { type ContractFleet, contractFleet } from "#test/contract/kubernetes-fleet";

/** Connects an adapter to a fleet; `close` ends what was started for it. */
export type Connect = (
  fleet: Fleet,
  clock: Clock,
) => Promise<{ readonly port: KubernetesPort; close(): Promise<void> }>;

const deployments: ResourceRef = { group: "apps", version: "v1", resource: "deployments" };
const statefulSets: ResourceRef = { group: "apps", version: "v1", resource: "statefulsets" };
const configMaps: ResourceRef = { group: "", version: "v1", resource: "configmaps" };
const pods: ResourceRef = { group: "", version: "v1", resource: "pods" };
const events: ResourceRef = { group: "", version: "v1", resource: "events" };
const clusters: ResourceRef = { group: "cluster.karmada.io", version: "v1alpha1", resource: "clusters" };
const fhpas: ResourceRef = {
  group: "autoscaling.karmada.io",
  version: "v1alpha1",
  resource: "federatedhpas",
};
const bindings: ResourceRef = { group: "work.karmada.io", version: "v1alpha2", resource: "resourcebindings" };
const podMetrics: ResourceRef = { group: "metrics.k8s.io", version: "v1beta1", resource: "pods" };
const unknownKind: ResourceRef = { group: "example.io", version: "v1", resource: "sprockets" };

const web = { namespace: "shop", name: "web" };
const member1: Server = { member: "member1" };
const member2: Server = { member: "member2" };
const by = { fieldManager: "contract" };

/** What every adapter of `KubernetesPort` keeps; the port's docstrings are the source. */
export function kubernetesContract(adapter: string, connect: Connect): void {
  describe(`KubernetesPort: ${adapter}`, () => {
    let world: ContractFleet;
    let port: KubernetesPort;
    let close: () => Promise<void>;

    beforeEach(async () => {
      world = contractFleet();
      ({ port, close } = await connect(world.fleet, world.clock));
    });
    afterEach(() => close());

    describe("list", () => {
      it("gives the objects of one namespace, whole, with the version of the list", async () => {
        const list = await port.list("hub", deployments, { namespace: "shop" });
        expect(list.items.map((item) => item.metadata.name)).toEqual(["idle", "web"]);
        expect(list.items[1]).toMatchObject({ spec: { replicas: 4 } });
        expect(Number(list.resourceVersion)).toBeGreaterThanOrEqual(
          Math.max(...list.items.map((item) => Number(item.metadata.resourceVersion))),
        );
      });

      it("gives all namespaces when none is asked for", async () => {
        const list = await port.list("hub", deployments);
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
        const list = await port.list("hub", deployments, { namespace: "shop", labelSelector });
        expect(list.items.map((item) => item.metadata.name)).toEqual(names);
      });

      it("narrows by field selector", async () => {
        const list = await port.list("hub", deployments, { fieldSelector: "metadata.namespace=other" });
        expect(list.items.map((item) => item.metadata.namespace)).toEqual(["other"]);
      });

      it("follows the pages to the end", async () => {
        world.fill("paged", 1_234);
        const list = await port.list("hub", configMaps, { namespace: "paged" });
        expect(new Set(list.items.map((item) => item.metadata.name)).size).toBe(1_234);
        expect(list.items).toHaveLength(1_234);
      });

      it("is empty where there is nothing", async () => {
        expect((await port.list("hub", fhpas, { namespace: "shop" })).items).toEqual([]);
      });

      it("is missing where the kind is not served", async () => {
        await rejects(port.list("hub", unknownKind), "missing");
      });

      it("is invalid with a selector that cannot be parsed", async () => {
        await rejects(port.list("hub", deployments, { labelSelector: "app in web" }), "invalid");
      });
    });

    describe("listMetadata", () => {
      it("gives metadata and nothing else", async () => {
        const list = await port.listMetadata("hub", deployments, { labelSelector: "app=web,tier" });
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
        expect(await port.get("hub", deployments, web)).toMatchObject({
          metadata: { name: "web", namespace: "shop" },
          spec: { replicas: 4 },
        });
      });

      it("gives cluster-scoped objects by name alone", async () => {
        expect((await port.get("hub", clusters, { name: "member1" })).metadata.name).toBe("member1");
      });

      it.each([
        ["the object", deployments],
        ["the kind", unknownKind],
      ])("is missing where there is none: %s", async (_what, resource) => {
        await rejects(port.get("hub", resource, { namespace: "shop", name: "absent" }), "missing");
      });
    });

    describe("scale", () => {
      it("reads replicas, status and the selector in its text form", async () => {
        const template = await port.get("hub", deployments, web);
        expect(await port.getScale("hub", deployments, web)).toEqual({
          namespace: "shop",
          name: "web",
          uid: template.metadata.uid,
          resourceVersion: template.metadata.resourceVersion,
          replicas: 4,
          statusReplicas: 4,
          selector: "app=web",
        });
      });

      it("writes with the version it was read at, and counts a generation", async () => {
        const scale = await port.getScale("hub", deployments, web);
        const written = await port.updateScale(deployments, { ...scale, replicas: 6 }, by);
        expect(written).toMatchObject({ replicas: 6, uid: scale.uid });
        expect(Number(written.resourceVersion)).toBeGreaterThan(Number(scale.resourceVersion));
        const template = await port.get("hub", deployments, web);
        expect(template).toMatchObject({ spec: { replicas: 6 }, metadata: { generation: 2 } });
        expect(template.metadata.managedFields).toContainEqual(
          expect.objectContaining({ manager: "contract", operation: "Update", subresource: "scale" }),
        );
      });

      it("is a conflict when the object has moved, and changes nothing", async () => {
        const scale = await port.getScale("hub", deployments, web);
        await port.mergePatch(deployments, web, { metadata: { annotations: { moved: "yes" } } }, by);
        await rejects(port.updateScale(deployments, { ...scale, replicas: 9 }, by), "conflict");
        expect(await port.get("hub", deployments, web)).toMatchObject({ spec: { replicas: 4 } });
      });

      it("puts 0 on the wire (B61)", async () => {
        const scale = await port.getScale("hub", deployments, web);
        expect(await port.updateScale(deployments, { ...scale, replicas: 0 }, by)).toMatchObject({
          replicas: 0,
        });
        expect(await port.get("hub", deployments, web)).toMatchObject({ spec: { replicas: 0 } });
      });

      it("reads a scale at 0 as 0, and writes it up again", async () => {
        const idle = { namespace: "shop", name: "idle" };
        const scale = await port.getScale("hub", deployments, idle);
        expect(scale.replicas).toBe(0);
        expect(await port.updateScale(deployments, { ...scale, replicas: 2 }, by)).toMatchObject({
          replicas: 2,
        });
      });

      it("is missing for an object that is not there, and for a kind that cannot scale", async () => {
        const absent = { namespace: "shop", name: "absent" };
        const scale = await port.getScale("hub", deployments, web);
        await rejects(port.getScale("hub", deployments, absent), "missing");
        await rejects(port.updateScale(deployments, { ...scale, ...absent }, by), "missing");
        await rejects(port.getScale("hub", configMaps, { namespace: "shop", name: "settings" }), "missing");
      });
    });

    describe("mergePatch", () => {
      it("sets and removes fields, and leaves the others", async () => {
        await port.mergePatch(deployments, web, { metadata: { labels: { tier: null, color: "blue" } } }, by);
        const { metadata, spec } = await port.get("hub", deployments, web);
        expect(metadata.labels).toMatchObject({ app: "web", color: "blue" });
        expect(metadata.labels).not.toHaveProperty("tier");
        expect(spec).toMatchObject({ replicas: 4 });
      });

      it("is a conflict when the resourceVersion in the patch is not the object's any more", async () => {
        const { metadata } = await port.get("hub", deployments, web);
        const patch = (color: string) => ({
          metadata: { resourceVersion: metadata.resourceVersion, labels: { color } },
        });
        await port.mergePatch(deployments, web, patch("blue"), by);
        await rejects(port.mergePatch(deployments, web, patch("red"), by), "conflict");
        expect((await port.get("hub", deployments, web)).metadata.labels).toMatchObject({ color: "blue" });
      });

      it("of the status changes the status alone and no generation", async () => {
        const patch = { spec: { replicas: 99 }, status: { observedGeneration: 7 } };
        await port.mergePatch(deployments, web, patch, { ...by, subresource: "status" });
        expect(await port.get("hub", deployments, web)).toMatchObject({
          metadata: { generation: 1 },
          spec: { replicas: 4 },
          status: { observedGeneration: 7 },
        });
      });

      it("of the object leaves the status alone", async () => {
        const before = await port.get("hub", deployments, web);
        await port.mergePatch(deployments, web, { status: { observedGeneration: 7 } }, by);
        expect((await port.get("hub", deployments, web)).status).toEqual(before.status);
      });

      it("is missing for an object that is not there", async () => {
        await rejects(port.mergePatch(deployments, { namespace: "shop", name: "absent" }, {}, by), "missing");
      });
    });

    describe("create", () => {
      const event = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "web.17a", namespace: "shop" },
        involvedObject: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" },
        type: "Normal",
        reason: "SuccessfulRescale",
        message: "New size: 5; reason: cpu resource utilization (percentage of request) above target",
        source: { component: "mainsheet" },
        count: 1,
      };

      it("makes an event that its object's field selector finds", async () => {
        const made = await port.create(events, event, by);
        expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
        const fieldSelector = "involvedObject.kind=Deployment,involvedObject.name=web";
        const found = await port.list("hub", events, { namespace: "shop", fieldSelector });
        expect(found.items).toMatchObject([{ reason: "SuccessfulRescale", count: 1 }]);
      });

      it("is a conflict when the name is taken", async () => {
        await port.create(events, event, by);
        await rejects(port.create(events, event, by), "conflict");
      });

      it("is invalid with a name that no object may have", async () => {
        const unfit = { ...event, metadata: { ...event.metadata, name: "Not A Name" } };
        await rejects(port.create(events, unfit, by), "invalid");
      });
    });

    describe("discover", () => {
      it("names every resource of the hub, and says what scales", async () => {
        const found = await port.discover("hub");
        expect(found).toEqual(
          expect.arrayContaining([
            { ...deployments, kind: "Deployment", namespaced: true, scalable: true },
            { ...statefulSets, kind: "StatefulSet", namespaced: true, scalable: true },
            { ...configMaps, kind: "ConfigMap", namespaced: true, scalable: false },
            { ...fhpas, kind: "FederatedHPA", namespaced: true, scalable: false },
            { ...bindings, kind: "ResourceBinding", namespaced: true, scalable: false },
            { ...clusters, kind: "Cluster", namespaced: false, scalable: false },
          ]),
        );
        expect(found.filter((resource) => resource.resource.includes("/"))).toEqual([]);
      });

      it("names a member's, with its metrics", async () => {
        const found = await port.discover(member1);
        expect(found).toEqual(
          expect.arrayContaining([
            { ...pods, kind: "Pod", namespaced: true, scalable: false },
            { ...podMetrics, kind: "PodMetrics", namespaced: true, scalable: false },
          ]),
        );
      });
    });

    describe("watch", () => {
      it("gives the changes after a version, in order, and not those before", async () => {
        const { resourceVersion } = await port.list("hub", configMaps, { namespace: "shop" });
        world.put("shop", "late", { a: "1" });
        world.put("shop", "late", { a: "2" });
        world.put("elsewhere", "late", { a: "1" });
        world.drop("shop", "late");
        const seen = await watched(3, { namespace: "shop", resourceVersion });
        expect(seen.map((event) => [event.type, event.object.metadata.name])).toEqual([
          ["ADDED", "late"],
          ["MODIFIED", "late"],
          ["DELETED", "late"],
        ]);
      });

      it("goes on from the last version seen without a gap or a repetition", async () => {
        const { resourceVersion } = await port.list("hub", configMaps, { namespace: "shop" });
        for (const a of ["1", "2", "3"]) world.put("shop", "late", { a });
        const first = await watched(1, { namespace: "shop", resourceVersion });
        const last = first[0]?.object.metadata.resourceVersion ?? "";
        const rest = await watched(2, { namespace: "shop", resourceVersion: last });
        expect([...first, ...rest].map((event) => event.object)).toMatchObject([
          { data: { a: "1" } },
          { data: { a: "2" } },
          { data: { a: "3" } },
        ]);
      });

      it("delivers what happens while it is open", async () => {
        const { resourceVersion } = await port.list("hub", configMaps, { namespace: "shop" });
        const pending = watched(1, { namespace: "shop", resourceVersion });
        await new Promise((resolve) => setTimeout(resolve, 20));
        world.put("shop", "late", { a: "1" });
        expect((await pending).map((event) => event.type)).toEqual(["ADDED"]);
      });

      it("shows an object that stops matching the selector as deleted", async () => {
        const { resourceVersion } = await port.list("hub", deployments, { namespace: "shop" });
        await port.mergePatch(deployments, web, { metadata: { labels: { tier: null } } }, by);
        const query = { namespace: "shop", labelSelector: "tier=front", resourceVersion };
        expect((await watched(1, query, deployments)).map((event) => event.type)).toEqual(["DELETED"]);
      });

      it("ends by itself after its time", async () => {
        const { resourceVersion } = await port.list("hub", configMaps);
        const seen: WatchEvent[] = [];
        for await (const event of port.watch("hub", configMaps, { resourceVersion, timeoutSeconds: 1 })) {
          seen.push(event);
        }
        expect(seen.filter((event) => event.type !== "BOOKMARK")).toEqual([]);
      });

      it("is missing when the version is no longer held (410)", async () => {
        const { resourceVersion } = await port.list("hub", configMaps);
        for (const a of ["1", "2", "3"]) world.put("shop", "late", { a });
        world.fleet.hub.store.compact();
        await rejects(watched(1, { resourceVersion }), "missing");
      });

      async function watched(
        count: number,
        query: { namespace?: string; labelSelector?: string; resourceVersion: string },
        resource = configMaps,
      ) {
        const stop = new AbortController();
        const seen: Exclude<WatchEvent, { type: "BOOKMARK" }>[] = [];
        const options = { ...query, timeoutSeconds: 5, signal: stop.signal };
        for await (const event of port.watch("hub", resource, options)) {
          if (event.type === "BOOKMARK") continue;
          seen.push(event);
          if (seen.length === count) break;
        }
        stop.abort();
        return seen;
      }
    });

    describe("members, through the hub's proxy", () => {
      it("lists the pods of one member", async () => {
        const list = await port.list(member1, pods, { namespace: "shop", labelSelector: "app=web" });
        expect(list.items).toHaveLength(2);
        expect(list.items[0]).toMatchObject({ status: { phase: "Running" } });
      });

      it("reads the scale of a member's share", async () => {
        expect(await port.getScale(member2, deployments, web)).toMatchObject({
          replicas: 2,
          statusReplicas: 2,
          selector: "app=web",
        });
      });

      it("lists the samples of its pods", async () => {
        const list = await port.list(member1, podMetrics, { namespace: "shop", labelSelector: "app=web" });
        expect(list.items).toHaveLength(2);
        expect(list.items[0]).toMatchObject({
          timestamp: expect.stringMatching(/Z$/),
          window: "15s",
          containers: [{ name: "main", usage: { cpu: expect.any(String), memory: expect.any(String) } }],
        });
      });

      it("is missing for a member that the hub does not know", async () => {
        await rejects(port.list({ member: "nowhere" }, pods, { namespace: "shop" }), "missing");
      });

      it("is unavailable when the member is cut off, and the others are not", async () => {
        world.faults.cutOff("member2");
        await rejects(port.list(member2, pods, { namespace: "shop" }), "unavailable");
        await rejects(port.getScale(member2, deployments, web), "unavailable");
        await rejects(port.discover(member2), "unavailable");
        expect((await port.list(member1, pods, { namespace: "shop" })).items).toHaveLength(2);
        expect((await port.list("hub", deployments, { namespace: "shop" })).items).toHaveLength(2);
      });

      it("loses the metrics alone when only they fail", async () => {
        world.faults.failMetrics("member2");
        await rejects(port.list(member2, podMetrics, { namespace: "shop" }), "unavailable");
        expect((await port.list(member2, pods, { namespace: "shop" })).items).toHaveLength(2);
      });
    });
  });
}

async function rejects(attempt: Promise<unknown>, kind: PortFaultKind): Promise<void> {
  const outcome = await attempt.then(
    () => "succeeded",
    (error: unknown) => (isPortFault(error) ? error.kind : error),
  );
  expect(outcome).toBe(kind);
}
