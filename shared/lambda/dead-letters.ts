import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { queueOf } from "#wire/parked";
import { type BatchDeps, receiptOf } from "./sqs-batch.ts";

export type DeadLetterDeps = BatchDeps;

/**
 * Parks every record of a dead-letter queue. SQS keeps no reason with a dead letter, so the cause says what is known:
 * the queue it came from, which its body tells (queues' names in AWS are made by CloudFormation), and how often it was
 * tried; the reason of each try is in the function's log by message id.
 */
export async function parkDeadLetters(deps: DeadLetterDeps, event: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await Promise.all(
    event.Records.map(async (record) => {
      try {
        await parkOne(deps, record);
        return [];
      } catch (error) {
        deps.log.error("dead letter not parked; it stays in its queue", {
          messageId: record.messageId,
          error,
        });
        return [{ itemIdentifier: record.messageId }];
      }
    }),
  );
  return { batchItemFailures: failed.flat() };
}

async function parkOne(deps: DeadLetterDeps, record: SQSRecord): Promise<void> {
  const { messageId, sentAtMs } = receiptOf(record);
  const queue = queueOf(record.body) ?? record.eventSourceARN.split(":").at(-1) ?? "";
  const groupId = record.attributes.MessageGroupId;
  const cause = `every try of it failed or crashed; look for ${messageId} in the log of the function behind ${queue}`;
  await deps.park({
    queue,
    messageId,
    body: record.body,
    cause,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
    atMs: sentAtMs,
    ...(groupId === undefined ? {} : { groupId }),
  });
  deps.log.error("message parked", { queue, messageId, cause });
}
