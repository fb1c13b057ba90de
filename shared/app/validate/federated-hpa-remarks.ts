import { specFaults } from "#domain/scale/gates";
import { objectPolicy } from "#domain/scale/object-policy";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { defaultFederatedHpa } from "#domain/spec/default-federated-hpa";
import { decodeFederatedHpaObject, type FederatedHpaSpecObject } from "#domain/spec/federated-hpa-object";
import { ALL_FORMS, validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { faultRemark, type Remark, warning } from "./finding.ts";

/**
 * What is wrong with a FederatedHPA: what Karmada's webhooks refuse after their defaults, what Mainsheet refuses on
 * read, annotations too; warnings for what a stock hub would refuse or delete though it is followed here (D-17).
 */
export function federatedHpaRemarks(raw: unknown): readonly Remark[] {
  const defaulted = defaultFederatedHpa(raw);
  const object = decodeFederatedHpa(raw);
  const { fault: policyFault } = objectPolicy(object.annotations, DEFAULT_POLICY);
  const faults = [
    ...(defaulted.ok ? validateFederatedHpa(defaulted.object, ALL_FORMS).faults : defaulted.faults),
    ...specFaults(object),
    ...(policyFault === undefined ? [] : [policyFault]),
  ];
  return [
    ...distinct(faults.map(faultRemark)),
    ...stockHubWarnings(decodeFederatedHpaObject(raw).value.spec),
  ];
}

/** Two gates of one rule say the same once. */
function distinct(remarks: readonly Remark[]): Remark[] {
  return [...new Map(remarks.map((remark) => [`${remark.path}\n${remark.detail}`, remark])).values()];
}

function stockHubWarnings({ minReplicas, metrics = [], behavior }: FederatedHpaSpecObject): Remark[] {
  const refused = (path: string, what: string, instead: string) =>
    warning("stock-hub-refuses", path, `a stock Karmada hub refuses ${what}; ${instead} says the same there`);
  const tolerances = (["scaleUp", "scaleDown"] as const).filter(
    (direction) => behavior?.[direction]?.tolerance !== undefined,
  );
  return [
    ...(minReplicas === 0
      ? [refused("spec.minReplicas", "0", 'the annotation mainsheet.io/min-replicas: "0"')]
      : []),
    ...metrics.flatMap(({ type }, index) =>
      type === "External"
        ? [
            refused(
              `spec.metrics[${index}]`,
              "External metrics",
              "the annotation mainsheet.io/external-metrics",
            ),
          ]
        : [],
    ),
    ...tolerances.map((direction) =>
      warning(
        "stock-hub-drops",
        `spec.behavior.${direction}.tolerance`,
        "a stock Karmada hub deletes it; the annotation mainsheet.io/tolerance says the same there",
      ),
    ),
  ];
}
