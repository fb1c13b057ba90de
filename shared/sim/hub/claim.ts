import type { KubeObject } from "#sim/api/object";
import { ANNOTATION, LABEL } from "./karmada.ts";
import type { PropagationSpec } from "./policy.ts";

/** Which policy a template or binding belongs to. Without a namespace it is a ClusterPropagationPolicy. */
export interface Claim {
  /** The policy's permanent id. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly spec: PropagationSpec;
}

/** The claim that an object's labels and annotations state, without the policy's spec. */
export function claimOf(object: KubeObject): Claim | undefined {
  const { labels = {}, annotations = {} } = object.metadata;
  const id = labels[LABEL.policyId];
  const name = annotations[ANNOTATION.policyName];
  if (id !== undefined) {
    return { id, namespace: annotations[ANNOTATION.policyNamespace], name: name ?? "", spec: {} };
  }
  const clusterId = labels[LABEL.clusterPolicyId];
  if (clusterId === undefined) return undefined;
  return {
    id: clusterId,
    namespace: undefined,
    name: annotations[ANNOTATION.clusterPolicyName] ?? "",
    spec: {},
  };
}

/** The labels and annotations that state a claim. */
export function claimMetadata(claim: Claim): {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
} {
  if (claim.namespace === undefined) {
    return {
      labels: { [LABEL.clusterPolicyId]: claim.id },
      annotations: { [ANNOTATION.clusterPolicyName]: claim.name },
    };
  }
  return {
    labels: { [LABEL.policyId]: claim.id },
    annotations: { [ANNOTATION.policyNamespace]: claim.namespace, [ANNOTATION.policyName]: claim.name },
  };
}

const CLAIM_LABELS: readonly string[] = [LABEL.policyId, LABEL.clusterPolicyId];
const CLAIM_ANNOTATIONS: readonly string[] = [
  ANNOTATION.policyNamespace,
  ANNOTATION.policyName,
  ANNOTATION.clusterPolicyName,
];

/** The object stating this claim and no other; the same object when it does already. */
export function withClaim(
  object: KubeObject,
  claim: Claim | undefined,
  { annotate = true }: { readonly annotate?: boolean } = {},
): KubeObject {
  const stated = claim === undefined ? { labels: {}, annotations: {} } : claimMetadata(claim);
  const labels = replaced(object.metadata.labels, CLAIM_LABELS, stated.labels);
  const annotations = replaced(
    object.metadata.annotations,
    CLAIM_ANNOTATIONS,
    annotate ? stated.annotations : {},
  );
  if (labels === object.metadata.labels && annotations === object.metadata.annotations) return object;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}

/** The map with these keys as `values` say and gone where they say nothing; the same map when nothing changes. */
function replaced(
  map: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  if (keys.every((key) => map?.[key] === values[key])) return map;
  const kept = Object.entries(map ?? {}).filter(([key]) => !keys.includes(key));
  return { ...Object.fromEntries(kept), ...values };
}
