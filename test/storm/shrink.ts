import type { Fault } from "./fault.ts";
import type { Plan } from "./plan.ts";

/** Whether a plan still fails as the one it came from. */
export type StillFails = (plan: Plan) => Promise<boolean>;

/**
 * The plan made small: fewer minutes, fewer objects, then as few faults as still make it fail. Faults are dropped in
 * ever smaller bundles, greedily; what is left fails, and does not fail with any one fault fewer, unless `tries` ran out.
 */
export async function shrink(plan: Plan, stillFails: StillFails, tries: number): Promise<Plan> {
  let left = tries;
  const fails = async (smaller: Plan) => {
    if (left <= 0) return false;
    left -= 1;
    return stillFails(smaller);
  };
  let small = plan;
  for (const smaller of [...shorter(plan), ...fewer(plan)]) {
    const candidate = { ...small, ...smaller };
    if (candidate.minutes < small.minutes || candidate.objects < small.objects)
      if (await fails(candidate)) small = candidate;
  }
  for (
    let size = Math.ceil(small.faults.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < small.faults.length; ) {
      const faults = without(small.faults, at, size);
      if (await fails({ ...small, faults })) small = { ...small, faults };
      else at += size;
    }
  }
  return small;
}

/** Halves and quarters of the time; its faults after that fall away by themselves. */
function shorter({ minutes }: Plan): readonly Partial<Plan>[] {
  return [1, 2, Math.ceil(minutes / 4), Math.ceil(minutes / 2)]
    .filter((less) => less < minutes)
    .map((less) => ({ minutes: less }));
}

function fewer({ objects }: Plan): readonly Partial<Plan>[] {
  return [1, 2, Math.ceil(objects / 2)].filter((less) => less < objects).map((less) => ({ objects: less }));
}

function without(faults: readonly Fault[], at: number, count: number): readonly Fault[] {
  return [...faults.slice(0, at), ...faults.slice(at + count)];
}
