import {
  type CalculatorAnswer,
  type CalculatorInput,
  isTerminal,
  type VectorPod,
} from "#test/golden/ledger/calculator";
import { ceilMilli } from "#test/golden/ledger/quantity";
import type { LedgerId } from "#test/golden/ledger-id";

/** The entries of `docs/parity.md` that are switched on. */
export type Reference = ReadonlySet<LedgerId>;

/** What the calculation met on its way; entries ask for it. */
export type Met = ReadonlySet<"overflow" | "edge" | "wrong-direction">;

/**
 * Karmada's arithmetic written down plainly, with Go's int64 and int32 as they wrap on amd64, and a switch per entry of
 * the ledger. It shares no code with the domain.
 */
export function replicasOf(
  input: CalculatorInput,
  on: Reference,
): { readonly answer: CalculatorAnswer; readonly met: Met } {
  const met = new Set<"overflow" | "edge" | "wrong-direction">();
  return { answer: calculate(input, on, met), met };
}

type Meeting = Set<"overflow" | "edge" | "wrong-direction">;

function calculate(input: CalculatorInput, on: Reference, met: Meeting): CalculatorAnswer {
  if (input.metricsError !== undefined) return { error: "metrics-unavailable" };
  const go = arithmetic(on.has("D-11"), met);
  const within = (ratio: number): boolean => {
    const karmada = Math.abs(1 - ratio) <= input.tolerance;
    const kubernetes = 1 - input.tolerance <= ratio && ratio <= 1 + input.tolerance;
    if (karmada !== kubernetes) met.add("edge");
    return on.has("D-01") ? kubernetes : karmada;
  };
  const directed = (count: number, ratio: number, current: number): number => {
    const wrong = (ratio > 1 && count < current) || (ratio < 1 && count > current);
    if (wrong) met.add("wrong-direction");
    return wrong && on.has("D-02") ? current : count;
  };
  switch (input.method) {
    case "GetObjectMetricReplicas":
      return byValue(input, on, go, within, directed);
    case "GetObjectPerPodMetricReplicas":
      return byValuePerPod(input, on, go, within, directed);
    default:
      return byPod(input, on, go, within, directed);
  }
}

type Within = (ratio: number) => boolean;
type Directed = (count: number, ratio: number, current: number) => number;

function byPod(
  input: CalculatorInput,
  on: Reference,
  go: Arithmetic,
  within: Within,
  directed: Directed,
): CalculatorAnswer {
  const { method, calibration, currentReplicas = 0, resource, container } = input;
  const byUtilization = method === "GetResourceReplicas";
  const pods = podsOf(input, on);
  const keyOf = ({ cluster, metadata }: VectorPod): string =>
    on.has("D-03") ? `${cluster}/${metadata.name}` : metadata.name;
  const usage = samplesOf(input, pods, on);
  if (pods.length === 0) return { error: "no-pods" };

  const unready = new Set<string>();
  const missing = new Set<string>();
  const ignored = new Set<string>();
  let ready = 0;
  for (const pod of pods) {
    const key = keyOf(pod);
    const sample = usage.get(key);
    if (pod.metadata.deletionTimestamp !== undefined || pod.status.phase === "Failed") ignored.add(key);
    else if (pod.status.phase === "Pending") unready.add(key);
    else if (sample === undefined) missing.add(key);
    else if (resource === "cpu" && method !== "GetMetricReplicas" && isYoung(pod, sample, input))
      unready.add(key);
    else ready += 1;
  }
  for (const key of [...ignored, ...unready]) usage.delete(key);

  const requests = new Map<string, bigint>();
  for (const pod of byUtilization ? pods : []) {
    let sum = 0n;
    for (const { name, resources } of pod.spec?.containers ?? []) {
      if (container !== undefined && container !== name) continue;
      const request = resources?.requests?.[resource ?? ""];
      if (request === undefined) {
        return { error: `missing-request: ${resource} in container ${name} of Pod ${pod.metadata.name}` };
      }
      sum += ceilMilli(request);
    }
    requests.set(keyOf(pod), sum);
  }
  if (usage.size === 0) return { error: "no-ready-metrics" };

  const target = byUtilization ? BigInt(input.targetUtilization ?? 0) : BigInt(input.targetMilliValue ?? 0);
  const measure = () => (byUtilization ? utilizationOf(usage, requests, go) : averageOf(usage, go));
  const first = measure();
  if (first === undefined) return { error: "no-matching-requests" };
  const ratio = Number(first.measured) / Number(target);
  const answer = (replicas: number): CalculatorAnswer =>
    byUtilization
      ? { replicas, utilization: Number(first.measured), rawUtilization: String(first.average) }
      : { replicas, usage: String(first.average) };

  const fillUnready = unready.size > 0 && ratio > 1;
  if (!fillUnready && missing.size === 0) {
    if (within(ratio)) return answer(currentReplicas);
    return answer(directed(go.int32(Math.ceil((ratio * ready) / calibration)), ratio, currentReplicas));
  }
  const full = byUtilization ? (target > 100n ? target : 100n) : target;
  for (const key of missing) {
    if (ratio < 1)
      usage.set(key, { value: byUtilization ? ((requests.get(key) ?? 0n) * full) / 100n : full });
    if (ratio > 1) usage.set(key, { value: 0n });
  }
  for (const key of fillUnready ? unready : []) usage.set(key, { value: 0n });

  const second = measure();
  if (second === undefined) return { error: "no-matching-requests" };
  const again = Number(second.measured) / Number(target);
  if (within(again) || (ratio < 1 && again > 1) || (ratio > 1 && again < 1)) return answer(currentReplicas);
  const count = go.int32(Math.ceil((again * usage.size) / calibration));
  const flipped = (again < 1 && count > currentReplicas) || (again > 1 && count < currentReplicas);
  return answer(flipped ? currentReplicas : count);
}

