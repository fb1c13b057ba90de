import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { Agenda } from "#test/storm/agenda";
import type { Dice } from "#test/storm/chance";
import type { Ending, Fact } from "#test/storm/facts";
import type { MessageFault } from "#test/storm/fault";
import type { Environments, Invocation } from "./environments.ts";
import type { Queued, StormQueue } from "./queues.ts";

/** What hands a queue's messages to a function, and removes those that it did not name as failed. */
export interface EventSource {
  /** There may be something to hand out. */
  wake(): void;
  arm(fault: MessageFault): void;
  disarm(): void;
}

export interface EventSourceOptions {
  readonly queue: StormQueue;
  readonly batchSize: number;
  readonly environments: Environments;
  readonly work: (by: Invocation, event: SQSEvent) => Promise<SQSBatchResponse>;
  readonly agenda: Agenda;
  readonly chance: Dice;
  readonly tell: (fact: Fact) => void;
}

const LONGEST_POLL_MS = 200;

export function openEventSource(options: EventSourceOptions): EventSource {
  const { queue, batchSize, environments, work, agenda, chance, tell } = options;
  let faults: { readonly fault: MessageFault; left: number }[] = [];
  let wakesAtMs = Number.POSITIVE_INFINITY;

  function wakeAt(atMs: number): void {
    if (atMs >= wakesAtMs) return;
    wakesAtMs = atMs;
    agenda.at(atMs, () => {
      if (wakesAtMs !== atMs) return;
      wakesAtMs = Number.POSITIVE_INFINITY;
      poll();
    });
  }
  const wake = () => wakeAt(agenda.nowMs() + chance.whole(1, LONGEST_POLL_MS));

  function poll(): void {
    while (environments.hasRoom()) {
      const received = queue.receive(chance.happens(0.2) ? chance.whole(1, batchSize) : batchSize);
      if (received.length === 0) break;
      const batch = received.filter(isHandedOut);
      if (batch.length > 0) handOut(batch);
    }
    const next = queue.nextVisibleMs();
    if (next !== undefined) wakeAt(next);
  }

  function hit(does: MessageFault["does"]): MessageFault | undefined {
    const found = faults.find(({ fault }) => fault.does === does);
    if (found === undefined) return undefined;
    found.left -= 1;
    faults = faults.filter(({ left }) => left > 0);
    const { kind } = found.fault;
    tell({ what: "fault", atMs: agenda.nowMs(), by: queue.name, call: does, kind });
    return found.fault;
  }

  function isHandedOut(message: Queued): boolean {
    const delay = hit("delay");
    if (delay !== undefined) {
      message.receives -= 1;
      message.visibleAtMs = agenda.nowMs() + delay.seconds * 1000;
      return false;
    }
    if (!queue.rules.fifo && hit("duplicate")) {
      const again = chance.whole(0, 2_000);
      agenda.at(agenda.nowMs() + again, () => {
        queue.show(message);
        wake();
      });
    }
    return hit("lose-delivery") === undefined;
  }

  function handOut(batch: readonly Queued[]): void {
    const event = { Records: batch.map((message) => recordOf(queue, message)) };
    const by = environments.invoke(
      (invocation) => work(invocation, event),
      (how, response) => agenda.at(agenda.nowMs() + chance.whole(1, 20), () => settle(batch, how, response)),
    );
    const ids = batch.map(({ id }) => id);
    const { skewMs } = by.environment;
    tell({ what: "began", atMs: agenda.nowMs(), by: by.id, fn: queue.name, skewMs, messages: ids });
    for (const { id, body } of batch)
      tell({ what: "handed-out", atMs: agenda.nowMs(), queue: queue.name, id, body, by: by.id });

    function settle(given: readonly Queued[], how: Ending, response: SQSBatchResponse | undefined): void {
      const failed = new Set(response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const message of how === "done" ? given : []) {
        if (failed.has(message.id) || hit("lose-answer")) continue;
        queue.remove(message);
        const { id, body } = message;
        tell({ what: "done", atMs: agenda.nowMs(), queue: queue.name, id, body, by: by.id });
      }
      wake();
    }
  }

  return {
    wake,
    arm: (fault) => faults.push({ fault, left: fault.times }),
    disarm() {
      faults = [];
    },
  };
}

function recordOf({ name, rules }: StormQueue, message: Queued): SQSRecord {
  const { id, body, groupId, receives, sentAtMs } = message;
  return {
    messageId: id,
    receiptHandle: `${id}/${receives}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: String(sentAtMs),
      SenderId: "storm",
      ApproximateFirstReceiveTimestamp: String(sentAtMs),
      ...(groupId === undefined ? {} : { MessageGroupId: groupId }),
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:eu-west-1:000000000000:${name}${rules.fifo ? ".fifo" : ""}`,
    awsRegion: "eu-west-1",
  };
}
