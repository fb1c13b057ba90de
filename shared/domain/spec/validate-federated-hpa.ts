import { type Admission, refusedUndecoded } from "./admission.ts";
import { behaviorFaults } from "./behavior-faults.ts";
import { decodeFederatedHpaObject, type FederatedHpaSpecObject } from "./federated-hpa-object.ts";
import { type FieldFault, invalidValue } from "./field-fault.ts";
import { metricFaults } from "./metric-faults.ts";
import { objectMetaFaults } from "./object-meta.ts";
import { objectReferenceFaults } from "./object-reference.ts";

/** What an admitted spec may hold beyond Karmada's webhook (D-17). */
export interface Allowed {
  /** The smallest `minReplicas`: 1 for the webhook, 0 where scaling to zero is taken. */
  readonly lowestMinReplicas: 0 | 1;
  readonly external: boolean;
}

/** What Karmada's webhook allows. */
export const STOCK_HUB: Allowed = { lowestMinReplicas: 1, external: false };

/**
 * Whether a FederatedHPA, as plain JSON, is admitted. Follows Karmada f8fdd02 pkg/util/lifted/validatingfhpa.go
 * (semantics 4.3): codes, paths and messages are its own. It validates the object as it is; the defaults come first
 * in a hub (`defaultFederatedHpa`).
 *
 * @example `minReplicas: 0` is `spec.minReplicas: Invalid value: 0: must be greater than or equal to 1`.
 */
export function validateFederatedHpa(raw: unknown): Admission {
  const { value: object, faults } = decodeFederatedHpaObject(raw);
  const undecoded = refusedUndecoded(faults);
  if (undecoded !== undefined) return undecoded;
  const { currentReplicas = 0, desiredReplicas } = object.status;
  return {
    faults: [
      ...objectMetaFaults(object.metadata, "metadata"),
      ...specFaults(object.spec, STOCK_HUB),
      ...negativeFaults(currentReplicas, "status.currentReplicas"),
      ...negativeFaults(desiredReplicas, "status.desiredReplicas"),
    ],
  };
}

/** What is wrong with a decoded spec; paths begin with `spec.`. */
export function specFaults(spec: FederatedHpaSpecObject, allowed: Allowed): FieldFault[] {
  const { minReplicas, maxReplicas, metrics = [], behavior } = spec;
  const faults: FieldFault[] = [];
  if (minReplicas !== undefined && minReplicas < allowed.lowestMinReplicas) {
    const detail = `must be greater than or equal to ${allowed.lowestMinReplicas}`;
    faults.push(invalidValue("spec.minReplicas", minReplicas, detail));
  }
  if (maxReplicas < 1) faults.push(invalidValue("spec.maxReplicas", maxReplicas, "must be greater than 0"));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = "must be greater than or equal to `minReplicas`";
    faults.push(invalidValue("spec.maxReplicas", maxReplicas, detail));
  }
  return [
    ...faults,
    ...objectReferenceFaults(spec.scaleTargetRef, "spec.scaleTargetRef"),
    ...metrics.flatMap((metric, index) => metricFaults(metric, `spec.metrics[${index}]`, allowed.external)),
    ...(behavior === undefined ? [] : behaviorFaults(behavior, "spec.behavior")),
  ];
}

function negativeFaults(count: number, path: string): FieldFault[] {
  return count < 0 ? [invalidValue(path, count, "must be greater than or equal to 0")] : [];
}
