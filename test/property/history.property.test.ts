import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordScale } from "#domain/scale/conclude";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { normalize, withLongestPeriods } from "#domain/scale/normalize";
import type { Behavior, ScalingPolicy } from "#domain/spec/federated-hpa";
import { behavior } from "#test/property/arbitrary-fleet";

interface Sample {
  readonly replicas: number;
  readonly atMs: number;
}

/** The rules once more, over the full list of every sample ever seen, none merged and none dropped. */
class FullList {
  readonly samples: Sample[] = [];
  readonly behavior: Behavior | undefined;
  constructor(rules: Behavior | undefined) {
    this.behavior = rules;
  }

  stabilized(current: number, proposed: number, nowMs: number): number {
    if (this.samples.length === 0) this.samples.push({ replicas: current, atMs: nowMs });
    const seen = [...this.samples];
    this.samples.push({ replicas: proposed, atMs: nowMs });
    const age = ({ atMs }: Sample) => nowMs - atMs;
    if (this.behavior === undefined) {
      const recent = seen.filter((sample) => age(sample) <= 300_000);
      return Math.max(proposed, ...recent.map(({ replicas }) => replicas));
    }
    const { scaleUp, scaleDown } = this.behavior;
    const within = (seconds: number) => seen.filter((sample) => age(sample) < seconds * 1000);
    const up = within(scaleUp.stabilizationWindowSeconds ?? 0).map(({ replicas }) => replicas);
    const down = within(scaleDown.stabilizationWindowSeconds ?? 300).map(({ replicas }) => replicas);
    return Math.min(Math.max(current, Math.min(proposed, ...up)), Math.max(proposed, ...down));
  }
}

const steps = fc.array(
  fc.record({
    afterMs: fc.oneof(
      fc.constantFrom(15_000, 0, 60_001, 299_999, 300_000),
      fc.integer({ min: 0, max: 2_000_000 }),
    ),
    wish: fc.integer({ min: 0, max: 12 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe("history", () => {
  it("pruned runs decide as the full list of samples, and stay few", () => {
    fc.assert(
      fc.property(steps, fc.option(behavior, { nil: undefined }), (walk, rules) => {
        const full = new FullList(rules);
        let history = withLongestPeriods(EMPTY_HISTORY, rules);
        let nowMs = 0;
        let current = 5;
        for (const { afterMs, wish } of walk) {
          nowMs += afterMs;
          const bounds = { minReplicas: 1, maxReplicas: 10, downscaleStabilizationSeconds: 300 };
          const result = normalize(
            current,
            wish,
            { ...bounds, ...(rules && { behavior: rules }) },
            history,
            nowMs,
          );
          expect(result.stabilized).toBe(full.stabilized(current, wish, nowMs));
          history = recordScale(result.history, current, result.replicas, nowMs);
          current = result.replicas;
          // A run is kept only as a new high or a new low, seen from the end: at most one per value, and one.
          expect(history.recommendations.length).toBeLessThanOrEqual(14);
        }
      }),
    );
  });

  it("a run stands for any number of the same samples", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 9 }), (repeats, wish) => {
        const rules = { minReplicas: 1, maxReplicas: 10, downscaleStabilizationSeconds: 300 };
        let history = EMPTY_HISTORY;
        for (let i = 0; i < repeats; i++) history = normalize(wish, wish, rules, history, i * 15_000).history;
        expect(history.recommendations).toEqual([
          { replicas: wish, firstMs: 0, lastMs: (repeats - 1) * 15_000 },
        ]);
      }),
    );
  });

  it("slots: what a policy can ask for is never lost while its direction's periods run", () => {
    const policies = (periodSeconds: number): ScalingPolicy[] => [{ type: "Pods", value: 1, periodSeconds }];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 40 }),
        (periodSeconds, gaps) => {
          const rules = { selectPolicy: "Max", policies: policies(periodSeconds) } as const;
          let history = withLongestPeriods(EMPTY_HISTORY, { scaleUp: rules, scaleDown: rules });
          const all: number[] = [];
          let nowMs = 0;
          for (const gap of gaps) {
            nowMs += gap;
            history = recordScale(history, 1, 2, nowMs);
            all.push(nowMs);
            const recent = (times: readonly number[]) =>
              times.filter((at) => at > nowMs - periodSeconds * 1000).sort();
            expect(recent(history.scaleUpEvents.map(({ atMs }) => atMs))).toEqual(recent(all));
          }
        },
      ),
    );
  });
});
