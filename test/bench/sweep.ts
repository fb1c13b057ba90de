import { type FleetSize, openSweeps, type SweepCost } from "#test/bench/fleet-sweeps";
import type { Measurement, Section } from "#test/bench/section";

const SIZES: readonly FleetSize[] = [
  { objects: 40, namespaces: 1 },
  { objects: 200, namespaces: 4 },
  { objects: 1_000, namespaces: 20 },
];

/** The first sweep stores every state and status; then things are as they go on. */
const WARM_UP_SWEEPS = 2;
/** Two minutes of slots, so that what is written once a minute comes twice. */
const SWEEPS = 8;

/**
 * Requests per sweep in the steady state, over five clusters with ten pods of every object in each. Counts are of the
 * use cases over the memory adapters, on virtual time: they are the same in every run.
 */
export const sweepSection: Section = {
  name: "sweep",
  run: async () => {
    const measurements: Measurement[] = [];
    for (const size of SIZES) measurements.push(await measure(size));
    return measurements;
  },
};

async function measure(size: FleetSize): Promise<Measurement> {
  const sweepOnce = openSweeps(size);
  for (let i = 0; i < WARM_UP_SWEEPS; i++) await sweepOnce();
  const costs: SweepCost[] = [];
  for (let i = 0; i < SWEEPS; i++) costs.push(await sweepOnce());

  const [{ shards, invocations } = { shards: 0, invocations: 0 }] = costs;
  return {
    ...size,
    clusters: 5,
    shards,
    invocations,
    sweeps: costs.length,
    ...meanAndWorst("reads", costs, (what) => isApi(what) && isRead(what)),
    ...meanAndWorst("writes", costs, (what) => isApi(what) && !isRead(what)),
    ...meanAndWorst("calls", costs, isApi),
    ...meanAndWorst("tableReads", costs, (what) => what === "table read"),
    ...meanAndWorst("tableWrites", costs, (what) => what === "table write"),
    ...meanAndWorst("queueSends", costs, (what) => what === "queue send"),
    cpuMsWithFleetMean: rounded(mean(costs.map(({ cpuMsWithFleet }) => cpuMsWithFleet))),
    meanByRequest: byRequest(costs),
  };
}

function isApi(what: string): boolean {
  return !/^(table|queue) /.test(what);
}

function isRead(what: string): boolean {
  return /^(get|list|watch) /.test(what);
}

function meanAndWorst(
  name: string,
  costs: readonly SweepCost[],
  counts: (what: string) => boolean,
): Record<string, number> {
  const sums = costs.map(({ requests }) => {
    let sum = 0;
    for (const [what, times] of requests) if (counts(what)) sum += times;
    return sum;
  });
  return { [`${name}Mean`]: rounded(mean(sums)), [`${name}Worst`]: Math.max(...sums) };
}

function byRequest(costs: readonly SweepCost[]): Record<string, number> {
  const all = new Map<string, number>();
  for (const { requests } of costs) {
    for (const [what, times] of requests) all.set(what, (all.get(what) ?? 0) + times);
  }
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([what, times]) => [what, rounded(times / costs.length)]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
