import type { EventBridgeEvent } from "aws-lambda";
import { sqsQueue } from "#adapters/sqs/queue";

const queue = sqsQueue({ sweep: process.env.QUEUE_SWEEP ?? "" });

/** Sends the four slots of the minute, each delayed to its instant. */
export async function handler(event: EventBridgeEvent<"Scheduled Event", object>): Promise<void> {
  const minuteMs = Date.parse(event.time);
  await queue.send(
    "sweep",
    [0, 15, 30, 45].map((second) => ({
      body: JSON.stringify({ slotMs: minuteMs + second * 1_000 }),
      delaySeconds: second,
    })),
  );
}
