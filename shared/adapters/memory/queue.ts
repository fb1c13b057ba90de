import type { Clock } from "#ports/clock";
import { PortFault } from "#ports/fault";
import type { FailedMessage, Message, QueuePort } from "#ports/queue";

/** How long a FIFO queue remembers a de-duplication id (B83). */
const DEDUPLICATION_MS = 300_000;
const MAX_DELAY_SECONDS = 900;
const MAX_ID_CHARACTERS = 128;
const ATTEMPTS = 3;

export interface MemoryQueue extends QueuePort {
  /** What the queue accepted, in order, and forgets it; duplicates of a FIFO queue are not among it. */
  take(queue: string): readonly Message[];
}

export interface MemoryQueueOptions {
  readonly clock: Clock;
  /** The queues by name, and whether they are FIFO. */
  readonly queues: Readonly<Record<string, { readonly fifo: boolean }>>;
  /** Asked at each attempt: why this entry is refused now, or undefined. */
  readonly refuse?: (queue: string, message: Message) => string | undefined;
  /** Called before a send has effect and after: what it throws is what the sender sees. */
  readonly interrupt?: (when: "before" | "after") => void;
}

/** The reference queue. */
export function memoryQueue(options: MemoryQueueOptions): MemoryQueue {
  const { clock, queues, refuse = () => undefined, interrupt = () => {} } = options;
  const accepted = new Map<string, Message[]>(Object.keys(queues).map((name) => [name, []]));
  const sentAtMs = new Map<string, Map<string, number>>();

  function isDuplicate(queue: string, id: string): boolean {
    const seen = sentAtMs.get(queue) ?? new Map<string, number>();
    sentAtMs.set(queue, seen);
    const before = seen.get(id);
    if (before !== undefined && clock.nowMs() - before < DEDUPLICATION_MS) return true;
    seen.set(id, clock.nowMs());
    return false;
  }

  function sendOne(queue: string, fifo: boolean, message: Message): FailedMessage | undefined {
    const broken = ruleBrokenBy(message, fifo);
    if (broken !== undefined) return { message, reason: broken };
    let reason: string | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      reason = refuse(queue, message);
      if (reason === undefined) break;
    }
    if (reason !== undefined) return { message, reason };
    if (!fifo || !isDuplicate(queue, message.deduplicationId ?? ""))
      accepted.get(queue)?.push({ ...message });
    return undefined;
  }

  return {
    async send(queue, messages) {
      const spec = queues[queue];
      if (spec === undefined) throw new PortFault("missing", `send to queue ${queue}: no such queue`);
      interrupt("before");
      const failed = messages.flatMap((message) => sendOne(queue, spec.fifo, message) ?? []);
      interrupt("after");
      return failed;
    },
    take(queue) {
      const messages = accepted.get(queue) ?? [];
      accepted.set(queue, []);
      return messages;
    },
  };
}

function ruleBrokenBy(message: Message, fifo: boolean): string | undefined {
  const { body, delaySeconds, groupId, deduplicationId } = message;
  if (body === "") return "the body is empty";
  if (fifo && delaySeconds !== undefined) return "a FIFO queue takes no delay per message";
  if (fifo && groupId === undefined) return "a FIFO queue needs a group";
  if (fifo && deduplicationId === undefined) return "a FIFO queue needs a de-duplication id";
  if (!fifo && deduplicationId !== undefined) return "a standard queue takes no de-duplication id";
  if (delaySeconds !== undefined && !(delaySeconds >= 0 && delaySeconds <= MAX_DELAY_SECONDS)) {
    return `a delay of ${delaySeconds} s is not in 0..${MAX_DELAY_SECONDS}`;
  }
  for (const id of [groupId, deduplicationId]) {
    if (id !== undefined && (id === "" || id.length > MAX_ID_CHARACTERS)) {
      return `an id has 1 to ${MAX_ID_CHARACTERS} characters`;
    }
  }
  return undefined;
}
