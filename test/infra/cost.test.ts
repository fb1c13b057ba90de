import { describe, expect, it } from "vitest";
import {
  type FleetLoad,
  fixedCost,
  monthlyCost,
  sweepCounts,
  totalOf,
  US_EAST_1,
  USUAL_FLEET,
} from "#infra/cost";
import { openSweeps } from "#test/bench/fleet-sweeps";

const fleet = (objects: number, changes: Partial<FleetLoad> = {}): FleetLoad => ({
  ...USUAL_FLEET,
  objects,
  namespaces: Math.ceil(objects / 50),
  ...changes,
});
const total = (objects: number, changes: Partial<FleetLoad> = {}) =>
  totalOf(monthlyCost(fleet(objects, changes)));

/** What hubs cost whatever they do, their functions aside. */
const hubItself = (hubs: number) =>
  totalOf(
    monthlyCost(fleet(100, { hubs })).filter(({ item }) =>
      /^CloudWatch, (metrics|alarms)$|^Secrets/.test(item),
    ),
  );

describe("the counts of a sweep are those of the use cases", () => {
  it.each([
    { objects: 30, namespaces: 2 },
    { objects: 60, namespaces: 2 },
  ])(
    "$objects objects in $namespaces namespaces",
    async (size) => {
      const sweepOnce = openSweeps(size);
      const SWEEPS = 6;
      // The first two store every state and status.
      await sweepOnce();
      await sweepOnce();
      let writes = 0;
      let last = await sweepOnce();
      for (let i = 0; i < SWEEPS; i++) {
        last = await sweepOnce();
        writes += last.requests.get("table write") ?? 0;
      }
      const counts = sweepCounts({ ...USUAL_FLEET, ...size });
      expect(counts).toMatchObject({
        shards: last.shards,
        reconcileInvocations: last.invocations,
        queueSends: last.requests.get("queue send"),
      });
      // A query for breakers finds nothing and costs as one item.
      expect(counts.itemReads - counts.reconcileInvocations).toBe(last.requests.get("table item read"));
      const stateWrites = writes / SWEEPS - counts.smallWrites;
      expect(stateWrites).toBeGreaterThanOrEqual(0);
      expect(stateWrites).toBeLessThanOrEqual(2.5 * counts.stateWrites);
    },
    60_000,
  );
});

describe("a month", () => {
  it("counts a relay only where one is asked for, at about $9", () => {
    const relayOf = (changes: Partial<FleetLoad>) =>
      monthlyCost(fleet(100, changes)).filter(({ item }) => /^(Relay|Events), /.test(item));
    expect(relayOf({})).toEqual([]);
    const dollars = totalOf(relayOf({ relays: 1 }));
    expect(dollars).toBeGreaterThan(8);
    expect(dollars).toBeLessThan(10);
    expect(total(100, { relays: 1 }) - total(100)).toBeCloseTo(dollars);
  });

  it("of 1,000 FederatedHPAs is at most $45, without NAT (issue: the aim)", () => {
    expect(total(1_000)).toBeLessThanOrEqual(45);
  });

  it("grows with the fleet, and no faster than it", () => {
    const totals = [10, 100, 1_000, 10_000].map((objects) => total(objects));
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(total(10_000)).toBeLessThan(10 * total(1_000));
  });

  it.each<[string, Partial<FleetLoad>]>([
    ["more pods", { podsPerObject: 100 }],
    ["more changes", { changing: 0.5 }],
    ["a quicker period", { syncPeriodSeconds: 5 }],
    ["metrics from CloudWatch", { cloudWatchMetrics: 1 }],
    ["a second hub", { hubs: 2 }],
    ["a NAT gateway", { natGateways: 1 }],
    ["events", { eventsPerObjectPerDay: 10 }],
  ])("%s cost more", (_what, changes) => {
    expect(total(1_000, changes)).toBeGreaterThan(total(1_000));
  });

  it.each([
    ["a NAT gateway is $0.045 an hour", total(100, { natGateways: 1 }) - total(100), 32.4],
    [
      "a metric from CloudWatch is 172,800 reads of $0.01 a thousand",
      total(100, { cloudWatchMetrics: 1 }) - total(100),
      1.728,
    ],
    [
      "a second hub has 14 measures that are written all the time, 11 that alarms watch, and a secret",
      hubItself(2) - hubItself(1),
      14 * 0.3 + 11 * 0.1 + 0.4,
    ],
    [
      // By hand: the bus 1; SQS 1.2; 0.5 GB for 40 ms 0.267, a request 0.2; 2 writes 1.25, 2 reads 0.25; 1.2 KB of log 0.6.
      // Then FIFO 1.5; 0.5 GB for 300 ms and 1.6 ms of a whole processor 2.037, a request 0.2; 1.2 writes 0.75, 2 reads
      // 0.25; 1.65 KB of log 0.825.
      "a million events, each evaluated, are $10.33",
      total(1_000, { eventsPerObjectPerDay: 100 / 3 }) - total(1_000),
      3.766668 + 5.561864350937 + 1,
    ],
  ])("%s", (_what, dollars, expected) => {
    expect(dollars).toBeCloseTo(expected, 6);
  });

  it("is never less than what is paid in any case", () => {
    expect(total(1)).toBeGreaterThan(fixedCost(1, 5));
    expect(fixedCost(1, 5)).toBeGreaterThan(10);
  });

  it("follows the prices that are given", () => {
    const free = Object.fromEntries(
      Object.keys(US_EAST_1).map((name) => [name, 0]),
    ) as unknown as typeof US_EAST_1;
    expect(monthlyCost(fleet(100), free)).toEqual([]);
    const [dearest] = monthlyCost(fleet(100), { ...free, secretMonth: 2 });
    expect(dearest).toEqual({ item: "Secrets Manager", quantity: 1, unit: "secrets", dollars: 2 });
  });

  it.each<[string, Partial<FleetLoad>]>([
    ["objects is 0; give a number above 0", { objects: 0 }],
    ["changing is -1; give a number of 0 or more", { changing: -1 }],
    ["clusters is NaN; give a number of 0 or more", { clusters: Number.NaN }],
  ])("%s", (sentence, changes) => {
    expect(() => monthlyCost(fleet(10, changes))).toThrow(new Error(sentence));
  });
});
