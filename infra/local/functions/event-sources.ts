import { availableParallelism } from "node:os";
import { awsQueueName } from "#infra/local/aws/rendering";
import type { Queues } from "#infra/local/aws/sqs/queues";
import type { HostClock } from "#infra/local/clock";
import type { Topology } from "#infra/topology";
import { startMinuteRule } from "./minute-rule.ts";
import { pollQueue } from "./queue-poller.ts";

/**
 * On a virtual clock everything that a function waits for is on this machine, so more environments than this only
 * share its processors; on the wall's, they wait for a hub.
 */
const MAX_VIRTUAL_CONCURRENCY = 2 * availableParallelism();

export interface EventSourcesOptions {
  readonly topology: Topology;
  readonly clock: HostClock;
  readonly queues: Queues;
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
}

/** Starts every trigger of the topology; their timers run with the clock. Returns what ends them. */
export function startEventSources({ topology, clock, queues, invoke }: EventSourcesOptions): () => void {
  const stops: (() => void)[] = [];
  for (const [functionName, { triggers }] of Object.entries(topology.functions)) {
    const call = (event: object) => invoke(functionName, event);
    for (const trigger of triggers) {
      if (trigger.kind === "queue") {
        const { batchSize } = trigger;
        const maxConcurrency = Math.min(
          trigger.maxConcurrency,
          clock.isVirtual ? MAX_VIRTUAL_CONCURRENCY : Number.POSITIVE_INFINITY,
        );
        const queue = awsQueueName(topology, trigger.queue);
        stops.push(pollQueue({ queues, clock, queue, batchSize, maxConcurrency, invoke: call }));
      } else {
        const { rateMinutes = 1 } = topology.rules[trigger.rule] ?? {};
        stops.push(startMinuteRule({ name: trigger.rule, rateMinutes, clock, invoke: call }));
      }
    }
  }
  return () => {
    for (const stop of stops) stop();
  };
}
