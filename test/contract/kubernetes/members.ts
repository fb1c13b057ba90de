import { describe, expect, it } from "vitest";
import { deployments, type Exam, member1, member2, podMetrics, pods, rejects, web } from "./exam.ts";

/** Reading a member through the hub's proxy. */
export function members(exam: Exam): void {
  describe("members, through the hub's proxy", () => {
    it("lists the pods of one member", async () => {
      const list = await exam.port.list(member1, pods, { namespace: "shop", labelSelector: "app=web" });
      expect(list.items).toHaveLength(2);
      expect(list.items[0]).toMatchObject({ status: { phase: "Running" } });
    });

    it("reads the scale of a member's share", async () => {
      expect(await exam.port.getScale(member2, deployments, web)).toMatchObject({
        replicas: 2,
        statusReplicas: 2,
        selector: "app=web",
      });
    });

    it("lists the samples of its pods", async () => {
      const list = await exam.port.list(member1, podMetrics, { namespace: "shop", labelSelector: "app=web" });
      expect(list.items).toHaveLength(2);
      expect(list.items[0]).toMatchObject({
        timestamp: expect.stringMatching(/Z$/),
        window: "15s",
        containers: [{ name: "main", usage: { cpu: expect.any(String), memory: expect.any(String) } }],
      });
    });

    it("is missing for a member that the hub does not know", async () => {
      await rejects(exam.port.list({ member: "nowhere" }, pods, { namespace: "shop" }), "missing");
    });

    it("is unavailable when the member is cut off, and the others are not", async () => {
      exam.world.faults.cutOff("member2");
      await rejects(exam.port.list(member2, pods, { namespace: "shop" }), "unavailable");
      await rejects(exam.port.getScale(member2, deployments, web), "unavailable");
      await rejects(exam.port.discover(member2), "unavailable");
      expect((await exam.port.list(member1, pods, { namespace: "shop" })).items).toHaveLength(2);
      expect((await exam.port.list("hub", deployments, { namespace: "shop" })).items).toHaveLength(2);
    });

    it("loses the metrics alone when only they fail", async () => {
      exam.world.faults.failMetrics("member2");
      await rejects(exam.port.list(member2, podMetrics, { namespace: "shop" }), "unavailable");
      expect((await exam.port.list(member2, pods, { namespace: "shop" })).items).toHaveLength(2);
    });
  });
}
