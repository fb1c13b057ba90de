import type { SQSEvent } from "aws-lambda";
import { sqsQueue } from "#adapters/sqs/queue";

const queue = sqsQueue({ reconcile: process.env.QUEUE_RECONCILE ?? "" });
const objects = Number(process.env.OBJECTS ?? "3");

/** Sends one message per object, in as many groups. */
export async function handler(event: SQSEvent): Promise<void> {
  for (const record of event.Records) {
    const { slotMs } = JSON.parse(record.body);
    await queue.send(
      "reconcile",
      Array.from({ length: objects }, (_, object) => ({
        body: JSON.stringify({ slotMs, object }),
        groupId: `object-${object}`,
        deduplicationId: `${object}:${slotMs}`,
      })),
    );
  }
}
