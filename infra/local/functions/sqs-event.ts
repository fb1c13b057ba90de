import type { SQSEvent } from "aws-lambda";
import { queueArn, REGION } from "#infra/local/aws/names";
import { md5, systemAttributes } from "#infra/local/aws/sqs/attributes";
import { isFifo, type Received } from "#infra/local/aws/sqs/queues";

/** The event of a batch. Ref: Lambda Developer Guide, "Using Lambda with Amazon SQS", example events. */
export function sqsEvent(queue: string, batch: readonly Received[]): SQSEvent {
  return {
    Records: batch.map(({ message, receiptHandle }) => ({
      messageId: message.id,
      receiptHandle,
      body: message.body,
      attributes: systemAttributes(
        message,
        isFifo(queue),
      ) as unknown as SQSEvent["Records"][number]["attributes"],
      messageAttributes: {},
      md5OfBody: md5(message.body),
      eventSource: "aws:sqs",
      eventSourceARN: queueArn(queue),
      awsRegion: REGION,
    })),
  };
}
