import { createHash } from "node:crypto";
import { queueArn } from "#infra/local/aws/names";
import type { QueueMessage } from "./state.ts";

/** The system attributes of a received message, as texts, as SQS and Lambda's events carry them. */
export function systemAttributes(message: QueueMessage, fifo: boolean): Record<string, string> {
  return {
    ApproximateReceiveCount: String(message.receives),
    SentTimestamp: String(message.sentAtMs),
    SenderId: "AIDAMAINSHEETLOCAL000",
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs ?? message.sentAtMs),
    ...(fifo && { SequenceNumber: sequenceNumber(message.sequence) }),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
    ...(message.deadLetterOf !== undefined && { DeadLetterQueueSourceArn: queueArn(message.deadLetterOf) }),
  };
}

/** Twenty digits, as SQS counts. */
export function sequenceNumber(sequence: number): string {
  return String(sequence).padStart(20, "0");
}

/** SDKs refuse a message whose body has another sum. */
export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