interface Usage {
  readonly value: bigint;
  readonly timestampMs?: number;
  readonly windowMs?: number;
}

function podsOf({ pods = [] }: CalculatorInput, on: Reference): readonly VectorPod[] {
  return on.has("D-12") ? pods.filter((pod) => !isTerminal(pod)) : pods;
}

/** By name as the controller sees them, or by cluster and name with strays dropped. */
function samplesOf(input: CalculatorInput, pods: readonly VectorPod[], on: Reference): Map<string, Usage> {
  const { metrics = {}, metricsByCluster } = input;
  const dropped = new Set(
    (input.pods ?? []).filter((pod) => !pods.includes(pod)).map(({ metadata }) => metadata.name),
  );
  const usage = new Map<string, Usage>();
  const put = (
    key: string,
    sample: { milliValue: number | string; timestamp: string; windowSeconds: number },
  ) =>
    usage.set(key, {
      value: BigInt(sample.milliValue),
      timestampMs: Date.parse(sample.timestamp),
      windowMs: sample.windowSeconds * 1000,
    });
  if (!on.has("D-03")) {
    for (const [name, sample] of Object.entries(metrics)) if (!dropped.has(name)) put(name, sample);
    return usage;
  }
  for (const { cluster, metadata } of pods) {
    const sample = (metricsByCluster ?? metrics)[
      metricsByCluster ? `${cluster}/${metadata.name}` : metadata.name
    ];
    if (sample !== undefined) put(`${cluster}/${metadata.name}`, sample);
  }
  return usage;
}

function isYoung({ status }: VectorPod, sample: Usage, input: CalculatorInput): boolean {
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  if (ready === undefined || status.startTime === undefined) return true;
  const started = Date.parse(status.startTime);
  const turned = Date.parse(ready.lastTransitionTime);
  if (started + input.cpuInitializationPeriodSeconds * 1000 > Date.parse(input.now)) {
    return ready.status === "False" || (sample.timestampMs ?? 0) < turned + (sample.windowMs ?? 0);
  }
  return ready.status === "False" && started + input.initialReadinessDelaySeconds * 1000 > turned;
}

interface Measured {
  /** Percent of the request, or the average itself. */
  readonly measured: bigint;
  readonly average: bigint;
}

