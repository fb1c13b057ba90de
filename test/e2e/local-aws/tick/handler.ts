import type { EventBridgeEvent } from "aws-lambda";
import { sqsQueue } from "#adapters/sqs/queue";

const queue = sqsQueue({ sweep: process.env.QUEUE_SWEEP ?? "" });

/** Sends the four slots of the minute, each delayed to its instant; what has passed is due now. */
export async function handler(event: EventBridgeEvent<"Scheduled Event", object>): Promise<void> {
  const nowMs = Date.parse(event.time);
  const minuteMs = nowMs - (nowMs % 60_000);
  await queue.send(
    "sweep",
    [0, 15_000, 30_000, 45_000].map((offsetMs) => ({
      body: JSON.stringify({ slotMs: minuteMs + offsetMs }),
      delaySeconds: Math.max(0, Math.ceil((minuteMs + offsetMs - nowMs) / 1_000)),
    })),
  );
}
