import { randomUUID } from "node:crypto";
import { type EventEnvelope, envelope } from "#infra/local/aws/events/envelope";
import { ruleArn } from "#infra/local/aws/names";
import { type HostClock, RANK, type Timer } from "#infra/local/clock";

export interface MinuteRuleOptions {
  readonly name: string;
  readonly rateMinutes: number;
  readonly clock: HostClock;
  /** An asynchronous invocation without retries: a failure is reported where it was invoked, and that is all. */
  readonly invoke: (event: EventEnvelope) => Promise<unknown>;
}

/** A scheduled rule: fires at once, as a rule does after it was made, then at every full minute of its rate. Returns what ends it. */
export function startMinuteRule({ name, rateMinutes, clock, invoke }: MinuteRuleOptions): () => void {
  const periodMs = rateMinutes * 60_000;
  let timer: Timer;

  function plan(atMs: number): void {
    timer = clock.at(
      atMs,
      () => {
        plan((Math.floor(atMs / periodMs) + 1) * periodMs);
        return invoke(scheduledEvent(name, atMs)).catch(() => {});
      },
      RANK.cloud,
    );
  }
  plan(clock.nowMs());
  return () => timer.cancel();
}

/** Ref: EventBridge User Guide, "Scheduled Event". */
function scheduledEvent(rule: string, atMs: number): EventEnvelope {
  return envelope({
    id: randomUUID(),
    source: "aws.events",
    detailType: "Scheduled Event",
    atMs,
    resources: [ruleArn(rule)],
    detail: {},
  });
}
