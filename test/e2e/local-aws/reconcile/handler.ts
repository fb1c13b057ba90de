import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";

const table = dynamoTable(process.env.TABLE_STATE ?? "");
const bus = eventBridgeBus(process.env.BUS_MAINSHEET ?? "");

/** Counts in the table how often it worked each message; `do` in a message makes it misbehave. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failures = await Promise.all(event.Records.map((record) => work(record, context)));
  return { batchItemFailures: failures.flat() };
}

async function work(record: SQSRecord, context: Context): Promise<{ itemIdentifier: string }[]> {
  const message = JSON.parse(record.body);
  const receives = Number(record.attributes.ApproximateReceiveCount);
  console.log(JSON.stringify({ ...message, receives, remainingMs: context.getRemainingTimeInMillis() }));
  if (message.do === "fail") return [{ itemIdentifier: record.messageId }];
  if (message.do === "hang" && receives === 1) await new Promise(() => {});
  if (message.do === "exit" && receives === 1) process.exit(7);
  if (message.do === "wait") await new Promise((resolve) => setTimeout(resolve, 300));

  const key = { pk: "worked", sk: `${message.slotMs}/${message.object}` };
  const before = await table.get(key, { nowMs: Date.now(), consistent: true });
  const times = Number(before?.times ?? 0) + 1;
  await table.put({ ...key, times, receives, atMs: Date.now() }, { if: "none" });
  console.log(`worked ${key.sk}`);
  await bus.put([{ source: "test", detailType: "Worked", detail: message, atMs: Date.now() }]);
  return [];
}
