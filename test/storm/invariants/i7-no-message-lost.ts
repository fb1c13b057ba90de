import type { ReconcileMessage } from "#app/reconcile/open-reconcile";
import { isPortFault } from "#ports/fault";
import type { Fact, MessageFact, Story, Violation } from "#test/storm/facts";
import { decodeParked } from "#wire/parked";
import { parseCronMessage } from "#wire/work";
import { messageIn } from "./message-in.ts";

type Log = Fact & { readonly what: "log" };

/**
 * I7: every accepted message is done, or parked with its body and a reason; nothing is left over once all is well. Done
 * means worked: a slot's mark stands only when every object has a message for that slot, and a reconcile message is
 * deleted only when each of its objects has an outcome, or the log says why there is none. No work ends in an exception
 * that is no fault of a port.
 */
export function noMessageLost(story: Story): readonly Violation[] {
  const { facts } = story;
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I7", clause, atMs, text });

  const left = new Set(story.waiting.map(({ id }) => id));
  const buried = new Map<string, Fact & MessageFact>();
  const accepted = new Map<string, Fact & MessageFact>();
  const done = new Set<string>();
  const evaluated = new Set<string>();
  const logs = new Map<string, Log[]>();
  for (const fact of facts) {
    if (fact.what === "cron-evaluated") evaluated.add(`${fact.by} ${fact.dueAtMs}`);
    if (fact.what === "accepted") accepted.set(fact.id, fact);
    if (fact.what === "dead") buried.set(fact.id, fact);
    if (fact.what === "done") {
      done.add(fact.id);
      if (fact.queue === "cron" && !evaluated.has(`${fact.by} ${dueAtOf(fact)}`))
        say("unworked", fact.atMs, `${fact.id} was deleted and no evaluation came to its end: ${fact.body}`);
      if (fact.queue === "reconcile")
        for (const text of unworked(fact, messageIn(facts, fact.body), logs.get(fact.by ?? "") ?? []))
          say("unworked", fact.atMs, text);
      if (fact.queue.endsWith("-dead") && !isParked(story, fact))
        say("unparked", fact.atMs, `${fact.id} left the dead letters and is not parked`);
    }
    if (fact.what !== "log") continue;
    const told = logs.get(fact.by);
    if (told === undefined) logs.set(fact.by, [fact]);
    else told.push(fact);
    if (isException(fact))
      say("exception", fact.atMs, `${fact.by}: ${fact.message}: ${describe(fact.fields.error)}`);
  }
  for (const { id, queue, atMs } of accepted.values())
    if (!done.has(id) && !left.has(id))
      say("vanished", atMs, `${id} of ${queue} is neither done, parked nor waiting`);
  for (const { id, queue, sentAtMs } of story.waiting)
    if (sentAtMs < story.calmMs) say("left-over", sentAtMs, `${id} still waits in ${queue}`);
  return [...violations, ...unsentSlots(facts)];
}

function dueAtOf({ body }: MessageFact): number | undefined {
  const parsed = parseCronMessage(body);
  return parsed.ok ? parsed.value.dueAtMs : undefined;
}

/** What of an acknowledged reconcile message nobody accounted for. */
function unworked(
  { id, body }: MessageFact,
  message: ReconcileMessage | undefined,
  logs: readonly Log[],
): readonly string[] {
  if (message === undefined) return [];
  const work = message.kind === "shard" ? message.shard : "object";
  const objects = message.kind === "shard" ? message.objects : [message.object];
  // An event's instant is not in its message.
  const isOfIt = (fields: Log["fields"]) =>
    message.kind === "event" ? fields.event === message.eventId : fields.atMs === message.dueAtMs;
  const accounts = logs.some(({ message: text, fields }) => {
    if (text === "reconciled" && fields.work === work && isOfIt(fields)) {
      if (fields.duplicate || fields.isolated) return true;
      return objects.every((object) =>
        logs.some(
          (log) =>
            log.message === "decision" &&
            log.fields.object === `${object.namespace}/${object.name}` &&
            (log.fields.dueAtMs ?? log.fields.atMs) === fields.atMs,
        ),
      );
    }
    if (text.startsWith("periodic work dropped"))
      return message.kind !== "event" && fields.dueAtMs === message.dueAtMs;
    if (text.startsWith("an invocation died"))
      return message.kind === "shard" && fields.shard === message.shard;
    if (text.startsWith("not evaluated")) return true;
    return text === "object quarantined" || text.startsWith("quarantine");
  });
  return accounts ? [] : [`${id} was deleted and nobody says what became of it: ${body}`];
}

function isParked({ items }: Story, { id, body }: MessageFact): boolean {
  return items
    .filter(({ pk }) => pk.startsWith("parked#"))
    .map((item) => decodeParked("", item))
    .some((parked) => parked.messageId === id && parked.body === body && parked.cause !== "");
}

/** Port faults are what redelivery is for; anything else is a fault of ours. */
function isException({ message, fields }: Log): boolean {
  if (message === "invocation failed") return String(fields.error).includes("\n    at ");
  const { error } = fields;
  return (
    message === "message failed" && !isPortFault(error) && !isPortFault((error as Error | undefined)?.cause)
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Marked slots for which an object that was there all the time has no message. */
function unsentSlots(facts: readonly Fact[]): readonly Violation[] {
  const offered = new Map<number, Set<string>>();
  const alive = new Map<string, number>();
  const startedMs = new Map<string, number>();
  const violations: Violation[] = [];
  for (const fact of facts) {
    if (fact.what === "began") startedMs.set(fact.by, fact.atMs);
    if (fact.what === "born" && fact.kind === "FederatedHPA") alive.set(fact.object, fact.atMs);
    if (fact.what === "gone" && fact.kind === "FederatedHPA") alive.delete(fact.object);
    if (fact.what === "offered" && fact.queue === "reconcile") {
      const message = messageIn(facts, fact.body);
      if (message?.kind !== "shard") continue;
      const { dueAtMs, objects } = message;
      const names = offered.get(dueAtMs) ?? new Set<string>();
      for (const { namespace, name } of objects) names.add(`${namespace}/${name}`);
      offered.set(dueAtMs, names);
    }
    if (fact.what !== "mark") continue;
    const sinceMs = startedMs.get(fact.by) ?? 0;
    const missing = [...alive].filter(
      ([object, bornMs]) => bornMs < sinceMs && !offered.get(fact.slotMs)?.has(object),
    );
    if (missing.length === 0) continue;
    const names = missing.map(([object]) => object).join(", ");
    const text = `slot ${new Date(fact.slotMs).toISOString()} is marked as swept and has no message for ${names}`;
    violations.push({ invariant: "I7", clause: "unsent", atMs: fact.atMs, text });
  }
  return violations;
}
