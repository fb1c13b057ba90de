import type { ScaleEvent } from "#domain/scale/history";
import type { ScalingPolicy, ScalingRules } from "#domain/spec/federated-hpa";
import { clampReplicas, MAX_REPLICAS } from "#domain/units/replicas";

/** A count within all limits; `limited` is the reason of ScalingLimited where a limit cut it. */
export interface Limited {
  readonly replicas: number;
  readonly limited?: LimitReason;
  /** The count that policies allow at this instant in the direction asked for; absent where none was asked. */
  readonly scaleUpLimit?: number;
  readonly scaleDownLimit?: number;
}

export type LimitReason = "ScaleUpLimit" | "ScaleDownLimit" | "TooManyReplicas" | "TooFewReplicas";

export interface Bounds {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** Applied changes that use up the policies' budgets. */
export interface ScaleEvents {
  readonly scaleUpEvents: readonly ScaleEvent[];
  readonly scaleDownEvents: readonly ScaleEvent[];
}

/**
 * `wanted` within min and max, and not above max(2 × current, 4): the limit of objects without `behavior`.
 *
 * @example Wanted 4e9 cut to 2147483647, current 10, max 50: 20, ScaleUpLimit (B05).
 */
export function limitWithoutBehavior(
  current: number,
  wanted: number,
  { minReplicas, maxReplicas }: Bounds,
): Limited {
  const scaleUpLimit = clampReplicas(Math.max(2 * current, 4));
  const highest = Math.min(maxReplicas, scaleUpLimit);
  if (wanted < minReplicas) return { replicas: minReplicas, limited: "TooFewReplicas", scaleUpLimit };
  if (wanted <= highest) return { replicas: wanted, scaleUpLimit };
  const limited = maxReplicas > scaleUpLimit ? "ScaleUpLimit" : "TooManyReplicas";
  return { replicas: highest, limited, scaleUpLimit };
}

/**
 * `wanted` within min and max and within what the policies of its direction allow.
 *
 * @example 20 replicas, wanted 2, policies 10 %/60 s and 4 pods/60 s: Min 18 (B34), Max 16 (B35), both ScaleDownLimit.
 */
export function limitWithBehavior(
  current: number,
  wanted: number,
  { minReplicas, maxReplicas }: Bounds,
  rules: { readonly scaleUp: ScalingRules; readonly scaleDown: ScalingRules },
  events: ScaleEvents,
  nowMs: number,
): Limited {
  if (wanted > current) {
    const scaleUpLimit = Math.max(current, scaleUpLimitOf(current, rules.scaleUp, events, nowMs));
    const highest = Math.min(maxReplicas, scaleUpLimit);
    if (wanted <= highest) return { replicas: wanted, scaleUpLimit };
    const limited = maxReplicas > scaleUpLimit ? "ScaleUpLimit" : "TooManyReplicas";
    return { replicas: highest, limited, scaleUpLimit };
  }
  if (wanted < current) {
    const scaleDownLimit = Math.min(current, scaleDownLimitOf(current, rules.scaleDown, events, nowMs));
    const lowest = Math.max(minReplicas, scaleDownLimit);
    if (wanted >= lowest) return { replicas: wanted, scaleDownLimit };
    const limited = minReplicas < scaleDownLimit ? "ScaleDownLimit" : "TooFewReplicas";
    return { replicas: lowest, limited, scaleDownLimit };
  }
  return { replicas: wanted };
}

/**
 * The most replicas that the policies allow: per policy, from the count at the start of its period, + value, or × (1 +
 * value ÷ 100) rounded up so that a small count can grow at all; selectPolicy Max takes the largest, Min the smallest.
 */
function scaleUpLimitOf(current: number, rules: ScalingRules, events: ScaleEvents, nowMs: number): number {
  if (rules.selectPolicy === "Disabled") return current;
  const allowed = rules.policies.map((policy) => {
    const start = countAtPeriodStart(current, policy, events, nowMs);
    // The expression is Karmada's to the bit: 100 × (1 + 10 ÷ 100) is 110.00000000000001, so 111 (C08).
    return policy.type === "Pods" ? start + policy.value : Math.ceil(start * (1 + policy.value / 100));
  });
  return clampReplicas(
    rules.selectPolicy === "Min" ? Math.min(...allowed, MAX_REPLICAS) : Math.max(...allowed, 0),
  );
}

/** The fewest replicas that the policies allow; percentages are cut: 10 × (1 − 90 ÷ 100) is 0.99…, so 0 (C08). */
function scaleDownLimitOf(current: number, rules: ScalingRules, events: ScaleEvents, nowMs: number): number {
  if (rules.selectPolicy === "Disabled") return current;
  const allowed = rules.policies.map((policy) => {
    const start = countAtPeriodStart(current, policy, events, nowMs);
    return policy.type === "Pods" ? start - policy.value : Math.trunc(start * (1 - policy.value / 100));
  });
  return clampReplicas(
    rules.selectPolicy === "Min" ? Math.max(...allowed, 0) : Math.min(...allowed, MAX_REPLICAS),
  );
}

/** The count before what was added and removed within the policy's period; an event of exactly its age is out of it. */
function countAtPeriodStart(
  current: number,
  { periodSeconds }: ScalingPolicy,
  { scaleUpEvents, scaleDownEvents }: ScaleEvents,
  nowMs: number,
): number {
  const cutoffMs = nowMs - periodSeconds * 1000;
  return current - changeSince(scaleUpEvents, cutoffMs) + changeSince(scaleDownEvents, cutoffMs);
}

function changeSince(events: readonly ScaleEvent[], cutoffMs: number): number {
  let change = 0;
  for (const event of events) {
    if (event.atMs > cutoffMs) change += event.change;
  }
  return change;
}
