import { groupBy } from "#domain/units/group";
import type { CronEvaluated, CronSpecified, Fact, Story, Violation } from "#test/storm/facts";
import { START_MS } from "#test/storm/plan";
import { type RuleDocument, SCHEDULES } from "#test/storm/world/cron-documents";
import type { RunRecord } from "#wire/cron-state";
import { isOfCron } from "./by-cron.ts";

type Run = Fact & { readonly what: "run"; readonly run: RunRecord };

/**
 * I4: an instant of a cron rule changes its target at most once and has one outcome; and it is done, within its deadline,
 * when the system was up: when an evaluation that nothing was done to began after it, before the rule was touched again.
 * Nothing but a claimed run makes cron write, and it writes what the run's rule says.
 */
export function cronOnce(story: Story): readonly Violation[] {
  return [...doneTwice(story), ...notDone(story)];
}

function doneTwice({ facts }: Story): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I4", clause, atMs, text });
  /** The runs that an invocation has claimed and not yet told the outcome of. */
  const claimed = new Map<string, Map<string, Run>>();
  const targets = new Map<string, string>();
  const effects = new Map<string, number>();
  const outcomes = new Map<string, string>();

  for (const fact of facts) {
    if (fact.what === "cron-specified") targets.set(fact.object, fact.target);
    if (fact.what === "run") {
      const { by, atMs, run } = fact;
      const key = keyOf(fact);
      const own = claimed.get(by) ?? new Map<string, Run>();
      claimed.set(by, own);
      if (run.outcome === undefined) {
        if (run.claim === undefined) own.delete(key);
        else own.set(key, fact);
        continue;
      }
      own.delete(key);
      const outcome = `${run.outcome} at ${run.executionMs}`;
      const former = outcomes.get(key);
      if (former !== undefined && former !== outcome)
        say("two-outcomes", atMs, `${key} was ${former} and is ${outcome}, by ${by}`);
      outcomes.set(key, outcome);
    }
    if (fact.what !== "rescaled" && fact.what !== "rebounded") continue;
    if (fact.call === undefined || !isOfCron(fact.call)) continue;
    const by = fact.call.split("/")[0] ?? "";
    const all = [...(claimed.get(by)?.values() ?? [])];
    const runs = all.filter(({ object }) => targets.get(object) === fact.target);
    const what = fact.what === "rescaled" ? `${fact.to} replicas` : JSON.stringify(fact.to);
    if (runs.length === 0)
      say("unclaimed", fact.atMs, `${by} set ${fact.target} to ${what} and has claimed no run`);
    // What is written is of the latest: it overrides the others, whose own write may have landed late (seed 865 of 30 minutes).
    const latestMs = Math.max(...runs.map(({ run }) => run.instantMs));
    for (const run of runs.filter((one) => one.run.instantMs === latestMs)) {
      const key = keyOf(run);
      effects.set(key, (effects.get(key) ?? 0) + 1);
      if (effects.get(key) === 2)
        say("twice", fact.atMs, `${key} changed ${fact.target} a second time, to ${what}, by ${by}`);
    }
  }
  return violations;
}

