import type { Snapshot } from "#domain/fleet/snapshot";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import type { Shadow } from "./shadow-specs.ts";

/** A shadow with the world that it is decided on: that of the real object, at the same instant. */
export type LoadedShadow =
  | { readonly configMap: string; readonly snapshot: Snapshot }
  | { readonly configMap: string; readonly fault: string };

/** The object with its shadow's metrics after its own, so that one read serves both. */
export function withShadowMetrics(object: FederatedHpa, shadow: Shadow | undefined): FederatedHpa {
  if (!shadow?.spec.ok) return object;
  const metrics = [...object.spec.metrics, ...shadow.spec.object.spec.metrics];
  return { ...object, spec: { ...object.spec, metrics } };
}

/** The two snapshots of one that was read with the metrics of both. */
export function divided(
  both: Snapshot,
  object: FederatedHpa,
  shadow: Shadow | undefined,
): { readonly snapshot: Snapshot; readonly shadow?: LoadedShadow } {
  if (shadow === undefined) return { snapshot: both };
  const { configMap, spec } = shadow;
  const count = object.spec.metrics.length;
  const snapshot = { ...withMetrics(both, 0, count), object };
  if (!spec.ok) return { snapshot, shadow: { configMap, fault: spec.fault } };
  const own = { ...withMetrics(both, count, undefined), object: spec.object };
  return { snapshot, shadow: { configMap, snapshot: own } };
}

/** What was read of these of the metrics. */
function withMetrics(both: Snapshot, from: number, to: number | undefined): Snapshot {
  return {
    ...both,
    members: both.members.map((member) => ({ ...member, samples: member.samples.slice(from, to) })),
    metrics: both.metrics.slice(from, to),
  };
}
