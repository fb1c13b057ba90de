import { AwsError } from "#infra/local/aws/error";
import type { Queues } from "#infra/local/aws/sqs/queues";
import type { HostClock } from "#infra/local/clock";
import { failedMessages } from "./batch-response.ts";
import { sqsEvent } from "./sqs-event.ts";

export interface QueuePollerOptions {
  readonly queues: Queues;
  readonly clock: HostClock;
  /** As AWS names it, with `.fifo`. */
  readonly queue: string;
  readonly batchSize: number;
  readonly maxConcurrency: number;
  readonly invoke: (event: object) => Promise<unknown>;
}

/**
 * The event source mapping of a queue: hands batches to the function, `maxConcurrency` at once, and time stands still
 * meanwhile. What the function does not name as failed is deleted; the rest, or all when it fails as a whole, comes
 * back when its visibility ends. A FIFO group is never in two invocations: the queue locks it. Returns what ends it;
 * batches in flight are still finished.
 */
export function pollQueue(options: QueuePollerOptions): () => void {
  const { queues, clock, queue, batchSize, maxConcurrency, invoke } = options;
  let inFlight = 0;
  let stopped = false;

  function poll(): void {
    while (!stopped && inFlight < maxConcurrency) {
      const batch = queues.receive(queue, batchSize);
      if (batch.length === 0) return;
      inFlight += 1;
      const release = clock.hold();
      deliver(batch).finally(() => {
        inFlight -= 1;
        poll();
        release();
      });
    }
  }

  async function deliver(batch: ReturnType<Queues["receive"]>): Promise<void> {
    let response: unknown;
    try {
      response = await invoke(sqsEvent(queue, batch));
    } catch {
      // Reported where it was invoked; here it only means that nothing is deleted.
      return;
    }
    const ids = batch.map(({ message }) => message.id);
    const failed = failedMessages(response, ids);
    const done = batch.filter(({ message }) => !failed.has(message.id));
    try {
      queues.delete(
        queue,
        done.map(({ receiptHandle }) => receiptHandle),
      );
    } catch (error) {
      // Its visibility ended meanwhile (on a real clock only): it is delivered again, at least once as promised.
      if (!(error instanceof AwsError)) throw error;
    }
  }

  const unsubscribe = queues.subscribe(queue, poll);
  return () => {
    stopped = true;
    unsubscribe();
  };
}
