import type { LedgerEntry } from "#test/golden/ledger";
import { type Reference, replicasOf } from "#test/golden/ledger/calculator-reference";
import type { LedgerId } from "#test/golden/ledger-id";

export interface CalculatorInput {
  readonly method:
    | "GetResourceReplicas"
    | "GetRawResourceReplicas"
    | "GetMetricReplicas"
    | "GetObjectMetricReplicas"
    | "GetObjectPerPodMetricReplicas";
  readonly now: string;
  readonly currentReplicas?: number;
  readonly statusReplicas?: number;
  /** Where a template is known; the vectors of the calculator have none. */
  readonly templateReplicas?: number;
  readonly targetUtilization?: number;
  readonly targetMilliValue?: number | string;
  readonly resource?: string;
  readonly container?: string;
  readonly calibration: number;
  readonly tolerance: number;
  readonly cpuInitializationPeriodSeconds: number;
  readonly initialReadinessDelaySeconds: number;
  readonly pods?: readonly VectorPod[];
  readonly metrics?: Readonly<Record<string, VectorSample>>;
  readonly metricsByCluster?: Readonly<Record<string, VectorSample>>;
  readonly objectUsageMilliValue?: number | string;
  readonly metricsError?: string;
}

export interface VectorPod {
  readonly cluster?: string;
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec?: {
    readonly containers: readonly {
      readonly name: string;
      readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
    }[];
  };
  readonly status: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

export interface VectorSample {
  readonly milliValue: number | string;
  readonly timestamp: string;
  readonly windowSeconds: number;
}

/** Amounts as decimal texts, so that one form serves any size; `error` only its kind and, if named, the pod. */
export interface CalculatorAnswer {
  readonly replicas?: number;
  readonly usage?: string;
  readonly utilization?: number;
  readonly rawUtilization?: string;
  readonly error?: string;
}

/**
 * Each entry is a switch of the reference calculation in `calculator-reference.ts`, which without any is Karmada's
 * arithmetic. An entry's answer is the reference's with that switch and those before it, so entries that meet in one
 * case add up.
 */
const SWITCHES: readonly { readonly id: LedgerId; readonly holds: (input: CalculatorInput) => boolean }[] = [
  { id: "D-12", holds: ({ pods = [] }) => pods.some(isTerminal) },
  { id: "D-03", holds: (input) => sharesNames(input) || hasStrays(input) },
  { id: "D-11", holds: (input) => replicasOf(input, ours(input, "D-11")).met.has("overflow") },
  {
    id: "D-04",
    holds: ({ method, calibration, statusReplicas }) =>
      method === "GetObjectPerPodMetricReplicas" && (calibration !== 1 || statusReplicas === 0),
  },
  { id: "D-01", holds: (input) => replicasOf(input, ours(input, "D-01")).met.has("edge") },
  { id: "D-02", holds: (input) => replicasOf(input, ours(input, "D-02")).met.has("wrong-direction") },
];

export const CALCULATOR_LEDGER: readonly LedgerEntry<CalculatorInput, CalculatorAnswer>[] = SWITCHES.map(
  ({ id, holds }) => ({
    id,
    holds,
    instead: (input) => replicasOf(input, new Set([...ours(input, id), id])).answer,
  }),
);

/** The switches before `id` that `input` turns on. */
function ours(input: CalculatorInput, id: LedgerId): Reference {
  const before = SWITCHES.slice(
    0,
    SWITCHES.findIndex((entry) => entry.id === id),
  );
  return new Set(before.filter(({ holds }) => holds(input)).map((entry) => entry.id));
}

export function isTerminal({ status }: VectorPod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}

function sharesNames({ pods = [] }: CalculatorInput): boolean {
  return new Set(pods.map(({ metadata }) => metadata.name)).size < pods.length;
}

function hasStrays({ pods = [], metrics = {} }: CalculatorInput): boolean {
  const names = new Set(pods.map(({ metadata }) => metadata.name));
  return Object.keys(metrics).some((name) => !names.has(name));
}
