import { describe, expect, it } from "vitest";
import { type Intent, isFromBefore, type ObservedTarget, resolveIntent } from "#domain/work/intent";

const NOW = 1_700_000_000_000;
const intent: Intent = {
  id: "i-1",
  target: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    name: "web",
    uid: "u-1",
    resource: { group: "apps", version: "v1", resource: "deployments" },
  },
  generation: 7,
  resourceVersion: "100",
  from: 4,
  to: 6,
  reason: "cpu above target",
  atMs: NOW - 1_000,
  storedAtMs: NOW - 1_000,
};
const ours = { manager: "mainsheet", atMs: NOW };
const ourLate = { manager: "mainsheet", atMs: NOW - 1_000 + 75_000 };
const theirs = { manager: "kubectl", atMs: NOW };
const asDecidedOn: ObservedTarget = { uid: "u-1", generation: 7, resourceVersion: "100", replicas: 4 };

describe("an open intent (design 1, the scale's state machine)", () => {
  it.each<[string, ObservedTarget | undefined, string]>([
    ["the target is gone", undefined, "target-gone"],
    ["another object has its name", { ...asDecidedOn, uid: "u-2" }, "target-gone"],
    ["nothing moved: the PUT may still land", asDecidedOn, "pending"],
    [
      "only the status moved: that PUT can no longer win",
      { ...asDecidedOn, resourceVersion: "101" },
      "not-applied",
    ],
    [
      "our value under our name",
      { ...asDecidedOn, generation: 8, resourceVersion: "101", replicas: 6, replicasWrite: ours },
      "applied",
    ],
    [
      "our value under another's name",
      { ...asDecidedOn, generation: 8, resourceVersion: "101", replicas: 6, replicasWrite: theirs },
      "unconfirmed",
    ],
    ["our value under no name", { ...asDecidedOn, generation: 8, replicas: 6 }, "unconfirmed"],
    [
      "another value by the only write since",
      { ...asDecidedOn, generation: 8, resourceVersion: "101", replicas: 9, replicasWrite: theirs },
      "not-applied",
    ],
    [
      "another value after several writes: ours may have been overwritten (storm seed 28)",
      { ...asDecidedOn, generation: 9, resourceVersion: "102", replicas: 9, replicasWrite: theirs },
      "unconfirmed",
    ],
    [
      "the old value, written back by somebody",
      { ...asDecidedOn, generation: 9, resourceVersion: "102", replicas: 4, replicasWrite: theirs },
      "unconfirmed",
    ],
    [
      "the old value under our name, written back by a second FederatedHPA (storm seed 141 of 5 minutes, 10 objects)",
      { ...asDecidedOn, generation: 9, resourceVersion: "102", replicas: 4, replicasWrite: ours },
      "unconfirmed",
    ],
    [
      "our value under our name, written when that PUT could no longer land: a second FederatedHPA's (storm seed 168)",
      { ...asDecidedOn, generation: 8, resourceVersion: "101", replicas: 6, replicasWrite: ourLate },
      "not-applied",
    ],
    [
      "the same after several writes: ours may have been overwritten",
      { ...asDecidedOn, generation: 9, resourceVersion: "102", replicas: 6, replicasWrite: ourLate },
      "unconfirmed",
    ],
    [
      "the old value, and only the pod template was written, twice",
      { ...asDecidedOn, generation: 9, resourceVersion: "102", replicas: 4 },
      "not-applied",
    ],
  ])("%s", (_case, target, outcome) => {
    expect(resolveIntent(intent, target, "mainsheet", NOW)).toBe(outcome);
  });

  it("the old value, last written before it was decided, was not overwritten", () => {
    const target = { ...asDecidedOn, generation: 9, resourceVersion: "102", replicasWrite: theirs };
    const decidedOn = { ...intent, foreignWrite: theirs };
    expect(resolveIntent(decidedOn, target, "mainsheet", NOW)).toBe("not-applied");
  });

  it.each([
    ["is still the last, was not overwritten", ours.atMs, "not-applied"],
    ["was followed by another, may have been (storm seed 141)", ours.atMs - 30_000, "unconfirmed"],
  ])("the old value, where our write from before it was decided %s", (_case, ownWriteAtMs, outcome) => {
    const target = { ...asDecidedOn, generation: 9, resourceVersion: "102", replicasWrite: ours };
    expect(resolveIntent({ ...intent, ownWriteAtMs }, target, "mainsheet", NOW)).toBe(outcome);
  });

  it.each([
    [74_999, "pending"],
    [75_000, "not-applied"],
  ])("%i ms after it was stored, an unmoved target means %s", (age, outcome) => {
    expect(resolveIntent({ ...intent, storedAtMs: NOW - age }, asDecidedOn, "mainsheet", NOW)).toBe(outcome);
  });
});

describe("a target that is decided on, where our last scale on record was decided on generation 7", () => {
  const scaled = { uid: "u-1", generation: 7 };
  it.each<[string, Pick<ObservedTarget, "uid" | "generation">, typeof scaled | undefined, boolean]>([
    ["is from before it at 7: that scale made it 8", { uid: "u-1", generation: 7 }, scaled, true],
    ["is from before it at 6", { uid: "u-1", generation: 6 }, scaled, true],
    ["is from after it at 8", { uid: "u-1", generation: 8 }, scaled, false],
    ["is another object", { uid: "u-2", generation: 1 }, scaled, false],
    ["and there was none", { uid: "u-1", generation: 7 }, undefined, false],
  ])("%s", (_case, target, last, expected) => {
    expect(isFromBefore(target, last)).toBe(expected);
  });
});
