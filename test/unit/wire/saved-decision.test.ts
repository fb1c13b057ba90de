import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideScale } from "#domain/scale/decide";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { history, policy, snapshot } from "#test/property/arbitrary-fleet";
import { ready, remembered, snapshotOf, times } from "#test/unit/scale/fleet";
import { encodeJson } from "#wire/json";
import { decodeSavedDecision, decodeSavedHistory, encodeSavedDecision } from "#wire/saved-decision";

type Json = Record<string, unknown>;

const SAVED = {
  v: 1 as const,
  snapshot: snapshotOf({ clusters: { a: { pods: times(2, ready(60)) } } }),
  history: remembered([2, 30]),
  policy: DEFAULT_POLICY,
};

function text(change: (saved: Json) => unknown = (saved) => saved): string {
  return JSON.stringify(change(structuredClone(SAVED) as unknown as Json));
}

/** The saved decision with one member, named by its path, replaced. */
function withMember(path: string, value: unknown): string {
  return text((saved) => {
    const names = path.split(".");
    const last = names.pop() as string;
    const owner = names.reduce<Json>((object, name) => object[name] as Json, saved);
    owner[last] = value;
    return saved;
  });
}

describe("a saved decision (docs/snapshot.md)", () => {
  it("comes back as it was and decides to the same bytes, whatever the world", () => {
    fc.assert(
      fc.property(
        snapshot,
        history,
        policy.map((part) => ({ ...DEFAULT_POLICY, ...part })),
        (its, former, rules) => {
          const encoded = encodeSavedDecision({ v: 1, snapshot: its, history: former, policy: rules });
          if (!encoded.ok) {
            expect(encoded.fault).toMatch(/ is (NaN|Infinity); store a number/);
            return;
          }
          const decoded = decodeSavedDecision(encoded.value);
          if (!decoded.ok) throw new Error(decoded.fault);
          const again = decideScale(decoded.value.snapshot, decoded.value.history, decoded.value.policy);
          expect(encodeJson(again)).toEqual(encodeJson(decideScale(its, former, rules)));
          expect(encodeSavedDecision(decoded.value)).toEqual(encoded);
        },
      ),
    );
  });

  it.each<[string, string, unknown]>([
    ["a member that this version does not know", "snapshot.object.weather", "fair"],
    [
      "a metric of a type that nobody knows",
      "snapshot.object.spec.metrics",
      [{ type: "Moon", name: "", target: { type: "" } }],
    ],
    [
      "an amount beyond 2^53",
      "snapshot.metrics",
      [{ kind: "value", milliValue: { $milli: "9007199254740993" }, timestampMs: 1 }],
    ],
    [
      "a fault of a code that this version does not know",
      "snapshot.binding",
      { ok: false, fault: { code: "binding-shy", message: "no" } },
    ],
  ])("keeps %s", (_, path, value) => {
    const decoded = decodeSavedDecision(withMember(path, value));
    if (!decoded.ok) throw new Error(decoded.fault);
    const encoded = encodeSavedDecision(decoded.value);
    if (!encoded.ok) throw new Error(encoded.fault);
    expect(JSON.parse(encoded.value)).toEqual(JSON.parse(withMember(path, value)));
  });

  it.each<[string, string, RegExp]>([
    ["no JSON", "{", /^"\{" is not JSON: /],
    ["a list", "[]", /^it holds no JSON object; see docs\/snapshot\.md$/],
    ["no version", "{}", /^it has no version v; see docs\/snapshot\.md$/],
    ["another version", '{"v":2}', /^its version v is 2, this version of Mainsheet reads 1$/],
    ["no snapshot", '{"v":1}', /^snapshot: Invalid input: expected object/],
    [
      "a count that is text",
      withMember("snapshot.target.value.replicas", "3"),
      /^snapshot\.target\.value\.replicas: .*expected number/,
    ],
    ["a read that is neither", withMember("snapshot.target", {}), /^snapshot\.target\.ok: /],
    [
      "a pod without labels",
      withMember("snapshot.members.0.pods.value.0.labels", undefined),
      /^snapshot\.members\.0\.pods\.value\.0\.labels: .*expected record/,
    ],
    [
      "a metric of a known type without its target",
      withMember("snapshot.object.spec.metrics.0", { type: "Resource", name: "cpu" }),
      /^snapshot\.object\.spec\.metrics\.0\.target: .*expected object/,
    ],
    ["a policy of neither kind", withMember("policy.lostCluster", "shrug"), /^policy\.lostCluster: .*"hold"/],
  ])("refuses %s with its place", (_, content, sentence) => {
    const decoded = decodeSavedDecision(content);
    expect(decoded.ok ? "read" : decoded.fault).toMatch(sentence);
  });
});

describe("a saved history", () => {
  it("is that of a saved decision, or a file with nothing else", () => {
    expect(decodeSavedHistory(text())).toEqual({ ok: true, value: SAVED.history });
    expect(decodeSavedHistory(JSON.stringify({ v: 1, history: SAVED.history }))).toEqual({
      ok: true,
      value: SAVED.history,
    });
  });

  it("says what is wrong with it", () => {
    const read = decodeSavedHistory('{"v":1,"history":{"recommendations":[{"replicas":"2"}]}}');
    expect(read.ok ? "read" : read.fault).toMatch(/^history\.recommendations\.0\.replicas: /);
  });
});
