import { describe, expect, it } from "vitest";
import { decodeCluster } from "#wire/kubernetes/cluster";

const cluster = (conditions: unknown, spec: unknown = {}) => ({
  metadata: { name: "member1" },
  spec,
  status: { conditions },
});

describe("a Cluster", () => {
  it.each([
    ["True", [{ type: "Ready", status: "True", reason: "ClusterReady" }], { ready: true }],
    [
      "False",
      [
        {
          type: "Ready",
          status: "False",
          reason: "ClusterNotReachable",
          message: "cluster is not reachable",
        },
      ],
      { ready: false, notReadyBecause: "ClusterNotReachable: cluster is not reachable" },
    ],
    ["Unknown", [{ type: "Ready", status: "Unknown" }], { ready: false }],
    [
      "not reported yet",
      [{ type: "Other", status: "True" }],
      { ready: false, notReadyBecause: "it has not reported its state yet" },
    ],
    ["nothing at all", undefined, { ready: false, notReadyBecause: "it has not reported its state yet" }],
  ])("whose Ready is %s", (_, conditions, expected) => {
    expect(decodeCluster(cluster(conditions))).toEqual({
      ok: true,
      value: { name: "member1", syncMode: "Push", ...expected },
    });
  });

  it.each([
    [{ syncMode: "Pull" }, "Pull"],
    [{ syncMode: "Push" }, "Push"],
    [undefined, "Push"],
  ])("with spec %j syncs by %s", (spec, syncMode) => {
    expect(decodeCluster(cluster([], spec))).toMatchObject({ value: { syncMode } });
  });

  it.each([
    ["no name", {}],
    ["a mode that is no text", { metadata: { name: "m" }, spec: { syncMode: 1 } }],
  ])("with %s is unreadable", (_, raw) => {
    expect(decodeCluster(raw)).toMatchObject({ ok: false, fault: { code: "clusters-unreadable" } });
  });
});
