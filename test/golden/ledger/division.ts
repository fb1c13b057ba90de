import type { LedgerEntry } from "#test/golden/ledger";

export interface DivisionInput {
  readonly strategy: "Duplicated" | "StaticWeight" | "DynamicWeight" | "Aggregated";
  readonly replicas: number;
  readonly clusters: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly availableReplicas?: number;
  }[];
  readonly staticWeightList?: readonly {
    readonly weight: number;
    readonly targetCluster: {
      readonly clusterNames?: readonly string[];
      readonly exclude?: readonly string[];
      readonly labelSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    };
  }[];
  readonly previous: readonly { readonly name: string; readonly replicas: number }[];
  readonly uid: string;
  readonly mode: "Steady" | "Fresh";
  readonly hasReplicaRequirements: boolean;
}

export interface DivisionAnswer {
  readonly assignments?: readonly { readonly name: string; readonly replicas: number }[];
  readonly error?: string;
}

const INT32_MAX = 2 ** 31 - 1;

export const DIVISION_LEDGER: readonly LedgerEntry<DivisionInput, DivisionAnswer>[] = [
  {
    // Karmada's sum of what is available is an int32: more than 2^31 − 1 in total can read as less than nothing.
    id: "D-11",
    holds: (input) => {
      const dynamic = input.strategy === "DynamicWeight" || input.strategy === "Aggregated";
      return dynamic && replicasToDivide(input) > 0 && sum(Object.values(roomOf(input))) > INT32_MAX;
    },
    instead: (input, out) => (out.error === undefined ? out : { assignments: seatBySeat(input) }),
  },
];

/** Replicas that stand on clusters which still are candidates, by cluster. */
function standingOf({ clusters, previous }: DivisionInput): Record<string, number> {
  const kept = previous.filter(({ name }) => clusters.some((cluster) => cluster.name === name));
  return Object.fromEntries(kept.map(({ name, replicas }) => [name, replicas]));
}

/** What a growing or fresh workload divides; below 1 for one that shrinks or stays, which asks for no room. */
function replicasToDivide(input: DivisionInput): number {
  return input.mode === "Fresh" ? input.replicas : input.replicas - sum(Object.values(standingOf(input)));
}

function roomOf(input: DivisionInput): Record<string, number> {
  const standing = input.mode === "Fresh" ? standingOf(input) : {};
  return Object.fromEntries(
    input.clusters.map(({ name, availableReplicas = 0 }) => [
      name,
      availableReplicas + (standing[name] ?? 0),
    ]),
  );
}

/** One replica at a time to the greatest quotient, over the clusters that the strategy takes. */
function seatBySeat(input: DivisionInput): { readonly name: string; readonly replicas: number }[] {
  const count = replicasToDivide(input);
  const standing = input.mode === "Fresh" ? {} : standingOf(input);
  const byRoom = Object.entries(roomOf(input))
    .map(([name, votes]) => ({ name, votes, seats: 0 }))
    .sort((left, right) => right.votes - left.votes);
  const usedFirst = [...byRoom].sort(
    (left, right) => Number((standing[right.name] ?? 0) > 0) - Number((standing[left.name] ?? 0) > 0),
  );
  const taken = usedFirst.filter((_, index) => {
    const before = sum(usedFirst.slice(0, index).map(({ votes }) => votes));
    return input.strategy === "DynamicWeight" || before < count;
  });
  const direction = oddHash(input.uid) ? -1 : 1;
  for (let given = 0; given < count; given++) {
    const [next] = [...taken].sort(
      (left, right) =>
        right.votes / (2 * right.seats + 1) - left.votes / (2 * left.seats + 1) ||
        left.seats - right.seats ||
        (left.name < right.name ? -direction : direction),
    );
    if (next !== undefined) next.seats++;
  }
  const given = Object.fromEntries(taken.map(({ name, seats }) => [name, seats]));
  return Object.keys({ ...standing, ...given })
    .map((name) => ({ name, replicas: (standing[name] ?? 0) + (given[name] ?? 0) }))
    .filter(({ replicas }) => replicas > 0)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** 32-bit FNV-1a in plain integer arithmetic; the lowest bit says whether names descend. */
function oddHash(uid: string): boolean {
  let hash = 2_166_136_261n;
  for (const byte of new TextEncoder().encode(uid)) hash = ((hash ^ BigInt(byte)) * 16_777_619n) % 2n ** 32n;
  return uid !== "" && hash % 2n === 1n;
}
