import { describe, expect, it } from "vitest";
import { isPortFault, type PortFaultKind } from "#ports/fault";
import type { KubernetesPort, ResourceRef } from "#ports/kubernetes";

const namespaces: ResourceRef = { group: "", version: "v1", resource: "namespaces" };
const configMaps: ResourceRef = { group: "", version: "v1", resource: "configmaps" };
const deployments: ResourceRef = { group: "apps", version: "v1", resource: "deployments" };

/**
 * What any Kubernetes API server must show through the port, whatever it holds: nothing is written. `connect` makes a
 * port with the given page size.
 */
export function kubernetesReadOnly(server: string, connect: (pageSize: number) => KubernetesPort): void {
  describe(`any API server, read only: ${server}`, () => {
    it("lists the same in small pages as in one", async () => {
      const [small, large] = await Promise.all(
        [3, 1000].map((pageSize) => connect(pageSize).list("hub", namespaces)),
      );
      const names = (list: typeof large) => list?.items.map(({ metadata }) => metadata.name).sort();
      expect(names(small)).toEqual(names(large));
      expect(names(large)).toContain("default");
      expect(large?.resourceVersion).toMatch(/^\d+$/);
    });

    it("lists metadata only", async () => {
      const { items } = await connect(1000).listMetadata("hub", namespaces);
      expect(items.length).toBeGreaterThan(0);
      expect([...new Set(items.flatMap((item) => Object.keys(item)))]).toEqual(["metadata"]);
      expect(items.every(({ metadata }) => metadata.uid !== undefined)).toBe(true);
    });

    it("narrows by name", async () => {
      const { items } = await connect(1000).list("hub", namespaces, {
        fieldSelector: "metadata.name=default",
      });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(["default"]);
    });

    it("gets one object", async () => {
      const { metadata } = await connect(1000).get("hub", namespaces, { name: "default" });
      expect(metadata.name).toBe("default");
    });

    it("discovers what is served, and what scales", async () => {
      expect(await connect(1000).discover("hub")).toEqual(
        expect.arrayContaining([
          { ...configMaps, kind: "ConfigMap", namespaced: true, scalable: false },
          { ...deployments, kind: "Deployment", namespaced: true, scalable: true },
          { ...namespaces, kind: "Namespace", namespaced: false, scalable: false },
        ]),
      );
    });

    it("ends a watch after its time", async () => {
      const port = connect(1000);
      const { resourceVersion } = await port.list("hub", configMaps, { namespace: "default" });
      const query = { namespace: "default", resourceVersion, timeoutSeconds: 1 };
      const before = performance.now();
      for await (const event of port.watch("hub", configMaps, query)) expect(event.type).toMatch(/^[A-Z]+$/);
      expect(performance.now() - before).toBeGreaterThan(500);
    });

    const absent = { namespace: "default", name: "mainsheet-is-not-here" };
    it.each<[string, PortFaultKind, (port: KubernetesPort) => Promise<unknown>]>([
      ["an object that is not there", "missing", (port) => port.get("hub", configMaps, absent)],
      ["a scale that is not there", "missing", (port) => port.getScale("hub", deployments, absent)],
      [
        "a kind that is not served",
        "missing",
        (port) => port.list("hub", { group: "example.io", version: "v1", resource: "sprockets" }),
      ],
      [
        "a selector that cannot be parsed",
        "invalid",
        (port) => port.list("hub", configMaps, { labelSelector: "a in b" }),
      ],
    ])("%s is %s", async (_case, kind, ask) => {
      const fault = await ask(connect(1000)).catch((error: unknown) => error);
      expect(isPortFault(fault, kind)).toBe(true);
    });
  });
}