function utilizationOf(
  usage: ReadonlyMap<string, Usage>,
  requests: ReadonlyMap<string, bigint>,
  go: Arithmetic,
): Measured | undefined {
  let total = 0n;
  let asked = 0n;
  let count = 0n;
  for (const [key, { value }] of usage) {
    const request = requests.get(key);
    if (request === undefined) continue;
    total = go.int64(total + value);
    asked = go.int64(asked + request);
    count += 1n;
  }
  if (asked === 0n) return undefined;
  return { measured: BigInt(go.int32(go.int64(total * 100n) / asked)), average: total / count };
}

function averageOf(usage: ReadonlyMap<string, Usage>, go: Arithmetic): Measured {
  let total = 0n;
  for (const { value } of usage.values()) total = go.int64(total + value);
  const average = total / BigInt(usage.size);
  return { measured: average, average };
}

function byValue(
  input: CalculatorInput,
  on: Reference,
  go: Arithmetic,
  within: Within,
  directed: Directed,
): CalculatorAnswer {
  const { calibration, currentReplicas = 0, objectUsageMilliValue = 0, targetMilliValue } = input;
  const usage = String(objectUsageMilliValue);
  const ratio = Number(objectUsageMilliValue) / Number(targetMilliValue);
  if (currentReplicas === 0) return { replicas: go.int32(Math.ceil(ratio)), usage };
  if (within(ratio)) return { replicas: currentReplicas, usage };
  const pods = podsOf(input, on);
  if (pods.length === 0) return { error: "no-pods" };
  const serving = pods.filter(
    ({ status }) =>
      status.phase === "Running" &&
      status.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
  ).length;
  const count = go.int32(Math.ceil((ratio * serving) / calibration));
  return { replicas: directed(count, ratio, currentReplicas), usage };
}

function byValuePerPod(
  input: CalculatorInput,
  on: Reference,
  go: Arithmetic,
  within: Within,
  directed: Directed,
): CalculatorAnswer {
  const { calibration, statusReplicas = 0, objectUsageMilliValue = 0, targetMilliValue } = input;
  const value = Number(objectUsageMilliValue);
  const needed = value / Number(targetMilliValue);
  const ratio = value / (Number(targetMilliValue) * statusReplicas);
  const template = input.templateReplicas ?? Math.ceil(statusReplicas / calibration);
  if (on.has("D-04") && statusReplicas === 0) {
    return { replicas: go.int32(Math.ceil(needed / calibration)), usage: String(objectUsageMilliValue) };
  }
  const usage = String(go.fromFloat(Math.ceil(value / statusReplicas)));
  if (Math.abs(1 - ratio) <= input.tolerance !== within(ratio) && on.has("D-01")) {
    return { replicas: template, usage };
  }
  const count =
    within(ratio) || Number.isNaN(ratio) ? statusReplicas : go.int32(Math.ceil(needed / calibration));
  if (!on.has("D-04")) {
    return {
      replicas: directed(go.int32(Math.ceil(count / calibration)), within(ratio) ? 1 : ratio, template),
      usage,
    };
  }
  return { replicas: within(ratio) ? template : directed(count, ratio, template), usage };
}

/** Go's conversions and sums: as they wrap on amd64, or exact and clamped. Notes whether that differs. */
interface Arithmetic {
  readonly int64: (value: bigint) => bigint;
  readonly int32: (value: number | bigint) => number;
  readonly fromFloat: (value: number) => bigint;
}

const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT64 = -(2n ** 63n);

function arithmetic(exact: boolean, met: Meeting): Arithmetic {
  const note = <T>(wrapped: T, true_: T): T => {
    if (wrapped !== true_) met.add("overflow");
    return exact ? true_ : wrapped;
  };
  return {
    int64: (value) => note(BigInt.asIntN(64, value), value),
    int32: (value) => {
      if (typeof value === "bigint") {
        const clamped = value > MAX_INT32 ? MAX_INT32 : Number(value);
        return note(Number(BigInt.asIntN(32, value)), clamped);
      }
      const fits = value >= -(2 ** 31) && value <= MAX_INT32;
      return note(fits ? value : -(2 ** 31), Math.min(value, MAX_INT32));
    },
    fromFloat: (value) => (Math.abs(value) < 2 ** 63 ? BigInt(value) : MIN_INT64),
  };
}
