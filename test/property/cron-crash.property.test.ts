import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CronWorld, cronWorld } from "#test/unit/app/cron-world";

const at = (time: string) => Date.parse(`2026-03-02T${time}:00Z`);
const RULES = [
  { name: "a", schedule: "*/2 * * * *", targetReplicas: 5, everyMinutes: 2 },
  { name: "b", schedule: "*/3 * * * *", targetReplicas: 9, everyMinutes: 3 },
  { name: "c", schedule: "*/2 * * * *", targetReplicas: 7, everyMinutes: 2 },
];
const MINUTES = 8;

class Crash extends Error {}

/** What happens in one minute: how many invocations at once, and at which of their calls they all die; -1 is none. */
const minute = fc.record({
  invocations: fc.integer({ min: 0, max: 3 }),
  crashAt: fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 40 })),
});

async function live(world: CronWorld, { invocations, crashAt }: { invocations: number; crashAt: number }) {
  let calls = 0;
  world.interrupt = () => {
    if (calls === crashAt) {
      // Dead is dead: what these invocations would still do does not happen either.
      throw new Crash();
    }
    calls += 1;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: invocations }, () => world.evaluate()));
  world.interrupt = () => {};
  for (const outcome of outcomes) {
    if (outcome.status === "rejected" && !(outcome.reason instanceof Crash)) throw outcome.reason;
  }
}

describe("minutes with any number of invocations, dying anywhere (D-24)", () => {
  it("every instant is run once or counted as skipped, and the last run's value stands", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(minute, { minLength: MINUTES, maxLength: MINUTES }), async (minutes) => {
        const world = cronWorld("08:00");
        world.apply(RULES.map(({ everyMinutes: _, ...rule }) => rule));
        await world.evaluate();
        for (const [i, each] of minutes.entries()) {
          world.at(`08:0${i + 1}`);
          await live(world, each);
        }
        await world.until("08:12");

        const runs = world.runs() as { rule: string; instantMs: number; skipped: number; outcome?: string }[];
        for (const { name, everyMinutes } of RULES) {
          const own = runs.filter(({ rule }) => rule === name);
          const due = Math.floor(12 / everyMinutes);
          expect(own.reduce((sum, { skipped }) => sum + 1 + skipped, 0)).toBe(due);
          expect(own.every(({ outcome }) => outcome === "applied" || outcome === "overridden")).toBe(true);
          const told =
            world.history(name)?.successfulExecutions?.map(({ scheduleTime }) => scheduleTime) ?? [];
          expect(told).toHaveLength(Math.min(3, own.length));
          expect(told[0]).toBe(
            new Date(Math.max(...own.map(({ instantMs }) => instantMs))).toISOString().replace(".000", ""),
          );
        }
        expect(Math.max(...runs.map(({ instantMs }) => instantMs))).toBe(at("08:12"));
        expect(world.replicas()).toBe(7);
        expect(world.events().filter((event) => event !== "Normal ScaleSucceeded")).toEqual([]);
        expect(world.events()).toHaveLength(runs.length);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
