import { evaluatedUpTo } from "#domain/work/beat";
import type { Item } from "#ports/table";
import { NAMESPACE } from "#test/storm/world/documents";
import { decodeRun } from "#wire/cron-state";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { decodeScaleRecord } from "#wire/scale-record";
import { decodeBeat, decodeState } from "#wire/state";

/** A FederatedHPA and its target at the end of a run in which nobody but us wrote the target's replicas. */
export interface EndOfObject {
  readonly name: string;
  readonly initialReplicas: number;
  /** Of the target. */
  readonly replicas: number;
  /** The FederatedHPA, as the API has it. */
  readonly raw: unknown;
  /** Everything in its partition. */
  readonly items: readonly Item[];
  /** Of the shard that its state relies on. */
  readonly beat: Item | undefined;
}

/** An object that slots have passed by for longer is not evaluated any more. */
const LATE_MS = 30_000;

/**
 * What was lost of an object, one sentence each; empty where nothing was. Its scales on record form a chain from the
 * count that the target began with to the one that it has: one that is missing breaks it, and so does one too many.
 */
export function lostOf(object: EndOfObject, endMs: number): readonly string[] {
  const { name, initialReplicas, replicas, raw, items } = object;
  const lost: string[] = [];
  const records = items.filter(({ sk }) => sk.startsWith("scale#")).map(decodeScaleRecord);
  let count = initialReplicas;
  for (const { from, to, atMs, outcome } of records) {
    if (outcome !== "applied")
      lost.push(`${name}: ${from} to ${to} is ${outcome}, and nobody else writes it`);
    if (from !== count)
      lost.push(`${name}: a scale from ${from} is on record at ${timeOf(atMs)}, after one to ${count}`);
    count = to;
  }
  const item = items.find(({ sk }) => sk === "state");
  const state = item && decodeState(item);
  if (state === undefined) return [...lost, `${name}: there is no state`];
  const { intent } = state;
  const isQuarantined = (state.quarantine?.untilMs ?? 0) > endMs;
  // Nobody asks what became of a scale while its object is left alone; the intent that is kept must explain the count.
  const isKept = isQuarantined && intent !== undefined && intent.from === count && intent.to === replicas;
  if (count !== replicas && !isKept)
    lost.push(`${name}: the records end at ${count} replicas, the target has ${replicas}`);
  if (intent !== undefined && !isQuarantined) lost.push(`${name}: the intent ${intent.id} is still open`);
  const { status } = decodeFederatedHpa(raw);
  if (isQuarantined) {
    if (!status.conditions.some(({ reason }) => reason === "Quarantined"))
      lost.push(`${name}: it is in quarantine and does not say so`);
    return lost;
  }
  const beat = decodeBeat(object.beat);
  const upToMs = Math.max(state.lastInstantMs, evaluatedUpTo(beat, `${NAMESPACE}/${name}`));
  if (upToMs < endMs - LATE_MS) lost.push(`${name}: it was last evaluated at ${timeOf(upToMs)}`);
  if (status.desiredReplicas !== replicas)
    lost.push(`${name}: the status says ${status.desiredReplicas} replicas, the target has ${replicas}`);
  return lost;
}

const MINUTE_MS = 60_000;

/** What was lost of a CronFederatedHPA one of whose rules is due every minute: each minute is run, or counted. */
export function lostRuns(items: readonly Item[], endMs: number): readonly string[] {
  const runs = items
    .filter(({ sk }) => sk.startsWith("run#"))
    .map(decodeRun)
    .sort((a, b) => a.instantMs - b.instantMs);
  const lost: string[] = [];
  for (const rule of new Set(runs.map((run) => run.rule))) {
    const own = runs.filter((run) => run.rule === rule);
    for (const [i, { instantMs, skipped, outcome }] of own.entries()) {
      const what = `rule ${rule} at ${timeOf(instantMs)}`;
      if (outcome !== "applied" && outcome !== "overridden") lost.push(`${what} is ${outcome ?? "open"}`);
      const former = own[i - 1];
      if (former !== undefined && former.instantMs + 2 * MINUTE_MS * (skipped + 1) !== instantMs)
        lost.push(`${what} counts ${skipped} skipped since ${timeOf(former.instantMs)}`);
    }
  }
  const last = runs.at(-1)?.instantMs ?? 0;
  if (last < endMs - 2 * MINUTE_MS) lost.push(`the last run is of ${timeOf(last)}`);
  return lost;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
