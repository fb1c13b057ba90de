import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { groupBy } from "#domain/units/group";
import type { Clock } from "#ports/clock";
import type { Log } from "#ports/log";
import type { Parsed } from "#wire/message-body";
import type { Parked } from "#wire/parked";

export interface BatchDeps {
  readonly log: Log;
  readonly clock: Clock;
  /** Keeps a message that cannot be worked. */
  readonly park: (message: Omit<Parked, "hub">) => Promise<void>;
}

export interface BatchWork<T> {
  /** The queue's name in the topology, for what is parked. */
  readonly queue: string;
  readonly parse: (body: string) => Parsed<T>;
  /** Called once per invocation with every readable message; what it returns works one message. */
  readonly open: (messages: readonly T[]) => (message: T, receipt: Receipt) => Promise<void>;
}

export interface Receipt {
  readonly messageId: string;
  /** How often the queue has handed this message out, this time included; ≥ 1. */
  readonly receiveCount: number;
  readonly sentAtMs: number;
}

/**
 * Works a batch: message groups side by side, the records of a group in order, so that a group's first failure also
 * fails what comes behind it and nothing else (B87, B88). A body that cannot be read would fail for ever: it is parked
 * with the reason and counts as done.
 */
export async function workBatch<T>(
  deps: BatchDeps,
  work: BatchWork<T>,
  event: SQSEvent,
): Promise<SQSBatchResponse> {
  const parsed = event.Records.map((record) => ({ record, message: work.parse(record.body) }));
  const workOne = work.open(parsed.flatMap(({ message }) => (message.ok ? [message.value] : [])));
  const groups = groupBy(parsed, ({ record }) => record.attributes.MessageGroupId ?? record.messageId);
  const failures = await Promise.all(
    [...groups.values()].map(async (group) => {
      for (const [i, { record, message }] of group.entries()) {
        try {
          if (message.ok) await workOne(message.value, receiptOf(record));
          else await parkRecord(deps, work.queue, record, message.fault);
        } catch (error) {
          deps.log.error("message failed", {
            queue: work.queue,
            messageId: record.messageId,
            body: record.body,
            error,
          });
          return group.slice(i).map((entry) => ({ itemIdentifier: entry.record.messageId }));
        }
      }
      return [];
    }),
  );
  return { batchItemFailures: failures.flat() };
}

export function receiptOf(record: SQSRecord): Receipt {
  return {
    messageId: record.messageId,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
    sentAtMs: Number(record.attributes.SentTimestamp),
  };
}

async function parkRecord(deps: BatchDeps, queue: string, record: SQSRecord, cause: string): Promise<void> {
  const { messageId, receiveCount } = receiptOf(record);
  const groupId = record.attributes.MessageGroupId;
  await deps.park({
    queue,
    messageId,
    body: record.body,
    cause,
    receiveCount,
    atMs: deps.clock.nowMs(),
    ...(groupId === undefined ? {} : { groupId }),
  });
  deps.log.error("message parked: it cannot be read", { queue, messageId, cause });
}
