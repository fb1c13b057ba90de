import { formatInstant } from "#domain/units/instant";
import type { Log } from "#ports/log";
import type { SimulatedCronRun } from "./result.ts";

/** What the use cases log, as far as a result tells it. */
export interface RunLog {
  readonly log: Log;
  readonly cronRuns: readonly SimulatedCronRun[];
  /** Each kind of trouble once, with its first instant. */
  readonly troubles: readonly string[];
}

/** Beyond so many kinds the first ones have told what is wrong. */
const MOST_TROUBLES = 10;

export function openRunLog(): RunLog {
  const cronRuns: SimulatedCronRun[] = [];
  const known = new Set<string>();
  const troubles: string[] = [];

  function note(message: string, fields: Record<string, unknown>): void {
    if (message === "cron run") cronRuns.push(cronRunOf(fields));
  }

  function warn(message: string, fields: Record<string, unknown>): void {
    note(message, fields);
    const { object, atMs, why, fault, result } = fields;
    const what = [object, message === "decision" ? result : message].filter(isText).join(": ");
    const kind = `${what}: ${[why, fault].find(isText) ?? ""}`;
    if (known.has(what) || troubles.length === MOST_TROUBLES) return;
    known.add(what);
    troubles.push(typeof atMs === "number" ? `${formatInstant(atMs)} ${kind}` : kind);
  }

  return { log: { info: note, warn, error: warn }, cronRuns, troubles };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function cronRunOf(fields: Record<string, unknown>): SimulatedCronRun {
  const { atMs, executionMs, object, rule, result, target, why } = fields;
  const [namespace = "", name = ""] = String(object).split("/");
  return {
    atMs: Number(atMs),
    executionMs: Number(executionMs),
    namespace,
    name,
    rule: String(rule),
    outcome: String(result),
    target: String(target),
    effect: String(why),
  };
}
