import { describe, expect, it } from "vitest";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { CRON_BEAT } from "#wire/keys";
import { type CronWorld, cronWorld } from "./cron-world.ts";

const T = (time: string) => `2026-03-02T${time}Z`;
const RULES = [{ name: "open", schedule: "30 8 * * *", targetReplicas: 40 }];

class Crash extends Error {}

function worldAt0829(): CronWorld {
  const world = cronWorld("08:28");
  world.apply(RULES);
  return world;
}

/** The calls of the minute of a run, in order. */
async function callsOfARun(): Promise<string[]> {
  const world = worldAt0829();
  await world.until("08:29");
  const calls: string[] = [];
  world.interrupt = (call, when) => calls.push(`${call} ${when}`);
  await world.until("08:30");
  return calls;
}

async function crashAt(world: CronWorld, at: number): Promise<void> {
  let count = -1;
  world.interrupt = () => {
    count += 1;
    if (count === at) throw new Crash();
  };
  await world.until("08:30").catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  expect(count).toBeGreaterThanOrEqual(at);
  world.interrupt = () => {};
}

const scheduled = (world: CronWorld) =>
  world.history()?.successfulExecutions?.map(({ scheduleTime }) => scheduleTime);

describe("a crash at any call of a run (design 1: at least once, effect once)", async () => {
  const calls = await callsOfARun();

  it("is tried at every call", () => {
    for (const call of [
      "hub.updateScale deployments/scale",
      "hub.create events",
      "hub.mergePatch cronfederatedhpas/status",
    ]) {
      expect(calls).toContain(`${call} before`);
      expect(calls).toContain(`${call} after`);
    }
    expect(calls.filter((call) => call === "table.put after")).toHaveLength(5);
  });

  it.each(calls.map((call, i) => [i, call] as const))(
    "call %i, %s: written once, told once, by the next minute",
    async (at) => {
      const world = worldAt0829();
      await world.until("08:29");
      await crashAt(world, at);
      await world.until("08:33");
      expect(world.writes).toEqual(["updateScale deployments shop"]);
      expect(world.replicas()).toBe(40);
      expect(scheduled(world)).toEqual([T("08:30:00")]);
      expect(world.history()?.failedExecutions).toBeUndefined();
      expect(world.events()).toEqual(["Normal ScaleSucceeded"]);
    },
  );

  it.each(calls.map((call, i) => [i, call] as const))(
    "call %i, %s, and a hand edit before the next minute: the edit is not overwritten once the run was claimed",
    async (at) => {
      const world = worldAt0829();
      await world.until("08:29");
      await crashAt(world, at);
      const isClaimed = world.runs().length > 0;
      world.at("08:30:20");
      world.patch("Deployment", "shop", { spec: { replicas: 7 } });
      await world.until("08:33");
      if (!isClaimed) {
        expect(world.replicas()).toBe(40);
        expect(scheduled(world)).toEqual([T("08:30:00")]);
        return;
      }
      expect(world.replicas()).toBe(7);
      expect(world.runs()).toMatchObject([{ outcome: expect.stringMatching(/^(applied|superseded)$/) }]);
      const [run] = world.runs();
      if (run?.outcome === "applied") expect(scheduled(world)).toEqual([T("08:30:00")]);
      else {
        expect(world.history()?.failedExecutions).toEqual([
          {
            scheduleTime: T("08:30:00"),
            executionTime: T("08:31:00"),
            message:
              "Deployment shop has replicas 7: it was changed after the run began, and that stands, 1m late",
          },
        ]);
        expect(world.events()).toEqual(["Warning ScaleSuperseded"]);
      }
    },
  );
});

