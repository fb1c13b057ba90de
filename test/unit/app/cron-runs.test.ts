import { describe, expect, it } from "vitest";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { cronWorld, federatedHpaSpec, SHOP, SHOP_FHPA } from "./cron-world.ts";

const T = (time: string) => `2026-03-02T${time}Z`;
const MORNING = { name: "open", schedule: "30 8 * * *", targetReplicas: 40 };

describe("a run, from the minute to the status (semantics 4.2)", () => {
  it("sets the scale at its instant, once, and tells it in the status and an Event", async () => {
    const world = cronWorld("08:00");
    world.apply([MORNING]);
    await world.until("08:29");
    expect(world.history()).toEqual({ ruleName: "open", nextExecutionTime: T("08:30:00") });
    await world.until("08:40");
    expect(world.writes).toEqual(["updateScale deployments shop"]);
    expect(world.replicas()).toBe(40);
    expect(world.history()).toEqual({
      ruleName: "open",
      nextExecutionTime: "2026-03-03T08:30:00Z",
      successfulExecutions: [
        { scheduleTime: T("08:30:00"), executionTime: T("08:30:00"), appliedReplicas: 40 },
      ],
    });
    expect(world.events()).toEqual(["Normal ScaleSucceeded"]);
    expect(world.messages("ScaleSucceeded")).toEqual([
      "rule open, due 2026-03-02T08:30:00Z: Deployment shop: replicas 1 → 40",
    ]);
  });

  it("a target that has the value already is a success without a write", async () => {
    const world = cronWorld("08:29");
    world.apply([{ ...MORNING, targetReplicas: 1 }]);
    await world.until("08:31");
    expect(world.writes).toEqual([]);
    expect(world.history()?.successfulExecutions).toHaveLength(1);
    expect(world.events()).toEqual(["Normal ScaleSucceeded"]);
  });

  it("nothing due costs one list and one write a minute, whatever the number of objects", async () => {
    const world = cronWorld("07:00");
    for (const name of ["a", "b", "c"]) world.apply([MORNING], { name });
    await world.until("07:01");
    const calls: string[] = [];
    world.interrupt = (call, when) => when === "before" && calls.push(call);
    await world.until("07:02");
    expect(calls).toEqual(["table.get", "hub.list cronfederatedhpas", "table.getMany", "table.put"]);
  });

  it("observe decides and records, and writes nothing to the hub (design 4, Modes)", async () => {
    const world = cronWorld("08:29", { mode: "observe" });
    world.apply([MORNING]);
    const calls: string[] = [];
    world.interrupt = (call) => calls.push(call);
    await world.until("08:31");
    expect(calls.filter((call) => /update|patch|create/i.test(call))).toEqual([]);
    expect(world.runs()).toMatchObject([{ outcome: "observed", from: "replicas 1" }]);
    expect(
      world.log.filter(({ message }) => message === "cron run").map(({ fields }) => fields),
    ).toMatchObject([
      { rule: "open", result: "observed", why: "Deployment shop would be set: replicas 1 → 40" },
    ]);
  });

  it("observe reads a FederatedHPA with the right to list alone", async () => {
    const world = cronWorld("08:29", { mode: "observe" });
    world.create("FederatedHPA", "shop", federatedHpaSpec({ minReplicas: 2, maxReplicas: 10 }));
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 5 }], { target: SHOP_FHPA });
    const calls = new Set<string>();
    world.interrupt = (call) => calls.add(call);
    await world.until("08:31");
    expect([...calls].filter((call) => call.startsWith("hub."))).toEqual([
      "hub.list cronfederatedhpas",
      "hub.list federatedhpas",
    ]);
    expect(world.runs()).toMatchObject([{ outcome: "observed", from: "minReplicas 2, maxReplicas 10" }]);
  });

  it("an object's annotation makes it active on a hub in observe", async () => {
    const world = cronWorld("08:29", { mode: "observe" });
    world.apply([MORNING], { annotations: { "mainsheet.io/mode": "active" } });
    await world.until("08:31");
    expect(world.replicas()).toBe(40);
  });
});