/** One rule while it stood as it was. */
interface Lifetime {
  readonly object: string;
  readonly uid: string;
  readonly rule: RuleDocument;
  readonly deadlineMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A clock that is ahead may have evaluated an instant before the rule was written that is due then. */
const CLOCKS_DIFFER_MS = 15_000;

/** Each rule from one write of its object's spec to the next. */
function lifetimesIn({ facts, endMs }: Story): readonly Lifetime[] {
  const specified = facts.filter((fact): fact is Fact & CronSpecified => fact.what === "cron-specified");
  return [...groupBy(specified, ({ object }) => object).values()].flatMap((versions) =>
    versions.flatMap(({ object, uid, rules, deadlineMs, atMs }, i) =>
      rules.map((rule) => {
        const toMs = versions[i + 1]?.atMs ?? endMs;
        return { object, uid, rule, deadlineMs, fromMs: atMs, toMs };
      }),
    ),
  );
}

function notDone(story: Story): readonly Violation[] {
  const sound = soundEvaluations(story.facts);
  const runs = story.facts.filter(isRun);
  const claims = groupBy(
    runs.filter(({ run }) => run.claim !== undefined),
    ({ run }) => ruleInstant(run.uid, run.rule, run.instantMs),
  );
  const records = new Map<string, RunRecord[]>();
  for (const [key, facts] of groupBy(runs, keyOf))
    records.set(key, [...(records.get(key) ?? []), (facts.at(-1) as Run).run]);
  const skips = groupBy(
    runs.filter(({ run }) => run.skipped > 0),
    ({ run }) => `${run.uid} ${run.rule}`,
  );
  const ofRule = groupBy([...records.values()].flat(), ({ uid, rule }) => `${uid} ${rule}`);

  return lifetimesIn(story).flatMap(({ object, uid, rule, deadlineMs, fromMs, toMs }): Violation[] => {
    if (rule.suspend) return [];
    return instantsOf(rule, fromMs + CLOCKS_DIFFER_MS, toMs).flatMap((instantMs): Violation[] => {
      // A run that only a later minute may do has until the rule is touched, or the deadline.
      const untilMs = Math.min(toMs, instantMs + deadlineMs);
      const own = ofRule.get(`${uid} ${rule.name}`) ?? [];
      const record = own.find((one) => one.instantMs === instantMs);
      const skipping = record === undefined ? skips.get(`${uid} ${rule.name}`) : undefined;
      const later = skipping?.find(({ run }) => run.instantMs > instantMs);
      // What skipped it was right to, where nothing was up before the later instant, or only beside it (seed 6113).
      const limitMs = later?.run.instantMs ?? Number.POSITIVE_INFINITY;
      const skippedMs = later?.atMs ?? Number.POSITIVE_INFINITY;
      const claimed = claims.get(ruleInstant(uid, rule.name, instantMs)) ?? [];
      const up = sound.find(
        (one) =>
          one.begunMs >= instantMs &&
          Math.max(one.endedMs, one.upToMs) < untilMs &&
          one.upToMs < limitMs &&
          one.endedMs < skippedMs &&
          !claimed.some((claim) => isLeftTo(claim, one)),
      );
      if (up === undefined) return [];
      const what = `${object} rule ${rule.name}, due ${new Date(instantMs).toISOString().slice(11, 19)},`;
      const since = `though ${up.by} evaluated all rules undisturbed`;
      const say = (clause: string, text: string) => [
        { invariant: "I4", clause, atMs: up.endedMs, text: `${what} ${text}, ${since}` },
      ];
      if (record === undefined) return say("never", "was never run");
      if (record.outcome === undefined) return say("never", "has no outcome");
      const isLate = record.outcome === "missed" || record.message?.startsWith("not done until the deadline");
      return isLate ? say("too-late", `was ${record.outcome} (${record.message})`) : [];
    });
  });
}

function ruleInstant(uid: string, rule: string, instantMs: number): string {
  return `${uid} ${rule} ${instantMs}`;
}

/** Another invocation had the run under its lease: whatever hit that one, it was left to it (seed 217 of 30 minutes). */
function isLeftTo({ by, atMs, run: { claim } }: Run, sound: Sound): boolean {
  return by !== sound.by && atMs <= sound.endedMs && (claim?.leaseUntilMs ?? 0) > sound.begunMs;
}

interface Sound {
  readonly by: string;
  readonly begunMs: number;
  readonly endedMs: number;
  /** The latest instant that it may have looked at: a message that is early by a little is taken at its word. */
  readonly upToMs: number;
}

/** Evaluations that no fault hit, by a clock that is right, and that got to the end of every object. */
function soundEvaluations(facts: readonly Fact[]): readonly Sound[] {
  const begun = new Map<string, number>();
  const hit = new Set<string>();
  for (const fact of facts) {
    if (fact.what === "began" && fact.skewMs === 0) begun.set(fact.by, fact.atMs);
    if (fact.what === "fault") hit.add(fact.by);
  }
  const ended = facts.filter((fact): fact is Fact & CronEvaluated => fact.what === "cron-evaluated");
  return ended.flatMap(({ by, atMs, clockMs, dueAtMs, outcome }): Sound[] => {
    const begunMs = begun.get(by);
    if (
      begunMs === undefined ||
      hit.has(by) ||
      outcome.result !== "evaluated" ||
      outcome.busy + outcome.failed + outcome.retried > 0
    )
      return [];
    return [{ by, begunMs, endedMs: atMs, upToMs: Math.max(clockMs, dueAtMs) }];
  });
}

const MINUTE_MS = 60_000;

/** The minutes in (from, to) that match; none of a rule that cannot be started. Nobody asks the code under test. */
function instantsOf({ schedule }: RuleDocument, fromMs: number, toMs: number): readonly number[] {
  const found = SCHEDULES.find(({ text }) => text === schedule);
  if (found === undefined) return [];
  const instants: number[] = [];
  const firstMs = Math.floor(Math.max(fromMs, START_MS) / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  for (let atMs = firstMs; atMs < toMs; atMs += MINUTE_MS)
    if ((atMs / MINUTE_MS) % found.every === found.at) instants.push(atMs);
  return instants;
}

function isRun(fact: Fact): fact is Run {
  return fact.what === "run";
}

function keyOf({ object, run: { uid, rule, instantMs } }: Run): string {
  return `${object} (${uid}) rule ${rule} of ${new Date(instantMs).toISOString().slice(11, 19)}`;
}
