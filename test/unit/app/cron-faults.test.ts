import { describe, expect, it } from "vitest";
import { PortFault, type PortFaultKind } from "#ports/fault";
import { type CronWorld, cronWorld } from "./cron-world.ts";

const T = (time: string) => `2026-03-02T${time}Z`;
const RULES = [{ name: "open", schedule: "30 8 * * *", targetReplicas: 40 }];
const PUT = "hub.updateScale deployments/scale";

/** Answers these calls with a fault from now on, so many times. */
function fail(
  world: CronWorld,
  call: string,
  kind: PortFaultKind,
  times = Number.POSITIVE_INFINITY,
  when = "before",
) {
  let left = times;
  world.interrupt = (name, at) => {
    if (name !== call || at !== when || left === 0) return;
    left -= 1;
    throw new PortFault(kind, `${call}: ${kind}`);
  };
}

function started(): CronWorld {
  const world = cronWorld("08:28");
  world.apply(RULES);
  return world;
}

describe("a fault that passes: tried again each minute until the deadline, not lost", () => {
  it.each<[string, string, PortFaultKind]>([["four conflicts", PUT, "conflict"]])(
    "%s are read and tried again at once",
    async (_case, call, kind) => {
      const world = started();
      fail(world, call, kind, 4);
      await world.until("08:30");
      expect(world.history()?.successfulExecutions).toMatchObject([{ executionTime: T("08:30:00") }]);
      expect(world.events()).toEqual(["Normal ScaleSucceeded"]);
    },
  );

  it.each<[string, string, PortFaultKind, number]>([
    ["five conflicts", PUT, "conflict", 5],
    ["a hub that throttles the write", PUT, "throttled", 1],
    ["a hub that does not answer the write", PUT, "unavailable", 1],
    ["a hub that does not answer the read", "hub.get deployments", "unavailable", 1],
  ])("%s: said once, done a minute later", async (_case, call, kind, times) => {
    const world = started();
    fail(world, call, kind, times);
    await world.until("08:30");
    expect(world.history()?.successfulExecutions).toBeUndefined();
    expect(world.messages("ScaleFailed")).toEqual([
      `rule open, due 2026-03-02T08:30:00Z: ${call}: ${kind}; tried again each minute until 2026-03-02T08:40:00Z`,
    ]);
    await world.until("08:35");
    expect(world.history()).toMatchObject({
      successfulExecutions: [{ scheduleTime: T("08:30:00"), executionTime: T("08:31:00") }],
    });
    expect(world.writes).toHaveLength(1);
    expect(world.events()).toEqual(["Warning ScaleFailed", "Normal ScaleSucceeded"]);
  });

  it("a write whose answer is lost is found to have happened", async () => {
    const world = started();
    fail(world, PUT, "unavailable", 1, "after");
    await world.until("08:35");
    expect(world.writes).toHaveLength(1);
    expect(world.runs()).toMatchObject([
      { outcome: "applied", message: "Deployment shop has replicas 40, as an earlier invocation wrote it" },
    ]);
  });

  it("a target that others go on changing is not taken for superseded: the conflict wrote nothing", async () => {
    const world = started();
    fail(world, PUT, "conflict", 5);
    await world.until("08:30");
    world.patch("Deployment", "shop", { spec: { replicas: 12 } });
    await world.until("08:31");
    expect(world.replicas()).toBe(40);
  });

  it("at the deadline it is a failed execution with the last fault", async () => {
    const world = started();
    fail(world, PUT, "throttled");
    await world.until("08:45");
    expect(world.history()).toMatchObject({
      failedExecutions: [
        {
          scheduleTime: T("08:30:00"),
          executionTime: T("08:41:00"),
          message: `not done until the deadline: ${PUT}: throttled, 11m late`,
        },
      ],
    });
    expect(world.events()).toEqual(["Warning ScaleFailed", "Warning ScaleFailed"]);
    world.interrupt = () => {};
    await world.until("08:50");
    expect(world.writes).toEqual([]);
  });

  it("a hub that cannot be listed fails the message; the rules run when it is back", async () => {
    const world = started();
    await world.until("08:29");
    fail(world, "hub.list cronfederatedhpas", "unavailable");
    world.at("08:30");
    await expect(world.evaluate()).rejects.toThrow(/unavailable/);
    world.interrupt = () => {};
    await world.until("08:33");
    expect(world.history()?.successfulExecutions).toMatchObject([
      { scheduleTime: T("08:30:00"), executionTime: T("08:31:00") },
    ]);
  });

  it("a rule that is changed while it is tried again is forgotten", async () => {
    const world = started();
    fail(world, PUT, "throttled");
    await world.until("08:31");
    world.apply([{ name: "open", schedule: "30 8 * * *", targetReplicas: 50 }]);
    world.interrupt = () => {};
    await world.until("08:35");
    expect(world.writes).toEqual([]);
    expect(world.log.map(({ message }) => message)).toContain("cron run dropped: its rule was changed");
  });

  it("the table's fault is the object's: the next minute looks at the same instants again", async () => {
    const world = started();
    await world.until("08:29");
    fail(world, "table.put", "throttled", 1);
    await world.until("08:31");
    expect(world.history()?.successfulExecutions).toMatchObject([
      { scheduleTime: T("08:30:00"), executionTime: T("08:31:00") },
    ]);
  });
});

