import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Read } from "#domain/fleet/snapshot";
import type { ExternalMetricsPort, ExternalQuery, ExternalValue } from "#ports/external-metrics";

export interface ExternalUnderTest {
  readonly port: ExternalMetricsPort;
  nowMs(): number;
  /** The query of a metric, whether it has a value or not. */
  query(name: string): ExternalQuery;
  /** Gives metrics the values that they have from now on. */
  put(values: Readonly<Record<string, number>>): Promise<void>;
  /** A query that the source refuses. */
  readonly refused: ExternalQuery;
  /** Nothing is answered any more. */
  cut(): void;
  /** Requests to the source so far. */
  requests(): number;
  close(): Promise<void>;
}

/** What every adapter of `ExternalMetricsPort` keeps; the port's docstring is the source. */
export function externalMetricsContract(adapter: string, open: () => Promise<ExternalUnderTest>): void {
  describe(`ExternalMetricsPort: ${adapter}`, () => {
    let world: ExternalUnderTest;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const read = (...queries: ExternalQuery[]) => world.port.read(queries, world.nowMs());
    const shown = (reads: readonly Read<ExternalValue>[]) =>
      reads.map((one) => (one.ok ? one.value.milliValue : one.fault.code));

    it("asks nothing for no queries", async () => {
      expect(await read()).toEqual([]);
      expect(world.requests()).toBe(0);
    });

    it("answers each query, in the order of the queries", async () => {
      await world.put({ orders: 7, invoices: 30, returns: 0 });
      const reads = await read(...["invoices", "returns", "orders"].map(world.query));
      expect(shown(reads)).toEqual([30_000, 0, 7_000]);
    });

    it("says when each was measured", async () => {
      await world.put({ orders: 7 });
      const [value] = await read(world.query("orders"));
      const timestampMs = value?.ok ? value.value.timestampMs : 0;
      expect(timestampMs).toBeLessThanOrEqual(world.nowMs());
      expect(timestampMs).toBeGreaterThan(world.nowMs() - 60_000);
    });

    it.each([
      [0.25, 250],
      [0.2501, 251],
      [1e-6, 1],
      [1e15, 1_000_000_000_000_000_000n],
    ])("%d is %d thousandths: rounded up, exact where large", async (value, milli) => {
      await world.put({ orders: value });
      expect(shown(await read(world.query("orders")))).toEqual([milli]);
    });

    it("a metric of which nothing is known is empty, never 0, and the others have their values", async () => {
      await world.put({ orders: 7 });
      expect(shown(await read(world.query("nothing"), world.query("orders")))).toEqual([
        "metric-empty",
        7_000,
      ]);
    });

    it("a query that is refused is its own fault, and the others have their values", async () => {
      await world.put({ orders: 7, invoices: 30 });
      const reads = await read(world.query("orders"), world.refused, world.query("invoices"));
      expect(shown(reads)).toEqual([7_000, "metric-unreadable", 30_000]);
    });

    it("a source that does not answer is a fault of each query, as data", async () => {
      await world.put({ orders: 7 });
      world.cut();
      const reads = await read(world.query("orders"), world.query("invoices"));
      expect(shown(reads)).toEqual(["metric-unreadable", "metric-unreadable"]);
      expect(reads[0]).toMatchObject({ fault: { message: expect.stringMatching(/orders|sum/) } });
    });

    it("asks for equal queries once", async () => {
      await world.put({ orders: 7 });
      const reads = await read(...Array.from({ length: 5 }, () => world.query("orders")));
      expect(shown(reads)).toEqual([7_000, 7_000, 7_000, 7_000, 7_000]);
      expect(world.requests()).toBe(1);
    });
  });
}
