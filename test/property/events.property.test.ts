import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concludeScale } from "#domain/scale/conclude";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { eventWorld, requested } from "#test/unit/app/event-world";
import { SLOT_MS, tutorialWorld, type World } from "#test/unit/app/world";

const NGINX = { namespace: "default", name: "nginx" };

/** Up by one in ten seconds, down by half in twenty, each after a window that no slot divides. */
const RULES = {
  scaleUp: {
    stabilizationWindowSeconds: 7,
    policies: [{ type: "Pods", value: 1, periodSeconds: 10 }],
  },
  scaleDown: {
    stabilizationWindowSeconds: 26,
    policies: [{ type: "Percent", value: 50, periodSeconds: 20 }],
  },
};
const BEHAVIORS = [
  undefined,
  RULES,
  { ...RULES, scaleUp: { ...RULES.scaleUp, stabilizationWindowSeconds: 0 } },
];

interface Change {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

/** Where events fall between slots, in milliseconds after one; a slot is missed now and then. */
const minutes = fc.array(
  fc.record({
    isMissed: fc.integer({ min: 0, max: 4 }).map((die) => die === 0),
    offsetsMs: fc.uniqueArray(fc.integer({ min: 0, max: SLOT_MS - 1 }), { maxLength: 4 }),
  }),
  { minLength: 4, maxLength: 20 },
);

/**
 * Beside the world's evaluations, one that keeps its history in memory and is told every recommendation and scale at its
 * own instant: each decision must be the same.
 */
function withReference(world: World) {
  const seen = { changes: [] as Change[], differences: [] as string[], evaluations: 0 };
  let history: History = EMPTY_HISTORY;
  Object.assign(world.deps, {
    decide(...[snapshot, stored, policy]: Parameters<typeof decideScale>) {
      const decision = decideScale(snapshot, stored, policy);
      const reference = decideScale(snapshot, history, policy);
      // Thrown here, it would count as a crash of the invocation.
      const [ours, its] = [decision, reference].map(({ trace, scale }) =>
        JSON.stringify([trace.limits, scale]),
      );
      if (ours !== its) seen.differences.push(`${snapshot.instantMs}: ${ours}, by the reference ${its}`);
      history = concludeScale(reference, { ok: true }).history;
      seen.evaluations += 1;
      const { scale, instantMs: atMs } = decision;
      if (scale !== undefined) seen.changes.push({ atMs, from: scale.from, to: scale.to });
      return decision;
    },
  });
  return seen;
}

function setBehavior({ fleet, clock }: World, behavior: object | undefined): void {
  const type = fleet.hub.catalogue.findKind("autoscaling.karmada.io/v1alpha1", "FederatedHPA");
  if (type === undefined || behavior === undefined) return;
  fleet.hub.patch(type, NGINX, { type: "merge", body: { spec: { behavior } } }, { nowMs: clock.nowMs() });
}

describe("evaluations between slots (semantics 4.12)", () => {
  it("decide as one evaluator who is told each at its own instant: no window and no budget is another", async () => {
    let evaluations = 0;
    let scales = 0;
    await fc.assert(
      fc.asyncProperty(
        minutes,
        fc.constantFrom(...BEHAVIORS),
        fc.integer({ min: 20, max: 200 }),
        async (slots, behavior, loadSeconds) => {
          const world = tutorialWorld({ loadSeconds });
          const bus = eventWorld(world);
          world.annotate({ "mainsheet.io/min-interval": "1s" });
          setBehavior(world, behavior);
          const seen = withReference(world);
          let slotMs = world.clock.nowMs();
          for (const { isMissed, offsetsMs } of slots) {
            slotMs += SLOT_MS;
            if (isMissed) await bus.pass(slotMs - world.clock.nowMs());
            else {
              world.clock.set(slotMs - SLOT_MS);
              await world.slot();
            }
            for (const offsetMs of offsetsMs.toSorted((a, b) => a - b)) {
              await bus.pass(slotMs + offsetMs - world.clock.nowMs());
              await bus.put(requested({ ...NGINX }));
            }
            await bus.pass(Math.max(0, slotMs + SLOT_MS - 1 - world.clock.nowMs()));
          }
          expect(seen.differences).toEqual([]);
          evaluations += seen.evaluations;
          scales += seen.changes.length;
          if (behavior !== undefined) expect(overBudget(seen.changes)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
    expect(evaluations).toBeGreaterThan(25 * 6);
    expect(scales).toBeGreaterThan(25);
  }, 120_000);
});

/** Scale-ups that, with those of the ten seconds before, add more than the one pod that the policy allows. */
function overBudget(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ atMs, from, to }) => {
    if (to <= from) return false;
    const recent = changes.filter((other) => other.atMs > atMs - 10_000 && other.atMs <= atMs);
    return recent.reduce((sum, other) => sum + other.to - other.from, 0) > 1;
  });
}
