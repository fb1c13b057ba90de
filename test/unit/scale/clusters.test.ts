import { describe, expect, it } from "vitest";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import {
  condition,
  cpu,
  decide,
  type Fleet,
  NOW_MS,
  ready,
  remembered,
  snapshotOf,
  times,
} from "#test/unit/scale/fleet";

const lost = { replicas: 3, unreadable: { scale: "cluster-unreachable" } } as const;
const minutes = (count: number) => count * 60_000;
/** Nothing higher was recommended lately, so a scale-in is free to happen. */
const FREE = remembered([1, 1000]);

describe("a bound cluster that cannot be read (D-09, B55)", () => {
  const busy: Fleet = { template: 6, clusters: { a: { pods: times(3, ready(90)) }, b: lost } };
  const idle: Fleet = { template: 6, clusters: { a: { pods: times(3, ready(10)) }, b: lost } };

  it("scale-out goes on: 90 % of 50 % on 3 of 6: ceil(1.8 × 3 ÷ 0.5) = 11", () => {
    const decision = decide(busy);
    expect(decision.scale?.to).toBe(11);
    expect(condition(decision, "ClustersReadable")).toBe("False/ClustersUnreadable");
    expect(decision.history.lostSinceMs).toEqual({ b: NOW_MS });
  });

  it("scale-in is held, named, and recorded as max(proposal, current)", () => {
    const decision = decide(idle, FREE);
    expect(decision.scale).toBeUndefined();
    expect(decision.held?.reason).toBe("ClustersUnreadable");
    expect(decision.held?.message).toContain("b (cluster b does not answer)");
    expect(condition(decision, "ScalingLimited")).toBe("True/ClustersUnreadable");
    expect(decision.trace.limits).toMatchObject({ proposed: 2, recorded: 6, final: 6 });
    expect(decision.history.recommendations.at(-1)?.replicas).toBe(6);
  });

  it.each([
    ["a second before the hold ends", minutes(30) - 1000, undefined, "False/ClustersUnreadable"],
    ["after the hold as assume-equal, with the condition", minutes(30), 2, "False/ClustersAssumedEqual"],
  ])("%s", (_, lostForMs, to, readable) => {
    const history = { ...FREE, lostSinceMs: { b: NOW_MS - lostForMs } };
    const decision = decide(idle, history);
    expect(decision.scale?.to).toBe(to);
    expect(condition(decision, "ClustersReadable")).toBe(readable);
  });

  it("each cluster has its own hold: one lost for long, another just now", () => {
    const fleet = { ...idle, template: 9, clusters: { ...idle.clusters, c: lost } };
    const decision = decide(fleet, { ...FREE, lostSinceMs: { b: NOW_MS - minutes(60) } });
    expect(decision.held?.reason).toBe("ClustersUnreadable");
    expect(decision.history.lostSinceMs).toEqual({ b: NOW_MS - minutes(60), c: NOW_MS });
  });

  it("D-10: a pull-mode cluster that the hub has no way to holds nothing: its pods count as busy as the others'", () => {
    const pulled = { replicas: 3, unreadable: { scale: "cluster-pull-mode" } } as const;
    const fleet = { ...idle, clusters: { ...idle.clusters, b: pulled } };
    const decision = decide(fleet, FREE);
    expect(decision.scale?.to).toBe(2);
    expect(condition(decision, "ClustersReadable")).toBe("False/ClustersAssumedEqual");
  });

  it("assume-equal by policy scales in at once", () => {
    expect(decide(idle, FREE, { lostCluster: "assume-equal" }).scale?.to).toBe(2);
  });

  it.each([
    ["the object's own word: assume-equal", { "mainsheet.io/lost-cluster": "assume-equal" }, 2],
    ["the object's own hold is over", { "mainsheet.io/lost-cluster-hold": "90s" }, 2],
    ["the object's own hold lasts", { "mainsheet.io/lost-cluster-hold": "91s" }, undefined],
  ])("%s", (_, annotations, to) => {
    const decision = decide({ ...idle, annotations }, { ...FREE, lostSinceMs: { b: NOW_MS - 90_000 } });
    expect(decision.scale?.to).toBe(to);
  });

  it.each([
    [{ "mainsheet.io/lost-cluster": "asume-equal" }, '"asume-equal" must be hold or assume-equal'],
    [{ "mainsheet.io/lost-cluster-hold": "30" }, '"30" must be a duration of 0 or more such as 30m'],
    [{ "mainsheet.io/lost-cluster-hold": "-1m" }, '"-1m" must be a duration of 0 or more such as 30m'],
  ])("a faulty annotation is a fault of the object: %o", (annotations, message) => {
    const decision = decide({ ...busy, annotations });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSpec");
    expect(decision.failure?.message).toContain(message);
  });

  it("gates act all the same", () => {
    const decision = decide({ ...idle, max: 4 });
    expect(decision.scale).toMatchObject({
      to: 4,
      reason: "Current number of replicas above Spec.MaxReplicas",
    });
  });

  it("a cluster that is back, or no longer bound, is forgotten, and the condition turns", () => {
    const former: History = { ...EMPTY_HISTORY, lostSinceMs: { b: NOW_MS - 1, gone: NOW_MS - 1 } };
    const unreadable = {
      type: "ClustersReadable",
      status: "False",
      reason: "x",
      message: "",
      lastTransitionMs: 5,
    } as const;
    const decision = decide(
      {
        clusters: { a: { pods: [ready(50)] }, b: { pods: [ready(50)] } },
        status: { conditions: [unreadable] },
      },
      former,
    );
    expect(decision.history.lostSinceMs).toBeUndefined();
    expect(condition(decision, "ClustersReadable")).toBe("True/AllClustersRead");
  });

  it.each<[string, Partial<Fleet>]>([
    ["at template 0, where nothing is asked of them (storm seeds 193, 197 of 30 minutes)", { template: 0 }],
    ["under a spec that is refused", { min: 5, max: 4 }],
  ])("a cluster that is back is forgotten %s; one that is not stays lost", (_, fleet) => {
    const former: History = { ...EMPTY_HISTORY, lostSinceMs: { b: NOW_MS - minutes(60), c: NOW_MS - 1 } };
    const clusters = { a: { pods: [ready(50)] }, b: { pods: [ready(50)] }, c: lost };
    expect(decide({ clusters, ...fleet }, former).history.lostSinceMs).toEqual({ c: NOW_MS - 1 });
  });

  it("where the target is gone nobody is back: its binding says nothing", () => {
    const former: History = { ...EMPTY_HISTORY, lostSinceMs: { b: NOW_MS - 1 } };
    const { binding: _unasked, ...snapshot } = snapshotOf({ clusters: {} });
    const target = { ok: false, fault: { code: "target-missing", message: "gone" } } as const;
    const { history } = decideScale({ ...snapshot, target, members: [] }, former, DEFAULT_POLICY);
    expect(history.lostSinceMs).toEqual(former.lostSinceMs);
  });

  it("a fleet that was never lost has no such condition", () => {
    expect(condition(decide({ clusters: { a: { pods: [ready(50)] } } }), "ClustersReadable")).toBeUndefined();
  });

  it("none readable: hold with Karmada's reason, and the clusters named", () => {
    const decision = decide({ template: 6, max: 4, clusters: { a: lost, b: lost } });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "AbleToScale")).toBe("False/FailedGetScale");
    expect(decision.currentReplicas).toBe(6);
    expect(decision.failure?.message).toContain(
      "failed to get replicas in any of clusters, possibly because all of clusters are not ready: a (",
    );
    expect(decision.history.lostSinceMs).toEqual({ a: NOW_MS, b: NOW_MS });
  });

  it("a cluster whose scale has no selector is out, with Karmada's event", () => {
    const decision = decide({
      template: 4,
      clusters: { a: { selector: "", pods: times(2, ready(90)) }, b: { pods: times(2, ready(90)) } },
    });
    expect(decision.trace.calibration).toBe(0.5);
    expect(decision.events).toEqual([
      { type: "Warning", reason: "SelectorRequired", message: "selector is required" },
    ]);
    expect(condition(decision, "ScalingActive")).toBe("True/ValidMetricFound");
  });

  it("no cluster has a selector: InvalidSelector", () => {
    const decision = decide({ clusters: { a: { selector: "", pods: times(2, ready(90)) } } });
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSelector");
    expect(decision.scale).toBeUndefined();
  });
});

