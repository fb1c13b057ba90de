import type { Story } from "./facts.ts";
import type { Plan } from "./plan.ts";

/** What happened in some storms, in numbers: whether they were rough enough to mean anything. */
export interface Tally {
  storms: number;
  evaluations: number;
  scales: number;
  unconfirmed: number;
  crashes: number;
  timeOuts: number;
  redeliveries: number;
  parked: number;
  /** Planned faults by kind. */
  readonly faults: Record<string, number>;
}

export function newTally(): Tally {
  const counts = { storms: 0, evaluations: 0, scales: 0, unconfirmed: 0, crashes: 0, timeOuts: 0 };
  return { ...counts, redeliveries: 0, parked: 0, faults: {} };
}

export function count(tally: Tally, { faults }: Plan, { facts, items }: Story): void {
  tally.storms += 1;
  const handedOut = new Set<string>();
  for (const fact of facts) {
    if (fact.what === "decided") tally.evaluations += 1;
    if (fact.what === "rescaled" && fact.call !== undefined) tally.scales += 1;
    if (fact.what === "ended" && fact.how === "crashed") tally.crashes += 1;
    if (fact.what === "ended" && fact.how === "timed-out") tally.timeOuts += 1;
    if (fact.what !== "handed-out") continue;
    if (handedOut.has(fact.id)) tally.redeliveries += 1;
    handedOut.add(fact.id);
  }
  tally.unconfirmed += items.filter(({ outcome }) => outcome === "unconfirmed").length;
  tally.parked += items.filter(({ pk }) => pk.startsWith("parked#")).length;
  for (const { kind } of faults) tally.faults[kind] = (tally.faults[kind] ?? 0) + 1;
}
