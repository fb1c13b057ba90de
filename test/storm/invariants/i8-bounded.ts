import type { Item } from "#ports/table";
import type { Story, Violation } from "#test/storm/facts";
import { checkItem } from "#wire/item";
import type { State } from "#wire/state";

/** A state that is read in every slot; DynamoDB counts by 4 KB. */
const MOST_STATE_BYTES = 16 * 1024;
/** One scale per slot over the longest policy period of a spec, and one that is on its way out. */
const MOST_SCALE_EVENTS = 1_800 / 15 + 1;
/** One seen per slot over ten minutes. */
const MOST_FOREIGN_WRITES = 41;
/** Reasons that can be counted at once. */
const MOST_EMITTED = 16;

/**
 * I8: what is kept stays small. Recommendations are at most two runs for each count that was ever recommended (one
 * while it is the highest, one while it is the lowest); scale events, foreign writes and counted events are bounded by
 * their windows; the table holds nothing that grows but records, and everything that is for a while has a TTL.
 */
export function bounded({ facts, items, endMs }: Story): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I8", clause, atMs, text });
  for (const fact of facts) {
    if (fact.what !== "state") continue;
    for (const text of excesses(fact.state)) say("state", fact.atMs, `the state of ${fact.object} ${text}`);
  }
  for (const item of items) {
    const bytes = JSON.stringify(item).length;
    if (item.sk === "state" && bytes > MOST_STATE_BYTES)
      say("bytes", endMs, `${item.pk} ${item.sk} has ${bytes} bytes`);
    if (isForAWhile(item) && item.ttl === undefined)
      say("for-ever", endMs, `${item.pk} ${item.sk} stays for ever`);
    const checked = checkItem(item);
    if (!checked.ok) say("item", endMs, `${item.pk} ${item.sk}: ${checked.fault}`);
  }
  return violations;
}

function excesses({ history, emitted }: State): string[] {
  const { recommendations, scaleUpEvents, scaleDownEvents, foreignWrites = [] } = history;
  const values = new Set(recommendations.map(({ replicas }) => replicas)).size;
  const found: string[] = [];
  if (recommendations.length > 2 * values)
    found.push(`has ${recommendations.length} runs of ${values} counts`);
  for (const events of [scaleUpEvents, scaleDownEvents])
    if (events.length > MOST_SCALE_EVENTS) found.push(`has ${events.length} scale events of one direction`);
  if (foreignWrites.length > MOST_FOREIGN_WRITES) found.push(`has ${foreignWrites.length} foreign writes`);
  if (Object.keys(emitted).length > MOST_EMITTED) found.push(`counts ${Object.keys(emitted).length} events`);
  return found;
}

function isForAWhile({ pk, sk }: Item): boolean {
  return /^(slot|scale|decision)#/.test(sk) || pk.startsWith("parked#");
}
