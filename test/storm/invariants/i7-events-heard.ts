import type { EventPut, Fact, MessageFact, Story, Violation } from "#test/storm/facts";
import { RECOVERY_SECONDS } from "#test/storm/plan";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { decodeConcerned, ofCluster, ofTarget } from "#wire/references";
import { messageIn } from "./message-in.ts";

const DEFAULT_FLOOR_MS = 3_000;
/** What came so shortly before the end may still be on its way. */
const ON_ITS_WAY_MS = 15_000;
/** What clocks wrote that were off before counts for so long. */
const MIXED_MS = 60_000;

/**
 * I7, for events: after an event that names an object an evaluation of it was sent for, unless its message was parked or
 * the object is not there; once all is well again, so it was after a relay's event about a workload or a cluster for the
 * objects that the table has for that; and two evaluations that events ask for are never closer than the object's floor,
 * where the clocks that measure it are the same.
 */
export function eventsHeard(story: Story): readonly Violation[] {
  const sentMs = lastSentMs(story.facts);
  return [...unheard(story, sentMs), ...unheardOf(story, sentMs), ...tooOften(story)];
}

/** When an evaluation of each object was last sent for because of an event. */
function lastSentMs(facts: readonly Fact[]): ReadonlyMap<string, number> {
  const sentMs = new Map<string, number>();
  for (const fact of facts) {
    if (fact.what !== "offered" || fact.queue !== "reconcile" || !fact.by.startsWith("route#")) continue;
    const message = messageIn(facts, fact.body);
    if (message?.kind !== "event") continue;
    const { namespace, name } = message.object;
    sentMs.set(`${namespace}/${name}`, fact.atMs);
  }
  return sentMs;
}

function unheard({ facts, objects }: Story, sentMs: ReadonlyMap<string, number>): readonly Violation[] {
  const isDead = (fact: Fact): fact is Fact & MessageFact => fact.what === "dead";
  const buried = facts.filter(isDead).filter(({ queue }) => queue === "route");
  return firstCopies(facts).flatMap(({ object, id, isNamed, atMs }): Violation[] => {
    const isThere = objects.some((one) => one.object === object);
    if (!isNamed || !isThere || (sentMs.get(object) ?? 0) >= atMs) return [];
    if (buried.some((fact) => fact.body.includes(`"${id}"`) || stoodFor(fact, object, atMs))) return [];
    const text = `${id} about ${object} had nobody evaluate it`;
    return [{ invariant: "I7", clause: "unheard", atMs, text }];
  });
}

/** What was parked later was another event of the object, which was to be evaluated for both (seed 67 of 30 minutes). */
function stoodFor({ atMs, body }: Fact & MessageFact, object: string, eventMs: number): boolean {
  const [, name] = object.split("/");
  return atMs > eventMs && (body.includes(`"${name}"`) || body.includes('"alarmName"'));
}

function unheardOf(
  { facts, objects, items, calmMs, endMs }: Story,
  sentMs: ReadonlyMap<string, number>,
): readonly Violation[] {
  const told = new Set<string>();
  return facts.flatMap((fact): Violation[] => {
    if (fact.what !== "published" || told.has(fact.event.id)) return [];
    const { atMs, event } = fact;
    const { id, hub, kind, name, target } = event;
    told.add(id);
    if (atMs < calmMs + RECOVERY_SECONDS * 1000 || atMs > endMs - ON_ITS_WAY_MS) return [];
    if (target === undefined && kind !== "Cluster") return [];
    const of =
      target === undefined ? ofCluster(hub, name) : ofTarget(hub, target.kind, target.namespace, target.name);
    return items
      .filter(({ pk }) => pk === of)
      .map((item) => decodeConcerned(item))
      .map((one) => `${one.namespace}/${one.name}`)
      .filter((object) => objects.some((one) => one.object === object) && (sentMs.get(object) ?? 0) < atMs)
      .map((object) => {
        const text = `${id} about ${target?.name ?? name} had nobody evaluate ${object}`;
        return { invariant: "I7", clause: "unheard", atMs, text };
      });
  });
}

function firstCopies(facts: readonly Fact[]): readonly (Fact & EventPut)[] {
  const first = new Map<string, Fact & EventPut>();
  for (const fact of facts) if (fact.what === "event" && !first.has(fact.id)) first.set(fact.id, fact);
  return [...first.values()];
}

function tooOften({ facts, objects }: Story): readonly Violation[] {
  const floors = new Map(objects.map(({ object, raw }) => [object, floorOf(raw)]));
  const last = new Map<string, number>();
  let skewMs = 0;
  let mixedUntilMs = 0;
  return facts.flatMap((fact): Violation[] => {
    if (fact.what === "began" && fact.fn === "route" && fact.skewMs !== skewMs) {
      ({ skewMs } = fact);
      mixedUntilMs = fact.atMs + MIXED_MS;
    }
    if (fact.what !== "turn") return [];
    const { object, turn, atMs, by } = fact;
    const { sentMs } = turn;
    const former = last.get(object);
    last.set(object, sentMs);
    const sinceMs = sentMs - (former ?? 0);
    const floorMs = floors.get(object) ?? 0;
    if (sinceMs <= 0 || sinceMs >= floorMs || atMs < mixedUntilMs) return [];
    const text = `${by} sends for ${object} ${sinceMs} ms after it was sent for; its floor is ${floorMs} ms`;
    return [{ invariant: "I7", clause: "too-often", atMs, text }];
  });
}

/** At least: where `route` does not know the object yet, the default holds. */
function floorOf(raw: unknown): number {
  const text = decodeFederatedHpa(raw).annotations["mainsheet.io/min-interval"];
  return Math.min(DEFAULT_FLOOR_MS, text === undefined ? DEFAULT_FLOOR_MS : Number.parseInt(text, 10) * 1000);
}
