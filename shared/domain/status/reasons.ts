import type { ConditionChange } from "#domain/status/conditions";

/**
 * Karmada's condition reasons and messages, letter for letter: alerts and runbooks depend on them (design 4). Types and
 * reasons of our own are `ClustersReadable` and `BindingCaughtUp`, and the reasons of a hold.
 */
export type AbleReason = "ReadyForNewScale" | "ScaleUpStabilized" | "ScaleDownStabilized";
export type LimitedReason = "ScaleUpLimit" | "ScaleDownLimit" | "TooManyReplicas" | "TooFewReplicas";

const ABLE_MESSAGES: Readonly<Record<AbleReason, string>> = {
  ReadyForNewScale: "recommended size matches current size",
  ScaleUpStabilized:
    "recent recommendations were lower than current one, applying the lowest recent recommendation",
  ScaleDownStabilized:
    "recent recommendations were higher than current one, applying the highest recent recommendation",
};

const LIMITED_MESSAGES: Readonly<Record<LimitedReason, string>> = {
  ScaleUpLimit: "the desired replica count is increasing faster than the maximum scale rate",
  ScaleDownLimit: "the desired replica count is decreasing faster than the maximum scale rate",
  TooManyReplicas: "the desired replica count is more than the maximum replica count",
  TooFewReplicas: "the desired replica count is less than the minimum replica count",
};

export const GOT_SCALE = ableToScale(
  "True",
  "SucceededGetScale",
  "the HPA controller was able to get the target's current scale",
);

export const DESIRED_WITHIN_RANGE: ConditionChange = {
  type: "ScalingLimited",
  status: "False",
  reason: "DesiredWithinRange",
  message: "the desired count is within the acceptable range",
};

export const SCALING_DISABLED = scalingInactive(
  "ScalingDisabled",
  "scaling is disabled since the replica count of the target is zero",
);

export function readyToScale(reason: AbleReason): ConditionChange {
  return ableToScale("True", reason, ABLE_MESSAGES[reason]);
}

export function unableToScale(reason: string, message: string): ConditionChange {
  return ableToScale("False", reason, message);
}

export function rescaled(replicas: number): ConditionChange {
  return ableToScale(
    "True",
    "SucceededRescale",
    `the HPA controller was able to update the target scale to ${replicas}`,
  );
}

export function failedToRescale(cause: string): ConditionChange {
  return unableToScale(
    "FailedUpdateScale",
    `the HPA controller was unable to update the target scale: ${cause}`,
  );
}

export function validMetricFound(name: string): ConditionChange {
  const message = `the HPA was able to successfully calculate a replica count from ${name}`;
  return { type: "ScalingActive", status: "True", reason: "ValidMetricFound", message };
}

export function scalingInactive(reason: string, message: string): ConditionChange {
  return { type: "ScalingActive", status: "False", reason, message };
}

export function scalingLimited(reason: string, message: string): ConditionChange {
  return { type: "ScalingLimited", status: "True", reason, message };
}

/** The message that belongs to a reason of AbleToScale or ScalingLimited. */
export function messageOf(reason: AbleReason | LimitedReason): string {
  return { ...ABLE_MESSAGES, ...LIMITED_MESSAGES }[reason];
}

function ableToScale(status: "True" | "False", reason: string, message: string): ConditionChange {
  return { type: "AbleToScale", status, reason, message };
}
