import { drawPlan } from "#test/storm/draw-plan";
import type { Violation } from "#test/storm/facts";
import { judge } from "#test/storm/judge";
import type { Plan } from "#test/storm/plan";
import { shrink } from "#test/storm/shrink";
import { runStorm } from "#test/storm/storm";
import { tallyOf } from "#test/storm/tally";
import type { Job, Result } from "./job.ts";

/** Storms that a shrinking may cost. */
const SHRINK_TRIES = 150;

process.on("message", async (job: Job) => process.send?.(await work(job)));
// Ctrl-C goes to every process of a terminal; the one that started this ends it.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());

async function work({ seed, minutes, objects, shrinks }: Job): Promise<Result> {
  const plan = drawPlan(String(seed), minutes, objects);
  const story = await runStorm(plan);
  const violations = judge(story);
  const result = { seed, tally: tallyOf(plan, story), violations, faults: plan.faults.length };
  const [first] = violations;
  return first === undefined ? result : { ...result, small: shrinks ? await smallest(plan, first) : plan };
}

function smallest(plan: Plan, { invariant, clause }: Violation): Promise<Plan> {
  const isIt = (one: Violation) => one.invariant === invariant && one.clause === clause;
  return shrink(plan, async (smaller) => judge(await runStorm(smaller)).some(isIt), SHRINK_TRIES);
}
