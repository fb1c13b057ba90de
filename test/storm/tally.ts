import type { Story } from "./facts.ts";
import type { Plan } from "./plan.ts";

/** What happened in some storms, in numbers: whether they were rough enough to mean anything. */
export interface Tally {
  readonly storms: number;
  readonly evaluations: number;
  readonly scales: number;
  readonly unconfirmed: number;
  readonly crashes: number;
  readonly timeOuts: number;
  readonly redeliveries: number;
  readonly parked: number;
  /** Planned faults by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

export const NO_TALLY: Tally = {
  ...{ storms: 0, evaluations: 0, scales: 0, unconfirmed: 0, crashes: 0 },
  ...{ timeOuts: 0, redeliveries: 0, parked: 0, faults: {} },
};

export function tallyOf({ faults }: Plan, { facts, items }: Story): Tally {
  const tally = { ...NO_TALLY, storms: 1, faults: {} as Record<string, number> };
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
  return tally;
}

export function addTallies(one: Tally, other: Tally): Tally {
  const sum = (left: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>) => {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
  };
  const { faults, ...counts } = one;
  const { faults: otherFaults, ...otherCounts } = other;
  return { ...(sum(counts, otherCounts) as unknown as Tally), faults: sum(faults, otherFaults) };
}
