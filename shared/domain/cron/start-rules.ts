import type { CronRule } from "#domain/spec/cron-federated-hpa";
import type { Parsed } from "#domain/units/parsed";
import type { CronState, RuleState } from "./cron-state.ts";
import { ruleHash } from "./rule-hash.ts";
import { parseTimetable, type Timetable } from "./timetable.ts";

/** A rule of the spec, ready to be asked when it is due. */
export interface StartedRule {
  readonly rule: CronRule;
  /** Its name; of rules that share one, all but the first get their number too. */
  readonly key: string;
  readonly state: RuleState;
  /** Seen before as it is now; else it is new, changed, or resumed. */
  readonly isKnown: boolean;
  /** Absent for a suspended rule: that one is not even looked at. */
  readonly timetable?: Parsed<Timetable>;
}

/**
 * Every rule of the spec with what is remembered of it. A rule that cannot be started (its schedule, its zone, a name
 * that an earlier rule has) is a fault of its own and stops no other (D-25).
 */
export function startRules(rules: readonly CronRule[], known: CronState, nowMs: number): StartedRule[] {
  const namesakes = new Map<string, number>();
  return rules.map((rule) => {
    const earlier = namesakes.get(rule.name) ?? 0;
    namesakes.set(rule.name, earlier + 1);
    const key = earlier === 0 ? rule.name : `${rule.name}#${earlier + 1}`;
    const hash = ruleHash(rule);
    const former = known.rules[key];
    const isKnown = former?.hash === hash;
    const state = isKnown ? former : { hash, anchorMs: nowMs };
    const started = { rule, key, state, isKnown };
    if (rule.suspend) return started;
    return {
      ...started,
      timetable: earlier > 0 ? sharedName(rule.name) : parseTimetable(rule, state.anchorMs),
    };
  });
}

function sharedName(name: string): Parsed<never> {
  const detail = `an earlier rule is called ${JSON.stringify(name)} too, and that one runs; rename one of them`;
  return { ok: false, fault: { code: "FieldValueDuplicate", detail } };
}
