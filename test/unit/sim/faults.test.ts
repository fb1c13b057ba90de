import { describe, expect, it } from "vitest";
import { KINDS } from "#sim/kinds";
import {
  DUPLICATED,
  deploymentDocument,
  policyDocument,
  type SmallFleet,
  scenarioDocument,
  smallFleet,
} from "./small-fleet.ts";

const world = (spec: object = {}) =>
  smallFleet([scenarioDocument(spec), deploymentDocument(2), policyDocument(DUPLICATED)]);

function ready(small: SmallFleet, cluster: string): string | undefined {
  const stored = small.fleet.hub.store.get(KINDS.clusters, undefined, cluster);
  const conditions = stored?.status?.conditions as { type: string; status: string }[];
  return conditions.find(({ type }) => type === "Ready")?.status;
}

describe("a member that is cut off", () => {
  it("refuses every request at once, and is Ready until the threshold has passed (30 s)", () => {
    const small = world();
    small.fault("member2", { kind: "cut-off" });
    expect(small.fleet.access("member2", "apps").refusal).toMatchObject({ code: 503 });
    expect(small.fleet.access("member1", "apps").refusal).toBeUndefined();
    small.runTo(29.9);
    expect(ready(small, "member2")).toBe("True");
    expect(small.fleet.nextDueMs(small.scenario.startMs + 29_900)).toBe(small.scenario.startMs + 30_000);
    small.runTo(30);
    expect(ready(small, "member2")).toBe("False");
    expect(ready(small, "member1")).toBe("True");
  });

  it("answers at once when it is back, and is Ready after the same while", () => {
    const small = world({ readiness: { failureSeconds: 10, successSeconds: 20 } });
    small.fault("member2", { kind: "cut-off" });
    small.runTo(60);
    small.fault("member2", { kind: "reconnect" });
    expect(small.fleet.access("member2", "apps").refusal).toBeUndefined();
    small.runTo(79.9);
    expect(ready(small, "member2")).toBe("False");
    small.runTo(80);
    expect(ready(small, "member2")).toBe("True");
  });

  it("stays Ready where it is back before the threshold", () => {
    const small = world();
    small.fault("member2", { kind: "cut-off" });
    small.runTo(20);
    small.fault("member2", { kind: "reconnect" });
    small.runTo(200);
    expect(ready(small, "member2")).toBe("True");
  });

  it("runs on as it was, keeps its last status, and gets what it missed when it is back", () => {
    const small = world();
    small.fault("member2", { kind: "cut-off" });
    small.scale("web", 5);
    small.runTo(60);
    expect(small.pods("member1")).toHaveLength(5);
    expect(small.pods("member2")).toHaveLength(2);
    expect(small.binding("web")?.status).toMatchObject({
      aggregatedStatus: [{ status: { replicas: 5 } }, { clusterName: "member2", status: { replicas: 2 } }],
    });
    small.fault("member2", { kind: "reconnect" });
    small.runTo(70);
    expect(small.pods("member2")).toHaveLength(5);
  });

  it("is read again when it is back, also where nothing has to be sent to it", () => {
    const small = world();
    const member = small.fleet.members.get("member2");
    const type = member?.catalogue.find("v1", "pods");
    const [pod] = small.pods("member2");
    if (member === undefined || type === undefined || pod === undefined) throw new Error("no pod");
    member.delete(
      type,
      { namespace: "default", name: pod.metadata.name ?? "" },
      { nowMs: small.scenario.startMs },
    );
    small.runTo(0);
    small.fault("member2", { kind: "cut-off" });
    small.runTo(60);
    expect(small.template("web")?.status?.readyReplicas).toBe(3);
    small.fault("member2", { kind: "reconnect" });
    expect(small.template("web")?.status?.readyReplicas).toBe(4);
  });

  it("cannot be a new target while it is not Ready", () => {
    const small = smallFleet([
      scenarioDocument({
        timeline: [
          { afterSeconds: 0, do: "cut-off", cluster: "member2" },
          {
            afterSeconds: 60,
            do: "apply",
            manifest: { ...deploymentDocument(2), metadata: { name: "late", namespace: "default" } },
          },
        ],
      }),
      policyDocument(DUPLICATED),
    ]);
    small.runTo(61);
    expect(small.shares("late")).toBe("member1: 2");
  });
});

describe("other faults", () => {
  it("failing metrics leave the other groups alone", () => {
    const small = world();
    small.fault("member1", { kind: "fail-metrics" });
    expect(small.fleet.access("member1", "metrics.k8s.io").refusal).toMatchObject({ code: 503 });
    expect(small.fleet.access("member1", "custom.metrics.k8s.io").refusal).toMatchObject({ code: 503 });
    expect(small.fleet.access("member1", "apps").refusal).toBeUndefined();
    small.fault("member1", { kind: "restore-metrics" });
    expect(small.fleet.access("member1", "metrics.k8s.io").refusal).toBeUndefined();
  });

  it("a slow member says by how much", () => {
    const small = world();
    small.fault("member1", { kind: "slow", milliseconds: 2500 });
    expect(small.fleet.access("member1", "")).toEqual({ delayMs: 2500 });
    small.fault("member1", { kind: "slow", milliseconds: 0 });
    expect(small.fleet.access("member1", "")).toEqual({ delayMs: 0 });
  });

  it("switches are annotations that anyone may set", () => {
    const small = world();
    const annotations = { "sim.mainsheet.io/cut-off": "true" };
    small.patch("cluster.karmada.io/v1alpha1", "Cluster", "member1", { metadata: { annotations } });
    expect(small.fleet.access("member1", "").refusal).toMatchObject({ code: 503 });
    const stored = small.fleet.hub.store.get(KINDS.clusters, undefined, "member1");
    expect(stored?.metadata.annotations).toEqual({ "sim.mainsheet.io/cut-off": "2026-03-02T09:00:00Z" });
  });

  it("an unknown member is not found", () => {
    expect(world().fleet.access("nowhere", "").refusal).toMatchObject({ code: 404 });
  });
});
