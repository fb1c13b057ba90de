import type { BehaviorObject, ScalingPolicyObject, ScalingRulesObject } from "./federated-hpa-object.ts";
import { type FieldFault, invalidValue, requiredValue, unsupportedValue } from "./field-fault.ts";

const LONGEST_PERIOD_SECONDS = 1800;
const LONGEST_WINDOW_SECONDS = 3600;
const SELECT_POLICIES = ["Disabled", "Max", "Min"];
const POLICY_TYPES = ["Percent", "Pods"];

/** What is wrong with `spec.behavior` (semantics 4.3, V:33-38 and 163-213). */
export function behaviorFaults(behavior: BehaviorObject, path: string): FieldFault[] {
  return (["scaleUp", "scaleDown"] as const).flatMap((direction) => {
    const rules = behavior[direction];
    return rules === undefined ? [] : rulesFaults(rules, `${path}.${direction}`);
  });
}

function rulesFaults(rules: ScalingRulesObject, path: string): FieldFault[] {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules;
  const faults: FieldFault[] = [];
  const invalidWindow = (detail: string) =>
    faults.push(invalidValue(`${path}.stabilizationWindowSeconds`, window, detail));
  if (window !== undefined && window < 0) invalidWindow("must be greater than or equal to zero");
  if (window !== undefined && window > LONGEST_WINDOW_SECONDS) {
    invalidWindow(`must be less than or equal to ${LONGEST_WINDOW_SECONDS}`);
  }
  if (selectPolicy !== undefined && !SELECT_POLICIES.includes(selectPolicy)) {
    faults.push(unsupportedValue(`${path}.selectPolicy`, selectPolicy, SELECT_POLICIES));
  }
  if (policies.length === 0) {
    faults.push(requiredValue(`${path}.policies`, "must specify at least one Policy"));
  }
  return [
    ...faults,
    ...policies.flatMap((policy, index) => policyFaults(policy, `${path}.policies[${index}]`)),
  ];
}

function policyFaults({ type, value, periodSeconds }: ScalingPolicyObject, path: string): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!POLICY_TYPES.includes(type)) faults.push(unsupportedValue(`${path}.type`, type, POLICY_TYPES));
  if (value <= 0) faults.push(invalidValue(`${path}.value`, value, "must be greater than zero"));
  if (periodSeconds <= 0) {
    faults.push(invalidValue(`${path}.periodSeconds`, periodSeconds, "must be greater than zero"));
  }
  if (periodSeconds > LONGEST_PERIOD_SECONDS) {
    const detail = `must be less than or equal to ${LONGEST_PERIOD_SECONDS}`;
    faults.push(invalidValue(`${path}.periodSeconds`, periodSeconds, detail));
  }
  return faults;
}
