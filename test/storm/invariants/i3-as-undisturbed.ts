import type { Decided, Fact, Story, Violation } from "#test/storm/facts";
import { essenceOf, undisturbed } from "./undisturbed.ts";

/**
 * I3: every evaluation that counts decides what one undisturbed evaluator decides from the same snapshot: no window and
 * no policy is broken by a crash, a duplicate or a lost answer. Instants only go forward; and what an invocation calls
 * evaluated is stored, unless the table failed it.
 */
export function asUndisturbed(story: Story): readonly Violation[] {
  const { counted, stored } = undisturbed(story);
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I3", clause, atMs, text });
  for (const { object, instantMs, atMs, decided, instead, isBackwards } of counted) {
    const what = `${object} at ${new Date(instantMs).toISOString()} by ${decided.by}`;
    if (isBackwards) say("backwards", atMs, `${what} is evaluated again, or after a later one`);
    if (instead === undefined) continue;
    const [made, wanted] = [decided.decision, instead].map((one) => JSON.stringify(essenceOf(one)));
    say("decides-otherwise", atMs, `${what}: decided ${made}, undisturbed ${wanted}`);
  }
  return [...violations, ...setBack(story.facts), ...unstored(story.facts, stored)];
}

/** Heartbeats that an older one took the place of: what they stood for is forgotten. */
function setBack(facts: readonly Fact[]): readonly Violation[] {
  const latest = new Map<string, number>();
  return facts.flatMap((fact): readonly Violation[] => {
    if (fact.what !== "beat") return [];
    const { shard, beat, by, atMs } = fact;
    const former = latest.get(shard) ?? 0;
    latest.set(shard, beat.lastMs);
    if (beat.lastMs >= former) return [];
    const [from, to] = [former, beat.lastMs].map((ms) => new Date(ms).toISOString());
    const text = `${by} sets the heartbeat of ${shard} back from ${from} to ${to}`;
    return [{ invariant: "I3", clause: "backwards", atMs, text }];
  });
}

const DECIDED = new Set(["scaled", "would-scale", "unchanged", "refused", "unknown", "held", "yielded"]);

const LONGEST_INVOCATION_MS = 10_000;

/**
 * Evaluations that their invocation reported as done and that nothing stored. One that began with an old read of the state
 * and had nothing new to say against that leaves no trace (docs/reliability.md).
 */
function unstored(facts: readonly Fact[], stored: ReadonlySet<Decided>): readonly Violation[] {
  const known = new Set(
    [...stored].map(({ by, object, snapshot }) => `${by} ${object} ${snapshot.instantMs}`),
  );
  const excused = new Set<string>();
  const staleMs = new Map<string, number>();
  const violations: Violation[] = [];
  for (const fact of facts) {
    if (fact.what === "fault" && fact.call.startsWith("table.put")) excused.add(fact.by);
    if (fact.what === "stale-read") staleMs.set(fact.object, fact.atMs);
    if (fact.what === "log" && fact.message.startsWith("heartbeat not written")) excused.add(fact.by);
    if (fact.what !== "log" || fact.message !== "decision" || !DECIDED.has(String(fact.fields.result)))
      continue;
    const { by, fields, atMs } = fact;
    if (known.has(`${by} ${fields.object} ${fields.atMs}`) || excused.has(by)) continue;
    if (atMs - (staleMs.get(String(fields.object)) ?? 0) < LONGEST_INVOCATION_MS) continue;
    const text = `${by} reports ${fields.object} as ${fields.result}, and nothing stored it`;
    violations.push({ invariant: "I3", clause: "unstored", atMs, text });
  }
  return violations;
}
