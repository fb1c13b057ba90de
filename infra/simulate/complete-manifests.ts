import type { FederatedHpa } from "#domain/spec/federated-hpa";
import type { KubeObject } from "#sim/api/object";
import { policyFor } from "#sim/hub/policy";
import { assumedPolicy, assumedWorkload, isAssumable } from "./assumed.ts";
import { namedClusters } from "./named-clusters.ts";
import { type TargetRef, targetOf, targetText } from "./target.ts";

/** Manifests with what they lack, and one sentence for each thing that was assumed. */
export interface Completed {
  readonly manifests: readonly KubeObject[];
  readonly clusters: readonly string[];
  readonly notes: readonly string[];
  /** One sentence for each thing that cannot be assumed. */
  readonly faults: readonly string[];
}

const DEFAULT_CLUSTERS = ["member1", "member2"];
const POLICIES = ["PropagationPolicy", "ClusterPropagationPolicy"];

/**
 * Adds the workload of each FederatedHPA, the objects that its metrics describe, and the policy that spreads them, where
 * the manifests have none. `known`: the clusters, where a Scenario names them.
 */
export function completeManifests(
  given: readonly KubeObject[],
  objects: readonly FederatedHpa[],
  known: readonly string[] | undefined,
): Completed {
  const manifests = [...given];
  const notes: string[] = [];
  const faults: string[] = [];
  const named = known ?? namedClusters(given);
  const clusters = named.length > 0 ? named : DEFAULT_CLUSTERS;
  if (named.length === 0) notes.push(`no policy names its clusters: ${clusters.join(" and ")} are assumed`);

  for (const object of objects) {
    for (const needed of [targetOf(object), ...described(object)]) need(needed, object);
  }
  return { manifests, clusters, notes, faults };

  function need(ref: TargetRef, object: FederatedHpa): void {
    let manifest = manifests.find((one) => isNamed(one, ref));
    if (manifest === undefined) {
      if (!isAssumable(ref)) {
        faults.push(`no manifest of ${targetText(ref)}, which FederatedHPA ${object.name} needs; add it`);
        return;
      }
      const assumed = assumedWorkload(ref, object);
      manifest = assumed.manifest;
      manifests.push(manifest);
      notes.push(`no manifest of ${targetText(ref)}: ${assumed.note} is assumed`);
    }
    if (policyFor(placed(manifest), manifests.filter(isPolicy).map(placed)) !== undefined) return;
    manifests.push(assumedPolicy(ref, clusters));
    notes.push(`no policy spreads ${targetText(ref)}: equal parts to ${clusters.join(", ")} are assumed`);
  }
}

/** What its Object metrics describe. */
function described({ namespace, spec }: FederatedHpa): readonly TargetRef[] {
  return spec.metrics.flatMap((metric) =>
    metric.type === "Object" && metric.describedObject.kind !== "Namespace"
      ? [{ ...metric.describedObject, namespace }]
      : [],
  );
}

function isNamed({ kind, metadata }: KubeObject, ref: TargetRef): boolean {
  return (
    kind === ref.kind && metadata.name === ref.name && (metadata.namespace ?? "default") === ref.namespace
  );
}

function isPolicy({ kind }: KubeObject): boolean {
  return POLICIES.includes(kind);
}

/** As the hub will have it. */
function placed(manifest: KubeObject): KubeObject {
  const { kind, metadata } = manifest;
  if (kind === "ClusterPropagationPolicy" || metadata.namespace !== undefined) return manifest;
  return { ...manifest, metadata: { ...metadata, namespace: "default" } };
}