describe("when a rule is due", () => {
  const HOURLY = { name: "hourly", schedule: "0 * * * *", targetReplicas: 7 };

  it("B73: after a long outage a rule that was due 120 times runs once, for the latest instant; the rest is counted", async () => {
    const world = cronWorld("09:59");
    world.apply([{ ...HOURLY, schedule: "* * * * *" }]);
    await world.until("10:00");
    world.at("12:00");
    await world.evaluate();
    expect(world.runs().map(({ instantMs, skipped }) => [instantMs, skipped])).toEqual([
      [Date.parse(T("10:00:00")), 0],
      [Date.parse(T("12:00:00")), 119],
    ]);
    expect(world.messages("ScaleSucceeded").at(-1)).toMatch(/; 119 earlier instants of the rule skipped$/);
  });

  it("B74: a tick at 09:00:58 and the next at 09:02:05 run 09:01 once", async () => {
    const world = cronWorld("09:00");
    world.apply([{ ...HOURLY, schedule: "1 9 * * *" }]);
    world.at("09:00:58");
    await world.evaluate();
    world.at("09:02:05");
    await world.evaluate();
    world.at("09:03:05");
    await world.evaluate();
    expect(world.history()?.successfulExecutions).toEqual([
      { scheduleTime: T("09:01:00"), executionTime: T("09:02:05"), appliedReplicas: 7 },
    ]);
  });

  it("B76: a rule changed from 18:00 to 20:00 does not run at 18:00", async () => {
    const world = cronWorld("16:59");
    world.apply([{ ...HOURLY, schedule: "0 18 * * *" }]);
    await world.until("17:00");
    world.apply([{ ...HOURLY, schedule: "0 20 * * *" }]);
    await world.until("18:05");
    expect(world.writes).toEqual([]);
    expect(world.history()?.nextExecutionTime).toBe(T("20:00:00"));
    await world.until("20:00");
    expect(world.writes).toHaveLength(1);
  });

  it("a rule written half a minute before its time runs at it", async () => {
    const world = cronWorld("08:00");
    world.apply([{ ...HOURLY, schedule: "0 18 * * *" }]);
    await world.until("08:59");
    world.at("08:59:30");
    world.apply([{ ...HOURLY, schedule: "0 9 * * *" }]);
    await world.until("09:00");
    expect(world.writes).toHaveLength(1);
  });

  it("a rule that was written during an outage does not run for what was before it", async () => {
    const world = cronWorld("08:59");
    world.apply([{ ...HOURLY, schedule: "0 18 * * *" }]);
    await world.until("09:00");
    world.at("09:06");
    world.apply([{ ...HOURLY, schedule: "3 9 * * *" }]);
    await world.until("09:08");
    expect(world.writes).toEqual([]);
  });

  it("B77: suspended from 09:00 to 17:05, a daily rule of 12:00 has no next run meanwhile, and none to make up for", async () => {
    const world = cronWorld("08:59");
    const daily = { ...HOURLY, schedule: "0 12 * * *" };
    world.apply([daily]);
    await world.until("09:00");
    world.apply([{ ...daily, suspend: true }]);
    await world.until("17:04");
    expect(world.history()).toEqual({ ruleName: "hourly" });
    world.at("17:04:30");
    world.apply([{ ...daily, suspend: false }]);
    await world.until("17:06");
    expect(world.writes).toEqual([]);
    expect(world.history()?.nextExecutionTime).toBe("2026-03-03T12:00:00Z");
  });

  it("B80: scheduleTime is the rule's instant, executionTime the run's; newest first; the limit of 3 holds", async () => {
    const world = cronWorld("07:48");
    world.apply([{ ...HOURLY, schedule: "* * * * *" }]);
    await world.until("07:51");
    world.at("07:52:41");
    await world.evaluate();
    expect(world.history()?.successfulExecutions).toEqual([
      { scheduleTime: T("07:52:00"), executionTime: T("07:52:41"), appliedReplicas: 7 },
      { scheduleTime: T("07:51:00"), executionTime: T("07:51:00"), appliedReplicas: 7 },
      { scheduleTime: T("07:50:00"), executionTime: T("07:50:00"), appliedReplicas: 7 },
    ]);
  });

  it("C07: failedHistoryLimit 0 keeps none", async () => {
    const world = cronWorld("08:29");
    world.apply([{ ...MORNING, failedHistoryLimit: 0 }], { target: { ...SHOP, name: "gone" } });
    await world.until("08:31");
    expect(world.history()).toEqual({ ruleName: "open", nextExecutionTime: "2026-03-03T08:30:00Z" });
    expect(world.events()).toEqual(["Warning ScaleFailed"]);
  });

  it("@every counts from the rule's first sight, over restarts (D-22)", async () => {
    const world = cronWorld("08:00");
    world.apply([{ ...HOURLY, schedule: "@every 90m" }]);
    await world.until("08:01");
    expect(world.history()?.nextExecutionTime).toBe(T("09:31:00"));
    await world.until("11:10");
    expect(world.history()?.successfulExecutions?.map(({ scheduleTime }) => scheduleTime)).toEqual([
      T("11:01:00"),
      T("09:31:00"),
    ]);
  });

  it("a clock a moment behind the queue's runs what is due all the same", async () => {
    const world = cronWorld("08:00");
    world.apply([{ ...HOURLY, schedule: "0 9 * * *" }]);
    await world.until("08:59");
    world.at("08:59:59.900");
    const message = { v: 1, kind: "cron", hub: "local", dueAtMs: Date.parse(T("09:00:00")) } as const;
    await evaluateHub(world.deps, message, { receiveCount: 1, isOutOfTime: () => false });
    expect(world.history()?.successfulExecutions).toMatchObject([
      { scheduleTime: T("09:00:00"), executionTime: T("09:00:00") },
    ]);
  });
});