describe("a fault that stays: a failed execution, not tried again", () => {
  it.each<[PortFaultKind]>([["denied"], ["invalid"], ["missing"]])("%s by the write", async (kind) => {
    const world = started();
    fail(world, PUT, kind, 1);
    await world.until("08:35");
    expect(world.writes).toEqual([]);
    expect(world.history()?.failedExecutions).toEqual([
      { scheduleTime: T("08:30:00"), executionTime: T("08:30:00"), message: `${PUT}: ${kind}` },
    ]);
    expect(world.events()).toEqual(["Warning ScaleFailed"]);
  });
});

describe("telling", () => {
  const STATUS = "hub.mergePatch cronfederatedhpas/status";

  it("a status that cannot be written is written when it can be, and the run is done once", async () => {
    const world = started();
    await world.until("08:29");
    fail(world, STATUS, "unavailable", 3);
    await world.until("08:35");
    expect(world.history()?.successfulExecutions).toEqual([
      { scheduleTime: T("08:30:00"), executionTime: T("08:30:00"), appliedReplicas: 40 },
    ]);
    expect(world.writes).toHaveLength(1);
    expect(world.events()).toEqual(["Normal ScaleSucceeded", "Warning UpdateStatusFailed"]);
  });

  it("a status conflict is read again, and the others' entries stay", async () => {
    const world = started();
    await world.until("08:29");
    let once = true;
    world.interrupt = (call, when) => {
      if (call !== STATUS || when !== "before" || !once) return;
      once = false;
      world.patch("CronFederatedHPA", "shop", { metadata: { labels: { touched: "yes" } } });
    };
    await world.until("08:30");
    expect(world.history()?.successfulExecutions).toHaveLength(1);
  });

  it("Events that are refused keep nothing back", async () => {
    const world = started();
    fail(world, "hub.create events", "denied");
    await world.until("08:31");
    expect(world.history()?.successfulExecutions).toHaveLength(1);
    expect(world.log.map(({ message }) => message)).toContain("Event refused by the hub");
  });

  it("the reconcile that cannot be sent is left to the next slot", async () => {
    const world = cronWorld("08:28");
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } };
    world.create("FederatedHPA", "shop", {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
      maxReplicas: 10,
      metrics: [{ type: "Resource", resource: cpu }],
    });
    const target = { apiVersion: "autoscaling.karmada.io/v1alpha1", kind: "FederatedHPA", name: "shop" };
    world.apply([{ name: "open", schedule: "30 8 * * *", targetMinReplicas: 5 }], { target });
    fail(world, "queue.send", "unavailable");
    await world.until("08:31");
    expect(world.history()?.successfulExecutions).toHaveLength(1);
  });
});

describe("one object's fault stops no other", () => {
  it("a target that cannot be read, beside one that can", async () => {
    const world = started();
    world.apply([{ name: "open", schedule: "30 8 * * *", targetReplicas: 2 }], {
      name: "other",
      target: { apiVersion: "apps/v1", kind: "Deployment", name: "gone" },
    });
    await world.until("08:30");
    expect(world.replicas()).toBe(40);
  });
});