describe("deliveries", () => {
  const message = { v: 1, kind: "cron", hub: "local", dueAtMs: Date.parse(T("08:30:00")) } as const;
  const first = { receiveCount: 1, isOutOfTime: () => false };

  it("a second one after the first does nothing", async () => {
    const world = worldAt0829();
    await world.until("08:30");
    const calls: string[] = [];
    world.interrupt = (call) => calls.push(call);
    expect(await evaluateHub(world.deps, message, first)).toEqual({ result: "duplicate" });
    expect(new Set(calls)).toEqual(new Set(["table.get"]));
  });

  it("one whose clock is further behind than the first's does not set the heartbeat back (storm seed 2091)", async () => {
    const world = worldAt0829();
    await world.until("08:29");
    const behind = async (ms: number) => {
      world.clock.set(message.dueAtMs - ms);
      return evaluateHub(world.deps, message, first);
    };
    const beat = () => world.table.items().find(({ sk }) => sk === CRON_BEAT)?.lastMs;
    expect(await behind(10_000)).toMatchObject({ result: "evaluated" });
    expect(beat()).toBe(message.dueAtMs - 10_000);
    expect(await behind(10_002)).toEqual({ result: "duplicate" });
    expect(await behind(10_000)).toEqual({ result: "duplicate" });
    expect(beat()).toBe(message.dueAtMs - 10_000);
    expect(await behind(0)).toMatchObject({ result: "evaluated", runs: 1 });
  });

  it("five at the same moment make one write, one entry, one Event", async () => {
    const world = worldAt0829();
    await world.until("08:29");
    world.at("08:30");
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => evaluateHub(world.deps, message, first)),
    );
    expect(outcomes.map((outcome) => "failed" in outcome && outcome.failed)).toEqual([0, 0, 0, 0, 0]);
    expect(outcomes.reduce((sum, outcome) => sum + ("runs" in outcome ? outcome.runs : 0), 0)).toBe(1);
    expect(world.writes).toEqual(["updateScale deployments shop"]);
    expect(world.events()).toEqual(["Normal ScaleSucceeded"]);
    await world.until("08:35");
    expect(world.writes).toHaveLength(1);
    expect(scheduled(world)).toEqual([T("08:30:00")]);
  });

  it("while another invocation holds a run, its lease keeps the others off", async () => {
    const world = worldAt0829();
    await world.until("08:29");
    world.interrupt = (call, when) => {
      if (call.startsWith("hub.updateScale") && when === "before") throw new Crash();
    };
    await expect(world.until("08:30")).rejects.toThrow(Crash);
    world.interrupt = () => {};
    world.at("08:30:40");
    expect(await evaluateHub(world.deps, message, first)).toMatchObject({ busy: 1, runs: 0 });
    expect(world.writes).toEqual([]);
  });

  it("one that failed and comes back when a later minute is behind it is dropped", async () => {
    const world = worldAt0829();
    world.at("08:33:05");
    expect(await evaluateHub(world.deps, message, { ...first, receiveCount: 2 })).toEqual({ result: "late" });
  });

  it("out of time, what was not begun is left to the next minute", async () => {
    const world = worldAt0829();
    await world.until("08:29");
    world.at("08:30");
    expect(
      await evaluateHub(world.deps, message, { receiveCount: 1, isOutOfTime: () => true }),
    ).toMatchObject({
      failed: 1,
    });
    await world.until("08:31");
    expect(scheduled(world)).toEqual([T("08:30:00")]);
  });
});

describe("downtime", () => {
  it("stopped at 08:25 and started at 08:33: runs 08:30 once, late, and says so", async () => {
    const world = cronWorld("08:20");
    world.apply(RULES);
    await world.until("08:25");
    world.at("08:33");
    await world.evaluate();
    await world.until("08:40");
    expect(world.writes).toHaveLength(1);
    expect(world.history()?.successfulExecutions).toEqual([
      { scheduleTime: T("08:30:00"), executionTime: T("08:33:00"), appliedReplicas: 40 },
    ]);
    expect(world.messages("ScaleSucceeded")).toEqual([
      "rule open, due 2026-03-02T08:30:00Z: Deployment shop: replicas 1 → 40, 3m late",
    ]);
  });

  it("started at 09:00: skips it and says so, in an Event, the status and the log", async () => {
    const world = cronWorld("08:20");
    world.apply(RULES);
    await world.until("08:25");
    world.at("09:00");
    await world.evaluate();
    await world.until("09:05");
    expect(world.writes).toEqual([]);
    const message = "not run: it was found after its deadline, 30m late";
    expect(world.history()).toEqual({
      ruleName: "open",
      nextExecutionTime: "2026-03-03T08:30:00Z",
      failedExecutions: [{ scheduleTime: T("08:30:00"), executionTime: T("09:00:00"), message }],
    });
    expect(world.messages("MissSchedule")).toEqual([`rule open, due 2026-03-02T08:30:00Z: ${message}`]);
    expect(world.log.filter((line) => line.message === "cron run")).toMatchObject([
      { level: "warn", fields: { result: "missed", why: message } },
    ]);
  });

  it.each([
    ["40m", "09:00", 1],
    ["2m", "08:33", 0],
    ["0s", "08:30:59", 1],
    ["soon", "08:39", 1],
    ["soon", "08:41", 0],
  ])("mainsheet.io/cron-deadline %s: started at %s, %i run", async (deadline, time, runs) => {
    const world = cronWorld("08:20");
    world.apply(RULES, { annotations: { "mainsheet.io/cron-deadline": deadline } });
    await world.until("08:25");
    world.at(time);
    await world.evaluate();
    expect(world.writes).toHaveLength(runs);
  });

  it("a table that was lost makes nothing run twice: the status tells what was", async () => {
    const world = worldAt0829();
    await world.until("08:31");
    for (const { pk, sk } of world.table.items()) await world.table.delete({ pk, sk }, { if: "none" });
    world.patch("Deployment", "shop", { spec: { replicas: 3 } });
    await world.until("08:35");
    expect(world.replicas()).toBe(3);
    expect(scheduled(world)).toEqual([T("08:30:00")]);
  });

  it("an object deleted and made again starts anew", async () => {
    const world = worldAt0829();
    await world.until("08:29");
    world.remove("CronFederatedHPA", "shop");
    world.at("08:29:30");
    world.apply([{ ...RULES[0], name: "open", schedule: "30 8 * * *", targetReplicas: 9 }]);
    await world.until("08:31");
    expect(world.replicas()).toBe(9);
    expect(world.history()?.successfulExecutions).toHaveLength(1);
  });
});
