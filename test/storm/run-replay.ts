import type { StormArguments } from "./arguments.ts";
import { judge } from "./judge.ts";
import type { Plan } from "./plan.ts";
import { printViolations } from "./print-violations.ts";
import { readReplay } from "./replay-file.ts";
import { runStorm } from "./storm.ts";
import { tellStory } from "./tell-story.ts";

/** Runs a kept plan again: 0 when nothing is violated, 1 when something is, 2 for a file that is no replay. */
export async function runReplay(path: string, { json, tell }: StormArguments): Promise<number> {
  let plan: Plan;
  try {
    ({ plan } = readReplay(path));
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  const story = await runStorm(plan);
  if (tell !== undefined)
    for (const line of tellStory(story, tell === "all" ? undefined : tell)) console.log(line);
  const violations = judge(story);
  if (json) console.log(JSON.stringify({ seed: plan.seed, violations }));
  else if (violations.length === 0) console.log("no invariant broken");
  else printViolations(violations);
  return violations.length === 0 ? 0 : 1;
}
