import { describe, expect, it } from "vitest";
import type { WatchEvent } from "#ports/kubernetes";
import { by, configMaps, deployments, EVERYTHING, type HubExam, rejects, web } from "./exam.ts";

/** Watching the hub. */
export function watches(exam: HubExam, served = EVERYTHING): void {
  describe("watch", () => {
    it("gives the changes after a version, in order, and not those before", async () => {
      const { resourceVersion } = await exam.port.list("hub", configMaps, { namespace: "shop" });
      await exam.world.put("shop", "late", { a: "1" });
      await exam.world.put("shop", "late", { a: "2" });
      await exam.world.put("elsewhere", "late", { a: "1" });
      await exam.world.drop("shop", "late");
      const seen = await watched(3, { namespace: "shop", resourceVersion });
      expect(seen.map((event) => [event.type, event.object.metadata.name])).toEqual([
        ["ADDED", "late"],
        ["MODIFIED", "late"],
        ["DELETED", "late"],
      ]);
    });

    it("goes on from the last version seen without a gap or a repetition", async () => {
      const { resourceVersion } = await exam.port.list("hub", configMaps, { namespace: "shop" });
      for (const a of ["1", "2", "3"]) await exam.world.put("shop", "late", { a });
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
      const { resourceVersion } = await exam.port.list("hub", configMaps, { namespace: "shop" });
      const pending = watched(1, { namespace: "shop", resourceVersion });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await exam.world.put("shop", "late", { a: "1" });
      expect((await pending).map((event) => event.type)).toEqual(["ADDED"]);
    });

    it("shows an object that stops matching the selector as deleted", async () => {
      const { resourceVersion } = await exam.port.list("hub", deployments, { namespace: "shop" });
      await exam.port.mergePatch(deployments, web, { metadata: { labels: { tier: null } } }, by);
      const query = { namespace: "shop", labelSelector: "tier=front", resourceVersion };
      expect((await watched(1, query, deployments)).map((event) => event.type)).toEqual(["DELETED"]);
    });

    it("ends by itself after its time", async () => {
      const { resourceVersion } = await exam.port.list("hub", configMaps);
      const seen: WatchEvent[] = [];
      for await (const event of exam.port.watch("hub", configMaps, { resourceVersion, timeoutSeconds: 1 })) {
        seen.push(event);
      }
      expect(seen.filter((event) => event.type !== "BOOKMARK")).toEqual([]);
    });

    const compacting = served.compacts ? ["410"] : [];
    it.each(compacting)("is missing when the version is no longer held (%s)", async () => {
      const { resourceVersion } = await exam.port.list("hub", configMaps);
      for (const a of ["1", "2", "3"]) await exam.world.put("shop", "late", { a });
      exam.world.compact?.();
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
      for await (const event of exam.port.watch("hub", resource, options)) {
        if (event.type === "BOOKMARK") continue;
        seen.push(event);
        if (seen.length === count) break;
      }
      stop.abort();
      return seen;
    }
  });
}
