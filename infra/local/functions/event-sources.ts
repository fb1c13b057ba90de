import { availableParallelism } from "node:os";
import type { SourceConfig } from "#infra/local/aws/rendering";
import type { Queues } from "#infra/local/aws/sqs/queues";
import type { HostClock } from "#infra/local/clock";
import { startMinuteRule } from "./minute-rule.ts";
import { pollQueue } from "./queue-poller.ts";

/**
 * On a virtual clock everything that a function waits for is on this machine, so more environments than this only
 * share its processors; on the wall's, they wait for a hub.
 */
const MAX_VIRTUAL_CONCURRENCY = 2 * availableParallelism();

export interface EventSourcesOptions {
  readonly sources: readonly SourceConfig[];
  readonly clock: HostClock;
  readonly queues: Queues;
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
}

/** Starts every source; their timers run with the clock. Returns what ends them. */
export function startEventSources({ sources, clock, queues, invoke }: EventSourcesOptions): () => void {
  const stops = sources.map((source) => {
    const call = (event: object) => invoke(source.functionName, event);
    if (source.kind === "rule") {
      const { rule: name, rateMinutes } = source;
      return startMinuteRule({ name, rateMinutes, clock, invoke: call });
    }
    const { queue, batchSize } = source;
    const maxConcurrency = Math.min(
      source.maxConcurrency,
      clock.isVirtual ? MAX_VIRTUAL_CONCURRENCY : Number.POSITIVE_INFINITY,
    );
    return pollQueue({ queues, clock, queue, batchSize, maxConcurrency, invoke: call });
  });
  return () => {
    for (const stop of stops) stop();
  };
}
