import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { ownedBy } from "#sim/owners";
import { replicasOf, requestTexts } from "#sim/workload";
import { type Claim, claimMetadata } from "./claim.ts";
import { bindingNameOf, LABEL } from "./karmada.ts";

/** `work.karmada.io/v1alpha2` ResourceBindingSpec, as far as the fleet acts on it. */
export interface BindingSpec {
  readonly resource?: ResourceReference;
  /** Absent for objects without replicas, and for 0, which the Go type leaves out. */
  readonly replicas?: number;
  readonly replicaRequirements?: { readonly resourceRequest?: Readonly<Record<string, string>> };
  readonly clusters?: readonly TargetCluster[];
  readonly placement?: JsonObject;
  readonly conflictResolution?: string;
  readonly rescheduleTriggeredAt?: string;
}

export interface ResourceReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** `replicas` is absent for objects without replicas, and for 0. */
export interface TargetCluster {
  readonly name: string;
  readonly replicas?: number;
}

export function bindingSpecOf(binding: KubeObject): BindingSpec {
  return (binding.spec ?? {}) as BindingSpec;
}

/** The binding of a template under a policy, not scheduled yet. */
export function bindingFor(template: KubeObject, claim: Claim): KubeObject {
  const { namespace, name = "", uid, resourceVersion } = template.metadata;
  const { labels, annotations } = claimMetadata(claim);
  const replicas = replicasOf(template);
  const resourceRequest = replicas === undefined ? undefined : requestTexts(template);
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: {
      name: bindingNameOf(template.kind, name),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [LABEL.bindingId]: uid ?? "" },
      annotations,
      ownerReferences: [ownedBy(template)],
    },
    spec: {
      resource: {
        apiVersion: template.apiVersion,
        kind: template.kind,
        ...(namespace === undefined ? {} : { namespace }),
        name,
        uid,
        resourceVersion,
      },
      ...(replicas === undefined || replicas === 0 ? {} : { replicas }),
      ...(resourceRequest === undefined ? {} : { replicaRequirements: { resourceRequest } }),
      placement: claim.spec.placement ?? {},
      conflictResolution: claim.spec.conflictResolution ?? "Abort",
      schedulerName: claim.spec.schedulerName ?? "default-scheduler",
    },
  };
}

/**
 * The stored binding with what the detector owns brought up to date; the same object when nothing but the template's
 * resourceVersion moved (status aggregation moves that all the time). The scheduler's clusters stay.
 */
export function refreshed(binding: KubeObject, wanted: KubeObject): KubeObject {
  const { clusters, rescheduleTriggeredAt } = bindingSpecOf(binding);
  const spec = {
    ...wanted.spec,
    ...(clusters === undefined ? {} : { clusters }),
    ...(rescheduleTriggeredAt === undefined ? {} : { rescheduleTriggeredAt }),
  };
  const metadata = {
    ...binding.metadata,
    labels: { ...binding.metadata.labels, ...wanted.metadata.labels },
    annotations: { ...binding.metadata.annotations, ...wanted.metadata.annotations },
    ...(wanted.metadata.ownerReferences === undefined
      ? {}
      : { ownerReferences: wanted.metadata.ownerReferences }),
  };
  const isSame =
    sameJson(withoutVersion(spec), withoutVersion(binding.spec)) && sameJson(metadata, binding.metadata);
  return isSame ? binding : { ...binding, metadata, spec };
}

function withoutVersion(spec: JsonObject | undefined): JsonObject {
  const { resourceVersion: _moves, ...resource } = (spec?.resource ?? {}) as JsonObject;
  return { ...spec, resource };
}
