import type { SQSEvent } from "aws-lambda";
import { dynamoTable } from "#adapters/dynamodb/table";

const table = dynamoTable(process.env.TABLE_STATE ?? "");

export async function handler(event: SQSEvent): Promise<void> {
  for (const { messageId, body, attributes, eventSourceARN } of event.Records) {
    const receives = Number(attributes.ApproximateReceiveCount);
    await table.put({ pk: "parked", sk: messageId, body, receives, queue: eventSourceARN }, { if: "none" });
  }
}
