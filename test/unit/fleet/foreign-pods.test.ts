import { describe, expect, it } from "vitest";
import { findForeignPods } from "#domain/fleet/foreign-pods";

describe("pods of other workloads (B26)", () => {
  const visible = (...owners: (string | undefined)[]) => [
    {
      cluster: "a",
      specReplicas: 0,
      statusReplicas: 0,
      selector: "",
      samples: [],
      pods: owners.map((owner, i) => ({
        name: `p${i}`,
        deleted: false,
        containers: [],
        labels: {},
        ...(owner === undefined ? {} : { owner }),
      })),
    },
  ];
  it.each<[string, string, string | undefined, number | undefined]>([
    ["a Deployment's own ReplicaSet", "Deployment", "ReplicaSet/web-6d4f", undefined],
    ["a ReplicaSet of a Deployment whose name only begins alike", "Deployment", "ReplicaSet/web-eu-6d4f", 1],
    ["another kind of owner", "Deployment", "Job/web", 1],
    ["a StatefulSet owns its pods itself", "StatefulSet", "StatefulSet/web", undefined],
    ["no owner is not suspected", "Deployment", undefined, undefined],
    ["kinds that own through others are not judged", "Rollout", "ReplicaSet/other-1", undefined],
  ])("%s", (_, kind, owner, count) => {
    expect(findForeignPods(visible(owner), { kind, name: "web" })?.count).toBe(count);
  });

  it("an owner before does not make the next pod without one suspect", () => {
    const pods = visible("ReplicaSet/web-6d4f", undefined);
    expect(findForeignPods(pods, { kind: "Deployment", name: "web" })).toBeUndefined();
  });

  it("all are counted, the first three are named", () => {
    const pods = visible(...Array.from({ length: 5 }, () => "Job/batch"));
    expect(findForeignPods(pods, { kind: "Deployment", name: "web" })).toEqual({
      count: 5,
      examples: ["a/p0", "a/p1", "a/p2"],
    });
  });
});
