import { describe, expect, it } from "vitest";
import { by, configMaps, deployments, events, type HubExam, rejects, web } from "./exam.ts";

/** Writing to the hub: scale, mergePatch, create. */
export function writes(exam: HubExam): void {
  describe("scale", () => {
    it("reads replicas, status and the selector in its text form", async () => {
      const template = await exam.port.get("hub", deployments, web);
      expect(await exam.port.getScale("hub", deployments, web)).toEqual({
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
      const scale = await exam.port.getScale("hub", deployments, web);
      const written = await exam.port.updateScale(deployments, { ...scale, replicas: 6 }, by);
      expect(written).toMatchObject({ replicas: 6, uid: scale.uid });
      expect(Number(written.resourceVersion)).toBeGreaterThan(Number(scale.resourceVersion));
      const template = await exam.port.get("hub", deployments, web);
      expect(template).toMatchObject({ spec: { replicas: 6 }, metadata: { generation: 2 } });
      expect(template.metadata.managedFields).toContainEqual(
        expect.objectContaining({ manager: "contract", operation: "Update", subresource: "scale" }),
      );
    });

    it("is a conflict when the object has moved, and changes nothing", async () => {
      const scale = await exam.port.getScale("hub", deployments, web);
      await exam.port.mergePatch(deployments, web, { metadata: { annotations: { moved: "yes" } } }, by);
      await rejects(exam.port.updateScale(deployments, { ...scale, replicas: 9 }, by), "conflict");
      expect(await exam.port.get("hub", deployments, web)).toMatchObject({ spec: { replicas: 4 } });
    });

    it("puts 0 on the wire (B61)", async () => {
      const scale = await exam.port.getScale("hub", deployments, web);
      expect(await exam.port.updateScale(deployments, { ...scale, replicas: 0 }, by)).toMatchObject({
        replicas: 0,
      });
      expect(await exam.port.get("hub", deployments, web)).toMatchObject({ spec: { replicas: 0 } });
    });

    it("reads a scale at 0 as 0, and writes it up again", async () => {
      const idle = { namespace: "shop", name: "idle" };
      const scale = await exam.port.getScale("hub", deployments, idle);
      expect(scale.replicas).toBe(0);
      expect(await exam.port.updateScale(deployments, { ...scale, replicas: 2 }, by)).toMatchObject({
        replicas: 2,
      });
    });

    it("is missing for an object that is not there, and for a kind that cannot scale", async () => {
      const absent = { namespace: "shop", name: "absent" };
      const scale = await exam.port.getScale("hub", deployments, web);
      await rejects(exam.port.getScale("hub", deployments, absent), "missing");
      await rejects(exam.port.updateScale(deployments, { ...scale, ...absent }, by), "missing");
      await rejects(
        exam.port.getScale("hub", configMaps, { namespace: "shop", name: "settings" }),
        "missing",
      );
    });
  });

  describe("mergePatch", () => {
    it("sets and removes fields, and leaves the others", async () => {
      await exam.port.mergePatch(
        deployments,
        web,
        { metadata: { labels: { tier: null, color: "blue" } } },
        by,
      );
      const { metadata, spec } = await exam.port.get("hub", deployments, web);
      expect(metadata.labels).toMatchObject({ app: "web", color: "blue" });
      expect(metadata.labels).not.toHaveProperty("tier");
      expect(spec).toMatchObject({ replicas: 4 });
    });

    it("is a conflict when the resourceVersion in the patch is not the object's any more", async () => {
      const { metadata } = await exam.port.get("hub", deployments, web);
      const patch = (color: string) => ({
        metadata: { resourceVersion: metadata.resourceVersion, labels: { color } },
      });
      await exam.port.mergePatch(deployments, web, patch("blue"), by);
      await rejects(exam.port.mergePatch(deployments, web, patch("red"), by), "conflict");
      expect((await exam.port.get("hub", deployments, web)).metadata.labels).toMatchObject({ color: "blue" });
    });

    it("of the status changes the status alone and no generation", async () => {
      const patch = { spec: { replicas: 99 }, status: { observedGeneration: 7 } };
      // What comes back, since a controller of Deployments writes the status again.
      const written = await exam.port.mergePatch(deployments, web, patch, { ...by, subresource: "status" });
      const kept = { metadata: { generation: 1 }, spec: { replicas: 4 } };
      expect(written).toMatchObject({ ...kept, status: { observedGeneration: 7 } });
      expect(await exam.port.get("hub", deployments, web)).toMatchObject(kept);
    });

    it("of the object leaves the status alone", async () => {
      const before = await exam.port.get("hub", deployments, web);
      await exam.port.mergePatch(deployments, web, { status: { observedGeneration: 7 } }, by);
      expect((await exam.port.get("hub", deployments, web)).status).toEqual(before.status);
    });

    it("tried only comes back as it would be, and stores nothing", async () => {
      const before = await exam.port.get("hub", deployments, web);
      const patch = { metadata: { labels: { color: "blue" } } };
      const after = await exam.port.mergePatch(deployments, web, patch, { ...by, dryRun: true });
      expect(after.metadata.labels).toMatchObject({ app: "web", color: "blue" });
      expect(await exam.port.get("hub", deployments, web)).toEqual(before);
    });

    it("is missing for an object that is not there", async () => {
      await rejects(
        exam.port.mergePatch(deployments, { namespace: "shop", name: "absent" }, {}, by),
        "missing",
      );
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
      const made = await exam.port.create(events, event, by);
      expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      const fieldSelector = "involvedObject.kind=Deployment,involvedObject.name=web";
      const found = await exam.port.list("hub", events, { namespace: "shop", fieldSelector });
      expect(found.items).toMatchObject([{ reason: "SuccessfulRescale", count: 1 }]);
    });

    it("is a conflict when the name is taken", async () => {
      await exam.port.create(events, event, by);
      await rejects(exam.port.create(events, event, by), "conflict");
    });

    it("is invalid with a name that no object may have", async () => {
      const unfit = { ...event, metadata: { ...event.metadata, name: "Not A Name" } };
      await rejects(exam.port.create(events, unfit, by), "invalid");
    });
  });
}
