import { type Admission, refusedUndecoded } from "./admission.ts";
import { behaviorFaults } from "./behavior-faults.ts";
import { decodeFederatedHpaObject, type FederatedHpaSpecObject } from "./federated-hpa-object.ts";
import { type FieldFault, invalidValue } from "./field-fault.ts";
import { metricFaults } from "./metric-faults.ts";
import { objectMetaFaults } from "./object-meta.ts";
import { objectReferenceFaults } from "./object-reference.ts";

/** How much of what autoscaling/v2 knows is admitted. */
export interface AdmittedForms {
  readonly lowestMin: 0 | 1;
  readonly external: boolean;
}

/** Karmada's own webhook. */
export const STOCK_FORMS: AdmittedForms = { lowestMin: 1, external: false };
/** With what is followed here besides (D-17). */
export const ALL_FORMS: AdmittedForms = { lowestMin: 0, external: true };

/**
 * Whether a FederatedHPA, as plain JSON, is admitted. Follows Karmada f8fdd02 pkg/util/lifted/validatingfhpa.go
 * (semantics 4.3): codes, paths and messages are its own. It validates the object as it is; the defaults come first
 * in a hub (`defaultFederatedHpa`). `forms` widens it beyond the stock webhook.
 *
 * @example `minReplicas: 0` is `spec.minReplicas: Invalid value: 0: must be greater than or equal to 1`.
 */
export function validateFederatedHpa(raw: unknown, forms: AdmittedForms = STOCK_FORMS): Admission {
  const { value: object, faults } = decodeFederatedHpaObject(raw);
  const undecoded = refusedUndecoded(faults);
  if (undecoded !== undefined) return undecoded;
  const { metadata, spec, status } = object;
  const { metrics = [], behavior } = spec;
  return {
    faults: [
      ...objectMetaFaults(metadata, "metadata"),
      ...boundsFaults(spec, forms.lowestMin),
      ...objectReferenceFaults(spec.scaleTargetRef, "spec.scaleTargetRef"),
      ...metrics.flatMap((metric, index) => metricFaults(metric, `spec.metrics[${index}]`, forms.external)),
      ...(behavior === undefined ? [] : behaviorFaults(behavior, "spec.behavior")),
      ...negativeFaults(status.currentReplicas ?? 0, "status.currentReplicas"),
      ...negativeFaults(status.desiredReplicas, "status.desiredReplicas"),
    ],
  };
}

/** min ≥ `lowestMin`, max ≥ 1, max ≥ min. */
export function boundsFaults(
  { minReplicas, maxReplicas }: FederatedHpaSpecObject,
  lowestMin: number,
): FieldFault[] {
  const faults: FieldFault[] = [];
  if (minReplicas !== undefined && minReplicas < lowestMin) {
    const detail = `must be greater than or equal to ${lowestMin}`;
    faults.push(invalidValue("spec.minReplicas", minReplicas, detail));
  }
  if (maxReplicas < 1) faults.push(invalidValue("spec.maxReplicas", maxReplicas, "must be greater than 0"));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = "must be greater than or equal to `minReplicas`";
    faults.push(invalidValue("spec.maxReplicas", maxReplicas, detail));
  }
  return faults;
}

function negativeFaults(count: number, path: string): FieldFault[] {
  return count < 0 ? [invalidValue(path, count, "must be greater than or equal to 0")] : [];
}
