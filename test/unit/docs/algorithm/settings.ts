import { DEFAULT_POLICY } from "#domain/scale/policy";
import { defaultSpec } from "#domain/spec/default-federated-hpa";
import type { ScalingRulesObject } from "#domain/spec/federated-hpa-object";
import type { Answers } from "#test/unit/docs/algorithm/answers";

const { behavior } = defaultSpec({
  scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
  maxReplicas: 10,
  behavior: {},
});

export const settings: Answers = {
  "E-01": () => DEFAULT_POLICY.tolerance,
  "E-02": () => `${DEFAULT_POLICY.cpuInitializationPeriodSeconds} s`,
  "E-03": () => `${DEFAULT_POLICY.initialReadinessDelaySeconds} s`,
  "E-04": () => `${DEFAULT_POLICY.downscaleStabilizationSeconds} s`,
  "E-05": () => `${DEFAULT_POLICY.syncPeriodSeconds} s`,
  "E-06": () => `${DEFAULT_POLICY.lostClusterHoldSeconds} s`,
  "E-07": () => rulesText(behavior?.scaleUp),
  "E-08": () => rulesText(behavior?.scaleDown),
};

function rulesText(rules: ScalingRulesObject | undefined): string {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules ?? {};
  const listed = policies.map(({ type, value, periodSeconds }) => `${type} ${value}/${periodSeconds} s`);
  return `${window === undefined ? "" : `window ${window} s, `}${selectPolicy} of ${listed.join(", ")}`;
}