describe("the list of rules", () => {
  it("D-26: of two rules at one instant the later in the list wins; one write, both recorded", async () => {
    const world = cronWorld("08:29");
    world.apply([MORNING, { ...MORNING, name: "sale", targetReplicas: 90 }]);
    await world.until("08:31");
    expect(world.writes).toEqual(["updateScale deployments shop"]);
    expect(world.replicas()).toBe(90);
    for (const rule of ["open", "sale"]) expect(world.history(rule)?.successfulExecutions).toHaveLength(1);
    expect(world.runs().map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["open", "overridden"],
      ["sale", "applied"],
    ]);
    expect(world.messages("ScaleSucceeded")[0]).toMatch(
      /rule sale, due .*, comes later and sets Deployment shop instead/,
    );
  });

  it("D-26: rules that set different bounds at one instant are one write", async () => {
    const world = cronWorld("08:29");
    world.create("FederatedHPA", "shop", federatedHpaSpec({ minReplicas: 2, maxReplicas: 10 }));
    const rules = [
      { name: "min", schedule: "30 8 * * *", targetMinReplicas: 15 },
      { name: "max", schedule: "30 8 * * *", targetMaxReplicas: 30 },
    ];
    world.apply(rules, { target: SHOP_FHPA });
    await world.until("08:31");
    expect(world.writes).toHaveLength(1);
    expect(world.spec("FederatedHPA", "shop")).toMatchObject({ minReplicas: 15, maxReplicas: 30 });
  });

  it("the entry of a rule that was removed is dropped, the others stay", async () => {
    const world = cronWorld("08:29");
    world.apply([MORNING, { ...MORNING, name: "late", schedule: "45 8 * * *" }]);
    await world.until("08:31");
    world.apply([{ ...MORNING, name: "late", schedule: "45 8 * * *" }]);
    await world.until("08:32");
    expect(world.history("open")).toBeUndefined();
    expect(world.history("late")).toEqual({ ruleName: "late", nextExecutionTime: T("08:45:00") });
  });

  it("D-25, B71: a rule that cannot be started says so once and stops no other", async () => {
    const world = cronWorld("08:28", { webhooks: false });
    world.apply([
      { ...MORNING, name: "zone", timeZone: "Asia/Beijing" },
      { ...MORNING, name: "sunday", schedule: "0 9 * * 7" },
      MORNING,
      { ...MORNING, targetReplicas: 3 },
    ]);
    await world.until("08:35");
    expect(world.replicas()).toBe(40);
    expect(world.history("zone")).toEqual({
      ruleName: "zone",
      failedExecutions: [
        {
          scheduleTime: T("08:29:00"),
          executionTime: T("08:29:00"),
          message: '"Asia/Beijing" is not a known time zone; name one such as Europe/Berlin',
        },
      ],
    });
    const started = world.messages("StartRuleFailed");
    expect(started).toHaveLength(3);
    expect(started[2]).toMatch(/^rule open: an earlier rule is called "open" too/);
    expect(world.history("open")?.successfulExecutions).toHaveLength(1);
  });

  it("a rule without a target is a failed execution, where no webhook has refused it", async () => {
    const world = cronWorld("08:29", { webhooks: false });
    world.apply([{ name: "empty", schedule: "30 8 * * *" }, MORNING]);
    await world.until("08:31");
    expect(world.history("empty")?.failedExecutions).toMatchObject([
      { message: "rule empty has no targetReplicas of 0 or more; set it" },
    ]);
    expect(world.replicas()).toBe(40);
  });
});
