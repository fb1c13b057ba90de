import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "#domain/fleet/snapshot";
import { concludeScale } from "#domain/scale/conclude";
import { decideScale } from "#domain/scale/decide";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { fleet, history, policy, snapshot } from "#test/property/arbitrary-fleet";
import { type Fleet, snapshotOf } from "#test/unit/scale/fleet";

const world = [snapshot, history, policy.map((part) => ({ ...DEFAULT_POLICY, ...part }))] as const;

describe("laws of every decision", () => {
  it("what is written lies within [min, max]", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const { scale } = decideScale(its, former, rules);
        const { minReplicas, maxReplicas } = its.object.spec;
        if (scale === undefined) return;
        expect(scale.to).toBeGreaterThanOrEqual(minReplicas);
        expect(scale.to).toBeLessThanOrEqual(maxReplicas);
        expect(scale.to).not.toBe(scale.from);
      }),
    );
  });

  it("the same arguments give the same bytes, and stay as they were (all frozen)", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const frozen = [deepFreeze(its), deepFreeze(former), deepFreeze(rules)] as const;
        const first = decideScale(...frozen);
        expect(bytes(decideScale(...frozen))).toBe(bytes(first));
        expect(bytes(decideScale(structuredClone(its), structuredClone(former), rules))).toBe(bytes(first));
        concludeScale(deepFreeze(first), { ok: true });
      }),
    );
  });

  it("no NaN, no Infinity and no fraction of a replica leaves it", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const decision = decideScale(its, former, rules);
        const { status, events, history: next } = concludeScale(decision, { ok: true });
        for (const part of [decision, status, events, next]) expect(unfitNumbers(part)).toEqual([]);
        for (const count of [decision.desiredReplicas, status.desiredReplicas, status.currentReplicas]) {
          if (count !== undefined) expect(Number.isInteger(count)).toBe(true);
        }
      }),
    );
  });

  it("the order of clusters changes no number", () => {
    fc.assert(
      fc.property(...world, (its, former, rules) => {
        const reversed: Snapshot = {
          ...its,
          members: its.members.toReversed(),
          ...(its.binding?.ok
            ? {
                binding: {
                  ok: true,
                  value: { ...its.binding.value, clusters: its.binding.value.clusters.toReversed() },
                },
              }
            : {}),
        };
        const [one, other] = [its, reversed].map((each) => decideScale(each, former, rules));
        expect(other?.desiredReplicas).toBe(one?.desiredReplicas);
        expect(other?.trace.metrics.map(numbersOf)).toEqual(one?.trace.metrics.map(numbersOf));
        expect(other?.history.recommendations).toEqual(one?.history.recommendations);
      }),
    );
  });

  it("more load never lowers the count", () => {
    fc.assert(
      fc.property(
        fleet,
        history,
        policy,
        fc.double({ min: 1, max: 5, noNaN: true }),
        (shape, former, part, factor) => {
          const rules = { ...DEFAULT_POLICY, ...part };
          const before = decideScale(snapshotOf(shape), former, rules);
          const after = decideScale(snapshotOf(withMoreLoad(shape, factor)), former, rules);
          if (before.desiredReplicas === undefined || after.desiredReplicas === undefined) return;
          expect(after.desiredReplicas).toBeGreaterThanOrEqual(before.desiredReplicas);
        },
      ),
    );
  });

  it("a wider down window never scales in sooner", () => {
    fc.assert(
      fc.property(
        snapshot,
        history,
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 600 }),
        (its, former, one, two) => {
          const { behavior: _none, ...spec } = its.object.spec;
          const plain = { ...its, object: { ...its.object, spec } };
          const within = (downscaleStabilizationSeconds: number) =>
            decideScale(plain, former, { ...DEFAULT_POLICY, downscaleStabilizationSeconds }).desiredReplicas;
          const [narrow, wide] = [within(Math.min(one, two)), within(Math.max(one, two))];
          if (narrow !== undefined && wide !== undefined) expect(wide).toBeGreaterThanOrEqual(narrow);
        },
      ),
    );
  });

  it("while a cluster is lost and held, nothing below the template is written", () => {
    fc.assert(
      fc.property(snapshot, history, (its, former) => {
        const decision = decideScale(its, former, { ...DEFAULT_POLICY, lostCluster: "hold" });
        const { scale, trace } = decision;
        if (scale === undefined || trace.gate !== undefined) return;
        const someLost = trace.clusters.some(({ gap }) => gap !== undefined);
        if (someLost) expect(scale.to).toBeGreaterThan(scale.from);
      }),
    );
  });
});

/** Every sample and value up by `factor`; what is missing stays missing. */
function withMoreLoad(shape: Fleet, factor: number): Fleet {
  const more = (milli: number | bigint | undefined) =>
    typeof milli === "number" && milli >= 0 ? Math.round(milli * factor) : milli;
  const clusters = Object.entries(shape.clusters).map(([name, cluster]) => [
    name,
    { ...cluster, pods: cluster.pods?.map((each) => ({ ...each, usage: each.usage.map(more) })) ?? [] },
  ]);
  const values = Object.entries(shape.values ?? {}).map(([index, reading]) => [
    index,
    reading.kind === "value" ? { ...reading, milliValue: more(reading.milliValue) ?? 0 } : reading,
  ]);
  return { ...shape, clusters: Object.fromEntries(clusters), values: Object.fromEntries(values) };
}

function numbersOf({
  proposal,
  usageRatio,
  current,
  pods,
}: {
  proposal?: number;
  usageRatio?: number;
  current?: object;
  pods?: object;
}) {
  return { proposal, usageRatio, current, pods };
}

function bytes(part: unknown): string {
  return JSON.stringify(part, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member));
}

function unfitNumbers(part: unknown): unknown[] {
  if (typeof part === "number") return Number.isFinite(part) ? [] : [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(unfitNumbers) : [];
}

function deepFreeze<T>(part: T): T {
  if (typeof part !== "object" || part === null) return part;
  Object.values(part).forEach(deepFreeze);
  return Object.freeze(part);
}
