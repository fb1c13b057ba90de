import type { Pod, PodSample } from "#domain/fleet/pod";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import type { MilliValue } from "#domain/units/milli";

/**
 * Everything a decision is computed from, read once and never changed. Plain data: it is stored with the decision
 * and decides the same again (`docs/snapshot.md`). Lists keep the order of the API; clusters the order of the binding.
 */
export interface Snapshot {
  readonly hub: string;
  /** The logical now: the slot's instant, or the event's (design 1, "Logical time"). Epoch milliseconds. */
  readonly instantMs: number;
  readonly object: FederatedHpa;
  readonly target: Read<Target>;
  /** Absent when the target could not be read: what depends on it was not asked. */
  readonly binding?: Read<Binding>;
  /** One entry per cluster of the binding, in its order; clusters that are not Ready stand as gaps. */
  readonly members: readonly Member[];
  /** Aligned with `object.spec.metrics`: Object and External metrics have one value, per-pod metrics live in the members. */
  readonly metrics: readonly MetricReading[];
  /** Other FederatedHPAs of the namespace whose pods overlap with this one's, as `namespace/name` (B27). */
  readonly ambiguousWith: readonly string[];
  /** Writes of other autoscalers: to this object's status, or to its target's scale; newest first. */
  readonly autoscalerWrites?: readonly AutoscalerWrite[];
}

/** A write that managedFields tell of. Times are of the hub's clock, in whole seconds. */
export interface FieldWrite {
  readonly manager: string;
  readonly atMs: number;
}

export interface AutoscalerWrite extends FieldWrite {
  readonly wrote: "status" | "scale";
}

/** The outcome of one read: its value, or what went wrong. A failed read is data, never 0. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ReadFault };

/** `code` says which step failed and how; `message` what was tried, on what, what came back. */
export interface ReadFault {
  readonly code: ReadFaultCode;
  readonly message: string;
}

/** The places where a read can fail, in the order of semantics 4.1. */
export type ReadFaultCode =
  /** scaleTargetRef.apiVersion is not `group/version`. */
  | "target-version-invalid"
  /** The kind is unknown to the hub, or has no scale. */
  | "target-kind-unknown"
  | "target-missing"
  | "target-unreadable"
  /** The target has no permanent-id label, so no policy covers it yet. */
  | "binding-label-missing"
  | "binding-missing"
  | "binding-unreadable"
  /** The binding names no cluster. */
  | "clusters-none"
  /** The list of Clusters, or a Cluster that the binding names, could not be read. */
  | "clusters-unreadable"
  | "cluster-not-ready"
  /** A pull-mode cluster without a network path from the hub (D-10). */
  | "cluster-pull-mode"
  | "cluster-unreachable"
  | "scale-unreadable"
  /** The member's scale has no `status.selector`, so its pods cannot be told apart. */
  | "selector-missing"
  | "selector-invalid"
  | "pods-unreadable"
  | "metric-unreadable"
  | "metric-empty";

/** The scale target on the hub: the resource template. */
export interface Target {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  /** `spec.replicas`; a scale without it is at 0 (D: "scale object without spec.replicas"). */
  readonly replicas: number;
  /** Who set `spec.replicas` last, if it was not us. */
  readonly foreignWrite?: FieldWrite;
  /** When that was, if it was us. */
  readonly ownWriteAtMs?: number;
}

/** The ResourceBinding of the target. */
export interface Binding {
  readonly name: string;
  /** `spec.replicas`, what the scheduler was asked to place. */
  readonly replicas?: number;
  readonly generation: number;
  readonly schedulerObservedGeneration?: number;
  /** The Scheduled condition's status; absent before the scheduler's first pass. */
  readonly scheduled?: string;
  readonly clusters: readonly { readonly name: string; readonly replicas?: number }[];
  /** Duplicated gives each cluster the full count, so shares do not add up to the template. */
  readonly duplicated: boolean;
  /** When Karmada began to move replicas away from clusters; absent where it moves none. */
  readonly evictions?: readonly number[];
}

/** One bound cluster as far as it could be read. */
export interface Member {
  readonly cluster: string;
  readonly scale: Read<MemberScale>;
  /** At least the pods that the member's selector matches; the decision matches again and drops the rest (C10). */
  readonly pods: Read<readonly Pod[]>;
  /** Aligned with `object.spec.metrics`; Object and External metrics hold an empty list here. */
  readonly samples: readonly Read<readonly PodSample[]>[];
}

export interface MemberScale {
  readonly specReplicas: number;
  readonly statusReplicas: number;
  /** `status.selector`, in its text form; empty where the scale has none. */
  readonly selector: string;
  /** Who set `spec.replicas` in the member, if it was not Karmada: a native HPA, a person. */
  readonly foreignManager?: string;
}

/** What is known of one metric beside the pods' samples. */
export type MetricReading =
  /** Resource, ContainerResource and Pods metrics: see `Member.samples`. */
  | { readonly kind: "per-pod" }
  | {
      readonly kind: "value";
      readonly milliValue: MilliValue;
      readonly timestampMs: number;
      /** Clusters whose part of the sum could not be read: the value is a lower bound, never a reason to scale in (B46). */
      readonly missingClusters?: readonly string[];
    }
  | { readonly kind: "fault"; readonly fault: ReadFault };
