import { formatInstant } from "#domain/units/instant";
import type { Clock, Ids } from "#ports/clock";
import { isPortFault } from "#ports/fault";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import { encodeRedrive, type KeptMessage, type Redrive } from "#wire/parked";
import { parkedWork } from "./parked-work.ts";

export interface RedriveDeps {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The queues by their names in the topology. */
  readonly queues: Readonly<Record<string, { readonly fifo: boolean }>>;
  readonly syncPeriodSeconds: number;
}

export interface RedriveOutcome {
  readonly message: KeptMessage;
  readonly result: "redriven" | "already" | "stale" | "unreadable" | "contended" | "refused";
  /** Why it was not sent, or when it was. */
  readonly detail: string;
}

/**
 * Sends a parked message to its queue again and marks it, so that it is not sent twice. The mark is written before the
 * message is sent, with the id that the queue de-duplicates by, and closed after: a redrive that dies in between is
 * resumed by the next one under the same id. Stale and unreadable messages are reported and left as they are.
 */
export async function redrive(deps: RedriveDeps, message: KeptMessage): Promise<RedriveOutcome> {
  const nowMs = deps.clock.nowMs();
  const open = message.redrive;
  if (open?.sent) return { message, result: "already", detail: `sent again at ${formatInstant(open.atMs)}` };
  const work = parkedWork(message, nowMs, deps.syncPeriodSeconds);
  if (work.kind === "stale") {
    return { message, result: "stale", detail: "periodic work, a later message stands behind it" };
  }
  if (work.kind === "unreadable") return { message, result: "unreadable", detail: work.fault };

  const claim: Redrive = open ?? { id: deps.ids.next(), atMs: nowMs, sent: false };
  const claimed = open === undefined ? await mark(deps, message, claim) : message;
  if (claimed === undefined) {
    return { message, result: "contended", detail: "another redrive has it; list again" };
  }
  const isFifo = deps.queues[message.queue]?.fifo === true;
  const [failed] = await deps.queue.send(message.queue, [
    { body: work.body, ...(isFifo ? { groupId: work.groupId, deduplicationId: claim.id } : {}) },
  ]);
  if (failed !== undefined) return { message, result: "refused", detail: failed.reason };
  await mark(deps, claimed, { ...claim, sent: true });
  return { message, result: "redriven", detail: `${work.about}, to queue ${message.queue}` };
}

/** The message with the mark; undefined when somebody else's was first. */
async function mark(
  { table, ids }: RedriveDeps,
  message: KeptMessage,
  redriveMark: Redrive,
): Promise<KeptMessage | undefined> {
  try {
    await table.put(encodeRedrive(message, redriveMark, ids.next()), { if: "version", is: message.version });
  } catch (error) {
    if (isPortFault(error, "conflict")) return undefined;
    throw error;
  }
  return { ...message, version: message.version + 1, redrive: redriveMark };
}
