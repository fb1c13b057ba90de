import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { virtualClock } from "#infra/local/clock";
import { startMinuteRule } from "#infra/local/functions/minute-rule";

const START = Date.parse("2026-11-30T12:00:20.250Z");

describe("a minute rule", () => {
  it("fires at once and at every full minute, with the scheduled event", async () => {
    const clock = virtualClock({ startMs: START });
    const events: { at: string; event: object }[] = [];
    const stop = startMinuteRule({
      name: "minute",
      rateMinutes: 1,
      clock,
      invoke: async (event) => events.push({ at: new Date(clock.nowMs()).toISOString(), event }),
    });
    await clock.runUntil(START + 120_000);
    expect(events.map(({ at }) => at)).toEqual([
      "2026-11-30T12:00:20.250Z",
      "2026-11-30T12:01:00.000Z",
      "2026-11-30T12:02:00.000Z",
    ]);
    expect(events[1]?.event).toEqual({
      version: "0",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      "detail-type": "Scheduled Event",
      source: "aws.events",
      account: "000000000000",
      time: "2026-11-30T12:01:00Z",
      region: "us-east-1",
      resources: ["arn:aws:events:us-east-1:000000000000:rule/minute"],
      detail: {},
    });
    stop();
    await clock.runUntil(START + 600_000);
    expect(events).toHaveLength(3);
  });

  it("a failure is not tried again, and the next minute comes all the same", async () => {
    const clock = virtualClock({ startMs: START });
    let calls = 0;
    startMinuteRule({
      name: "minute",
      rateMinutes: 5,
      clock,
      invoke: async () => {
        calls += 1;
        throw new Error("broken");
      },
    });
    await clock.runUntil(START + 11 * 60_000);
    expect(calls).toBe(3);
  });

  it("time stands still while what it invoked works", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    startMinuteRule({
      name: "minute",
      rateMinutes: 1,
      clock,
      invoke: async () => {
        await sleep(10);
        seen.push(`ended ${clock.nowMs() - START}`);
      },
    });
    clock.at(START + 1, () => seen.push("next"));
    await clock.runUntil(START + 10);
    expect(seen).toEqual(["ended 0", "next"]);
  });
});
