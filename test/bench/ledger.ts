import { brotli } from "#adapters/zlib/compression";
import { readRecord } from "#app/ledger/read-record";
import { replay } from "#app/ledger/replay";
import type { Pod } from "#domain/fleet/pod";
import type { Snapshot } from "#domain/fleet/snapshot";
import { decideScale } from "#domain/scale/decide";
import { decisivePart } from "#domain/scale/decisive-part";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { LedgerChoice } from "#domain/work/ledger";
import type { Measurement, Section } from "#test/bench/section";
import { tutorialWorld } from "#test/unit/app/world";
import { CPU_50, NOW_MS, podsMetric, ready, snapshotOf, times } from "#test/unit/scale/fleet";
import { encodeDecisionRecord, recordBodies } from "#wire/decision-record";
import { checkItem } from "#wire/item";

const SLOTS_A_MINUTE = 4;
const MINUTES_A_DAY = 1_440;
const ID = { hub: "bench", namespace: "default", name: "nginx" };

/**
 * What the decision ledger costs: the bytes of a record by pods, each with a name, a start and samples of its own; and
 * the records of the tutorial's object, at rest and for a burst of load that scales it from 1 to 10 and back.
 */
export const ledgerSection: Section = {
  name: "ledger",
  run: async () => {
    const measurements: Measurement[] = [];
    for (const metrics of [1, 2]) {
      for (const pods of [10, 100, 1_000, 10_000]) measurements.push(await measureRecord(pods, metrics));
    }
    for (const choice of ["changes", "all"] as const) measurements.push(await measureWrites(choice));
    return measurements;
  },
};

async function measureRecord(pods: number, metrics: number): Promise<Measurement> {
  const snapshot = busySnapshot(pods, metrics);
  const decision = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
  const startMs = performance.now();
  const saved = {
    v: 1,
    snapshot: decisivePart(snapshot),
    history: EMPTY_HISTORY,
    policy: DEFAULT_POLICY,
  } as const;
  const [body] = recordBodies(decision, saved);
  const packedMs = performance.now();
  const text = await brotli.compress(body?.text ?? "");
  const compressedMs = performance.now();
  const options = { result: "scaled", code: "0.0.0", retentionSeconds: 1 };
  const item = encodeDecisionRecord(ID, decision, { text, packed: true }, options);
  if (item === undefined) throw new Error(`the record of ${pods} pods is too large`);
  const record = await readRecord(brotli, ID, item);
  if (!record.ok || replay(record.value).result !== "same")
    throw new Error("the record replays to other bytes");
  const checked = checkItem(item);
  return {
    pods,
    metrics,
    bytes: checked.ok ? checked.bytes : 0,
    groupMs: Math.round(packedMs - startMs),
    compressMs: Math.round(compressedMs - packedMs),
  };
}

/** One cluster of running pods that have nothing in common but their template. */
function busySnapshot(count: number, metricCount: number): Snapshot {
  const metrics = [CPU_50, podsMetric(100)].slice(0, metricCount);
  const plain = snapshotOf({
    metrics,
    clusters: { a: { pods: times(count, ready(...metrics.map(() => 1))) } },
  });
  const next = pseudoRandom(1);
  const [member] = plain.members;
  if (!member?.pods.ok) throw new Error("the fleet has no pods");
  const pods = member.pods.value.map((pod): Pod => {
    const startedAtMs = NOW_MS - next(86_400) * 1000;
    const sinceMs = startedAtMs + next(30) * 1000;
    const name = `nginx-7c5ddbdf54-${next(27 ** 5)
      .toString(27)
      .padStart(5, "0")}`;
    return {
      ...pod,
      name,
      owner: "ReplicaSet/nginx-7c5ddbdf54",
      startedAtMs,
      ready: { status: "True", sinceMs },
    };
  });
  const samples = member.samples.map(() => ({
    ok: true as const,
    value: pods.map(({ name }) => ({
      pod: name,
      milliValue: next(200),
      timestampMs: NOW_MS - next(15) * 1000,
      windowSeconds: 10 + next(8),
    })),
  }));
  return { ...plain, members: [{ ...member, pods: { ok: true, value: pods }, samples }] };
}

/** Whole numbers from 0 to below a bound, the same in every run (mulberry32). */
function pseudoRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

async function measureWrites(choice: LedgerChoice): Promise<Measurement> {
  const world = tutorialWorld();
  Object.assign(world.deps, { ledger: { choice, retentionSeconds: 14 * 86_400, compression: brotli } });
  const records = () => world.table.items().filter(({ sk }) => sk.startsWith("decision#"));
  const burstMinutes = 10;
  await world.slots(burstMinutes * SLOTS_A_MINUTE);
  const burst = records().length;
  const restMinutes = 60;
  await world.slots(restMinutes * SLOTS_A_MINUTE);
  const rest = records().length - burst;
  const sizes = records()
    .map((item) => checkItem(item))
    .map((checked) => (checked.ok ? checked.bytes : 0));
  return {
    decisions: String(choice),
    scales: world.scales().length,
    writesABurst: burst,
    writesADayAtRest: (rest * MINUTES_A_DAY) / restMinutes,
    writesADayWithABurstEveryTenMinutes: (burst * MINUTES_A_DAY) / burstMinutes,
    bytesMean: Math.round(sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length),
  };
}
