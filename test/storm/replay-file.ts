import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plan } from "./plan.ts";

/** A plan that failed, as it is kept: it runs the same again anywhere. */
export interface Replay {
  /** What it showed, for people. */
  readonly found: string;
  readonly plan: Plan;
}

export function writeReplay(path: string, replay: Replay): void {
  mkdirSync(dirname(path), { recursive: true });
  const faults = replay.plan.faults.map((fault) => `      ${JSON.stringify(fault)}`).join(",\n");
  const { seed, minutes, objects } = replay.plan;
  const head = JSON.stringify({ seed, minutes, objects }).slice(1, -1);
  const list = replay.plan.faults.length === 0 ? "[]" : `[\n${faults}\n    ]`;
  writeFileSync(
    path,
    `{\n  "found": ${JSON.stringify(replay.found)},\n  "plan": {\n    ${head},\n    "faults": ${list}\n  }\n}\n`,
  );
}

/** Throws with one sentence for a file that is no replay. */
export function readReplay(path: string): Replay {
  let replay: Partial<Replay>;
  try {
    replay = JSON.parse(readFileSync(path, "utf8")) as Partial<Replay>;
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON (${(error as Error).message})`);
  }
  const { seed, minutes, objects, faults } = replay.plan ?? ({} as Partial<Plan>);
  const isPlan =
    typeof seed === "string" && Number(minutes) > 0 && Number(objects) > 0 && Array.isArray(faults);
  if (!isPlan)
    throw new Error(`${path} has no plan with seed, minutes, objects and faults; storm writes such files`);
  return { found: replay.found ?? "", plan: replay.plan as Plan };
}
