import type { MilliValue } from "#domain/units/milli";

/** Requests of one container, by resource name (`cpu`, `memory`, …), in milli units. */
export type Requests = Readonly<Record<string, MilliValue>>;

export interface ContainerRequests {
  readonly name: string;
  readonly requests: Requests;
}

/** What a decision needs to know of a pod. Its identity is (cluster, namespace, name); the snapshot holds the rest. */
export interface Pod {
  readonly name: string;
  /** `status.phase`: Pending, Running, Succeeded, Failed, Unknown; absent where the pod has none. */
  readonly phase?: string;
  /** True once `metadata.deletionTimestamp` is set. */
  readonly deleted: boolean;
  /** `status.startTime` in epoch milliseconds. */
  readonly startedAtMs?: number;
  /** The Ready condition; absent where the pod has none. */
  readonly ready?: { readonly status: string; readonly sinceMs: number };
  /** `spec.containers`, and native sidecars (init containers with `restartPolicy: Always`) after them. */
  readonly containers: readonly ContainerRequests[];
  /** `spec.resources.requests` (pod-level resources), which stand in for the sum of the containers. */
  readonly podRequests?: Requests;
  /** `metadata.labels`: selectors are matched against them. */
  readonly labels: Readonly<Record<string, string>>;
  /** `metadata.ownerReferences` of the controlling owner, as `Kind/name`. */
  readonly owner?: string;
}

/** One pod's value of one metric. */
export interface PodSample {
  readonly pod: string;
  readonly milliValue: MilliValue;
  /** End of the window that was measured, epoch milliseconds. */
  readonly timestampMs: number;
  readonly windowSeconds: number;
}
