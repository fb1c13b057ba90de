import { groupBy } from "#domain/units/group";
import { IN_FLIGHT_MS } from "#domain/work/intent";
import type { Fact, Story, Violation } from "#test/storm/facts";
import { decodeScaleRecord, type ScaleRecord } from "#wire/scale-record";
import { decodeState } from "#wire/state";
import { type Announced, type Landed, scalesOf } from "./landed-scales.ts";

/**
 * I2: every scale that happened is on record exactly once; every recorded scale happened, or is `unconfirmed`, which
 * takes a write of the replicas by somebody else between our reads and our outcome. No PUT leaves unannounced.
 *
 * Not promised, and not asked for here: the record of a scale whose FederatedHPA is gone for good, or whose target was
 * deleted before the outcome was known, or whose object is in quarantine; and whose scale it was, where a second
 * FederatedHPA on the target made the same one.
 */
export function recordedOnce(story: Story): readonly Violation[] {
  const { puts, unannounced, landed } = scalesOf(story);
  const putsOf = groupBy(puts, keyOf);
  const landedOf = groupBy(landed, ({ put }) => keyOf(put));
  const recordsOf = groupBy(recordsIn(story), ({ object, record }) => `${object} ${record.intentId}`);
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I2", clause, atMs, text });

  for (const { atMs, by, target, replicas } of unannounced)
    say("unannounced", atMs, `${by} scales ${target} to ${replicas} without having announced it`);
  for (const [key, scales] of landedOf) {
    const [scale] = scales as [Landed, ...Landed[]];
    const { atMs, target, from, to } = scale;
    if (scales.length > 1) say("doubled", atMs, `the intent ${key} changed ${target} ${scales.length} times`);
    const records = recordsOf.get(key) ?? [];
    if (records.length === 0 && !isExcused(story, scale))
      say("unrecorded", atMs, `${target} went from ${from} to ${to} by ${key}, and no record says so`);
  }
  for (const [key, records] of recordsOf) {
    const [{ object, record }] = records as [Recorded, ...Recorded[]];
    const scales = landedOf.get(key) ?? [];
    const what = `the record ${record.from} to ${record.to} of ${object} (${record.intentId}, ${record.outcome})`;
    if (records.length > 1) say("recorded-twice", record.atMs, `${what} is there ${records.length} times`);
    if (scales.length === 0 && record.outcome === "applied" && !isAnothers(story.facts, landed, record))
      say("never-happened", record.atMs, `${what} is of a scale that never happened`);
    if (scales[0] && (scales[0].from !== record.from || scales[0].to !== record.to))
      say("other-numbers", record.atMs, `${what} is of a scale from ${scales[0].from} to ${scales[0].to}`);
    if (record.outcome === "unconfirmed" && !isOverwritten(story.facts, putsOf.get(key) ?? [], record))
      say("nobody-else", record.atMs, `${what} has nobody who wrote the replicas meanwhile`);
  }
  return violations;
}

/** By how much the clocks of invocations and of the hub may differ, and the whole second that the hub tells. */
const CLOCKS_MS = 13_000;

interface Recorded {
  readonly object: string;
  readonly record: ScaleRecord;
}

function keyOf({ object, intent }: Announced): string {
  return `${object} ${intent.id}`;
}

function recordsIn({ items }: Story): readonly Recorded[] {
  return items
    .filter(({ sk }) => sk.startsWith("scale#"))
    .map((item) => ({ object: item.pk.split("#")[2] ?? "", record: decodeScaleRecord(item) }));
}

function isExcused({ facts, objects, items, endMs }: Story, { index, uid, put }: Landed): boolean {
  if (!objects.some(({ object }) => object === put.object)) return true;
  if (facts.slice(index).some((fact) => fact.what === "gone" && fact.uid === uid)) return true;
  const item = items.find(({ pk, sk }) => pk.endsWith(`#${put.object}`) && sk === "state");
  const state = item && decodeState(item);
  return (state?.quarantine?.untilMs ?? 0) > endMs;
}

/**
 * Whether another FederatedHPA made the very scale while this intent's PUT could still have landed: both write as
 * `mainsheet`.
 */
function isAnothers(
  facts: readonly Fact[],
  landed: readonly Landed[],
  { intentId, to }: ScaleRecord,
): boolean {
  const announced = facts.findLast((fact) => fact.what === "state" && fact.state.intent?.id === intentId);
  if (announced?.what !== "state") return false;
  const { object, atMs, state } = announced;
  return landed.some(
    (scale) =>
      scale.put.object !== object &&
      scale.uid === state.intent?.target.uid &&
      scale.to === to &&
      scale.atMs >= atMs &&
      scale.atMs - atMs < IN_FLIGHT_MS + CLOCKS_MS,
  );
}

/** Whether somebody else than this intent's PUTs wrote the target's replicas since its evaluation began, until its record. */
function isOverwritten(
  facts: readonly Fact[],
  puts: readonly Announced[],
  { intentId }: ScaleRecord,
): boolean {
  const calls = new Set<string | undefined>(puts.map(({ call }) => call));
  const announced = facts.find((fact) => fact.what === "state" && fact.state.intent?.id === intentId);
  const from = facts.findIndex(
    (fact) => fact.what === "began" && announced?.what === "state" && fact.by === announced.by,
  );
  const to = facts.findLastIndex((fact) => fact.what === "record" && fact.record.intentId === intentId);
  const uid = announced?.what === "state" ? announced.state.intent?.target.uid : undefined;
  return facts
    .slice(from, to)
    .some((fact) => fact.what === "rescaled" && fact.uid === uid && !calls.has(fact.call));
}
