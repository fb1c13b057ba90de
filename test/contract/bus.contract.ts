import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BusEvent, BusPort } from "#ports/bus";
import { expectFault } from "#test/contract/expect-fault";

export interface BusUnderTest {
  readonly bus: BusPort;
  /** What has arrived, in order, to the second. */
  arrived(): readonly BusEvent[];
  /** The service refuses events of these sources, so many times each. */
  refuse(sources: readonly string[], times: number): void;
  throttle(): void;
  cut(): void;
  close(): Promise<void>;
}

const AT_MS = Date.parse("2026-11-30T12:00:15Z");

/** What every adapter of `BusPort` keeps; the port's docstring is the source. */
export function busContract(adapter: string, open: () => Promise<BusUnderTest>): void {
  describe(`BusPort: ${adapter}`, () => {
    let world: BusUnderTest;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const event = (n: number, more: Partial<BusEvent> = {}): BusEvent => ({
      source: `mainsheet.${n}`,
      detailType: "ScaleDecided",
      detail: { n },
      atMs: AT_MS + n * 1_000,
      resources: [],
      ...more,
    });
    const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));

    it("puts nothing for no events", async () => {
      expect(await world.bus.put([])).toEqual([]);
      expect(world.arrived()).toEqual([]);
    });

    it("puts more than a request takes (10), whole and in order", async () => {
      expect(await world.bus.put(events(23))).toEqual([]);
      expect(world.arrived()).toEqual(events(23));
    });

    it("puts more than a request takes (256 KB)", async () => {
      const large = Array.from({ length: 5 }, (_, n) => event(n, { detail: { text: "x".repeat(100_000) } }));
      expect(await world.bus.put(large)).toEqual([]);
      expect(world.arrived()).toEqual(large);
    });

    it("keeps detail and resources as they are", async () => {
      const rich = event(1, {
        detail: { nested: { list: [1, null, "帆"] }, ratio: 1.1 },
        resources: ["shop/web", "hub"],
      });
      await world.bus.put([rich]);
      expect(world.arrived()).toEqual([rich]);
    });

    it("puts the two of twelve that failed again, and each arrives once (B91)", async () => {
      world.refuse(["mainsheet.3", "mainsheet.11"], 2);
      expect(await world.bus.put(events(12))).toEqual([]);
      const arrived = world.arrived().map(({ source }) => source);
      expect([...arrived].sort()).toEqual(
        events(12)
          .map(({ source }) => source)
          .sort(),
      );
    });

    it("names those that still failed, and the others arrive once (B91)", async () => {
      world.refuse(["mainsheet.3"], 3);
      const failed = await world.bus.put(events(12));
      expect(failed.map((entry) => entry.event)).toEqual([event(3)]);
      expect(failed[0]?.reason).toMatch(/\w/);
      expect(world.arrived()).toEqual(events(12).filter(({ source }) => source !== "mainsheet.3"));
    });

    it("names an event that is too large, and the others arrive", async () => {
      const large = event(1, { detail: { text: "x".repeat(256 * 1024) } });
      const failed = await world.bus.put([event(0), large, event(2)]);
      expect(failed.map((entry) => entry.event)).toEqual([large]);
      expect(world.arrived()).toEqual([event(0), event(2)]);
    });

    it("too many requests are `throttled`, no answer is `unavailable`", async () => {
      world.throttle();
      await expectFault("throttled", world.bus.put(events(1)));
      world.cut();
      await expectFault("unavailable", world.bus.put(events(1)));
    });
  });
}