describe("a binding that is not caught up (B53, D-08)", () => {
  const behind: Fleet = {
    template: 100,
    max: 1000,
    metrics: [cpu(80)],
    clusters: { a: { pods: times(60, ready(100)) } },
    binding: { scheduled: "False", clusters: [{ name: "a", replicas: 60 }] },
  };

  it("100 wanted, room for 60 at 100 % of 80 %: holds 100 instead of running away", () => {
    const decision = decide(behind);
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "BindingCaughtUp")).toBe("False/NotScheduled");
    expect(decision.trace.placement).toEqual({ caughtUp: false, reason: "NotScheduled", placed: 60 });
    expect(decision.history.recommendations.at(-1)?.replicas).toBe(100);
  });

  it("what is placed needs less than is placed: ceil(0.5 × 60) = 30 is applied", () => {
    const fleet = { ...behind, clusters: { a: { pods: times(60, ready(40)) } } };
    expect(decide(fleet, FREE).scale).toEqual({ from: 100, to: 30, reason: "All metrics below target" });
  });

  it("what is placed is just right for its load: that is no reason to give up the template's 100", () => {
    const decision = decide({ ...behind, clusters: { a: { pods: times(60, ready(80)) } } }, FREE);
    expect(decision.trace.limits?.proposed).toBe(60);
    expect(decision.desiredReplicas).toBe(100);
  });

  it("nothing is held where nothing more is wanted", () => {
    const decision = decide({
      clusters: { a: { pods: times(2, ready(50)) } },
      binding: { generation: 3, schedulerObservedGeneration: 2 },
    });
    expect(decision.held).toBeUndefined();
    expect(condition(decision, "ScalingLimited")).toBe("False/DesiredWithinRange");
    expect(condition(decision, "BindingCaughtUp")).toBe("False/SchedulerBehind");
  });

  it("without the check it scales on by calibration: ceil(1.25 × 60 ÷ 0.6) = 125", () => {
    expect(decide(behind, EMPTY_HISTORY, { caughtUpCheck: false }).scale?.to).toBe(125);
  });

  it("never above the template while a scale-in is under way: 20 still run, the template says 10", () => {
    const decision = decide(
      {
        template: 10,
        clusters: { a: { pods: times(20, ready(45)) } },
        binding: { replicas: 20, clusters: [{ name: "a", replicas: 20 }] },
      },
      remembered([20, 60]),
    );
    expect(decision.desiredReplicas).toBe(10);
    expect(condition(decision, "BindingCaughtUp")).toBe("False/SchedulerBehind");
  });

  it("the scheduler has not seen the binding's generation", () => {
    const decision = decide({
      clusters: { a: { pods: times(2, ready(90)) } },
      binding: { generation: 3, schedulerObservedGeneration: 2 },
    });
    expect(condition(decision, "BindingCaughtUp")).toBe("False/SchedulerBehind");
    expect(decision.held?.reason).toBe("BindingNotCaughtUp");
    expect(decision.desiredReplicas).toBe(2);
  });

  it("gates act first", () => {
    expect(decide({ ...behind, max: 80 }).scale?.to).toBe(80);
  });

  describe("a share mismatch alone", () => {
    const shares: Fleet = {
      template: 4,
      clusters: { a: { pods: times(2, ready(90)) }, b: { pods: times(2, ready(90)) } },
      binding: {
        clusters: [
          { name: "a", replicas: 3 },
          { name: "b", replicas: 1 },
        ],
      },
    };
    it("holds, from its first sight", () => {
      const decision = decide(shares);
      expect(decision.scale).toBeUndefined();
      expect(condition(decision, "BindingCaughtUp")).toBe("False/SharesDiffer");
      expect(decision.history.sharesDifferSinceMs).toBe(NOW_MS);
    });
    it("names who scaled the workload in the member: a native HPA there, a person", () => {
      const snapshot = snapshotOf(shares);
      const members = snapshot.members.map((member) =>
        member.scale.ok
          ? {
              ...member,
              scale: {
                ok: true,
                value: { ...member.scale.value, foreignManager: "kube-controller-manager" },
              } as const,
            }
          : member,
      );
      const { held } = decideScale({ ...snapshot, members }, EMPTY_HISTORY, DEFAULT_POLICY);
      expect(held?.message).toMatch(
        /cluster a runs 2 replicas, binding .* gives it 3; kube-controller-manager scaled it there/,
      );
    });
    it.each([
      ["a second before two minutes", 119_000, undefined],
      ["at two minutes it goes on, with the condition", 120_000, 8],
    ])("%s", (_, sinceMs, to) => {
      const decision = decide(shares, { ...EMPTY_HISTORY, sharesDifferSinceMs: NOW_MS - sinceMs });
      expect(decision.scale?.to).toBe(to);
      expect(condition(decision, "BindingCaughtUp")).toBe("False/SharesDiffer");
    });
  });

  it("D-06: all members at 0 under a template of 3: waits, without an error, and gates still act", () => {
    const fleet: Fleet = { template: 3, clusters: { a: { replicas: 0 }, b: { replicas: 0 } } };
    const decision = decide(fleet, EMPTY_HISTORY, { caughtUpCheck: false });
    expect(decision.scale).toBeUndefined();
    expect(decision.failure).toBeUndefined();
    expect(condition(decision, "AbleToScale")).toBe("True/SucceededGetScale");
    expect(condition(decision, "BindingCaughtUp")).toBe("False/NothingPlaced");
    expect(decide({ ...fleet, min: 5 }).scale?.to).toBe(5);
  });

  it("duplicated: placed is the mean of the copies: 10 + 6 of a template of 10 are 8, idle pods need 2", () => {
    const decision = decide(
      {
        duplicated: true,
        template: 10,
        clusters: { a: { pods: times(10, ready(10)) }, b: { pods: times(6, ready(10)) } },
        binding: {
          schedulerObservedGeneration: 1,
          clusters: [
            { name: "a", replicas: 10 },
            { name: "b", replicas: 10 },
          ],
        },
      },
      FREE,
    );
    expect(decision.trace.placement?.placed).toBe(8);
    expect(decision.desiredReplicas).toBe(2);
  });

  it("a lost cluster's share counts as placed: 30 in sight, 30 lost, idle: not below what both need", () => {
    const decision = decide(
      {
        template: 100,
        metrics: [cpu(60)],
        clusters: {
          a: { pods: times(30, ready(30)) },
          b: { replicas: 30, unreadable: { scale: "cluster-unreachable" } },
        },
        binding: { scheduled: "False" },
      },
      FREE,
      { lostCluster: "assume-equal" },
    );
    expect(decision.trace.placement?.placed).toBe(60);
    expect(decision.desiredReplicas).toBe(30);
  });
});
