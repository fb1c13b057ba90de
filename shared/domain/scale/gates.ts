import type { Bounds } from "#domain/scale/limits";
import type { FederatedHpa, SpecFault } from "#domain/spec/federated-hpa";
import { isCount } from "#domain/units/replicas";

/** A count outside the bounds goes back to the nearest at once, without asking any metric (semantics 4.1). */
export interface Gate {
  readonly gate: "above-max" | "below-min";
  readonly replicas: number;
  readonly rescaleReason: string;
}

export function gateOf(current: number, { minReplicas, maxReplicas }: Bounds): Gate | undefined {
  if (current > maxReplicas) {
    return {
      gate: "above-max",
      replicas: maxReplicas,
      rescaleReason: "Current number of replicas above Spec.MaxReplicas",
    };
  }
  if (current < minReplicas) {
    return {
      gate: "below-min",
      replicas: minReplicas,
      rescaleReason: "Current number of replicas below Spec.MinReplicas",
    };
  }
  return undefined;
}

/**
 * What makes a spec unfit to act on: the faults found when it was read, and bounds that contradict each other, which
 * would move the count to and fro between them (B40, C09, D-16).
 */
export function specFaults({ invalid, spec }: Pick<FederatedHpa, "invalid" | "spec">): readonly SpecFault[] {
  if (invalid.length > 0) return invalid;
  const { minReplicas, maxReplicas } = spec;
  if (!isCount(minReplicas) || !isCount(maxReplicas)) {
    const detail = `minReplicas ${minReplicas} and maxReplicas ${maxReplicas} must be whole numbers from 0`;
    return [{ code: "bounds-invalid", path: "spec.maxReplicas", detail }];
  }
  if (minReplicas > maxReplicas) {
    const detail = `maxReplicas ${maxReplicas} is below minReplicas ${minReplicas}: raise it or lower the other`;
    return [{ code: "bounds-crossed", path: "spec.maxReplicas", detail }];
  }
  return [];
}
