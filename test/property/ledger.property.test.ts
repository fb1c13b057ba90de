import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay } from "#app/ledger/replay";
import type { Snapshot } from "#domain/fleet/snapshot";
import { decideScale } from "#domain/scale/decide";
import { decisivePart } from "#domain/scale/decisive-part";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { history, policy, snapshot } from "#test/property/arbitrary-fleet";
import { decodeDecisionRecord, encodeDecisionRecord, recordBodies } from "#wire/decision-record";
import { decodeExported, exportDecision } from "#wire/exported-record";
import { encodeJson } from "#wire/json";
import { packPods, unpackPods } from "#wire/packed-pods";

const world = [snapshot, history, policy.map((part) => ({ ...DEFAULT_POLICY, ...part }))] as const;
const ID = { hub: "local", namespace: "default", name: "nginx" };
const OPTIONS = { result: "unchanged", code: "1.2.3", retentionSeconds: 60 };

/** As a cluster is that has more in its labels and annotations than a decision asks for. */
const decorated: fc.Arbitrary<Snapshot> = snapshot.map((its) => ({
  ...its,
  object: { ...its.object, annotations: { ...its.object.annotations, token: "s3cret" } },
  members: its.members.map((member) => ({
    ...member,
    pods: member.pods.ok
      ? {
          ok: true as const,
          value: member.pods.value.map((pod) => ({ ...pod, labels: { ...pod.labels, team: "s3cret" } })),
        }
      : member.pods,
  })),
}));

describe("laws of the ledger", () => {
  it("grouped pods come back as they were, in their order", () => {
    fc.assert(
      fc.property(snapshot, (its) => {
        expect(unpackPods(packPods(its))).toEqual(its);
      }),
    );
  });

  it("what a decision does not look at may go: it decides to the same bytes", () => {
    fc.assert(
      fc.property(decorated, history, world[2], (its, former, rules) => {
        const kept = decisivePart(its);
        expect(encodeJson(kept)).not.toMatchObject({ value: expect.stringContaining("s3cret") });
        expect(encodeJson(decideScale(kept, former, rules))).toEqual(
          encodeJson(decideScale(its, former, rules)),
        );
      }),
    );
  });

  it("a record decides again to its own bytes, or says why it cannot", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const decision = decideScale(its, former, rules);
        const saved = { v: 1, snapshot: decisivePart(its), history: former, policy: rules } as const;
        const [body] = recordBodies(decision, saved);
        if (body === undefined) throw new Error("no body");
        const item = encodeDecisionRecord(ID, decision, { ...body, packed: false }, OPTIONS);
        if (item === undefined) throw new Error("too large");
        const record = decodeDecisionRecord(ID, item, body.text);
        if (!record.ok) throw new Error(record.fault);
        const { inputs, decision: recorded } = record.value;
        expect(encodeJson(recorded)).toEqual(encodeJson(decision));
        if (!inputs.replayable) expect(inputs.why).toMatch(/its inputs have no JSON: .* is (NaN|Infinity)/);
        else {
          const { snapshot: seen, history: known, policy: under } = inputs.saved;
          expect(encodeJson(decideScale(seen, known, under))).toEqual(encodeJson(decision));
          const line = exportDecision(record.value);
          const read = line.ok ? decodeExported(line.value) : line;
          if (!read.ok || read.value === undefined) throw new Error(read.ok ? "no record" : read.fault);
          expect(replay(read.value)).toEqual({ result: "same" });
        }
      }),
    );
  });
});
