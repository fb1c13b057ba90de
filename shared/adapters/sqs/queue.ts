import { setTimeout as sleep } from "node:timers/promises";
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { utf8Length } from "#domain/units/utf8";
import { PortFault } from "#ports/fault";
import type { FailedMessage, Message, QueuePort } from "#ports/queue";
import { sqsClient } from "./client.ts";
import { queueFault } from "./faults.ts";

const MAX_ENTRIES = 10;
/** SQS takes more by now, but every account and tool takes this much. */
const MAX_REQUEST_BYTES = 256 * 1024;
/** Waits before entries that failed are sent again, alone (B91). */
const PAUSES_MS = [50, 250];

/**
 * SQS queues behind `QueuePort`; `urls` are by the queues' names in the topology. Batches go one after the other, so
 * that a group's messages keep their order.
 */
export function sqsQueue(urls: Readonly<Record<string, string>>, client: SQSClient = sqsClient()): QueuePort {
  async function sendBatch(url: string, batch: readonly Message[]): Promise<readonly FailedMessage[]> {
    const refused: FailedMessage[] = [];
    let left = batch;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await client.send(
        new SendMessageBatchCommand({ QueueUrl: url, Entries: left.map(toEntry) }),
      );
      const failed = (answer.Failed ?? []).map((entry) => ({
        message: left[Number(entry.Id)] as Message,
        reason: `${entry.Code}: ${entry.Message ?? ""}`,
        isFinal: entry.SenderFault === true,
      }));
      const pauseMs = PAUSES_MS[attempt];
      const again = pauseMs === undefined ? [] : failed.filter((entry) => !entry.isFinal);
      refused.push(
        ...failed
          .filter((entry) => !again.includes(entry))
          .map(({ message, reason }) => ({ message, reason })),
      );
      if (again.length === 0) return refused;
      await sleep(pauseMs);
      left = again.map((entry) => entry.message);
    }
  }

  return {
    async send(queue, messages) {
      const url = urls[queue];
      if (url === undefined) {
        throw new PortFault(
          "missing",
          `send to queue ${queue}: this function has no such queue; see infra/topology.ts`,
        );
      }
      const failed: FailedMessage[] = [];
      for (const batch of batches(messages)) {
        try {
          failed.push(...(await sendBatch(url, batch)));
        } catch (error) {
          throw queueFault(`send ${batch.length} messages to queue ${queue}`, error);
        }
      }
      return failed;
    },
  };
}

function toEntry(message: Message, index: number): SendMessageBatchRequestEntry {
  return {
    Id: String(index),
    MessageBody: message.body,
    ...(message.delaySeconds !== undefined && { DelaySeconds: message.delaySeconds }),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
  };
}

/** Ten entries and 256 KB at most; a larger message goes alone, for SQS to judge. */
function* batches(messages: readonly Message[]): Generator<readonly Message[]> {
  let batch: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = utf8Length(message.body);
    if (batch.length > 0 && (batch.length === MAX_ENTRIES || bytes + size > MAX_REQUEST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
