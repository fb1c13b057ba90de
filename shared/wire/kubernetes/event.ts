import { formatInstant } from "#domain/units/instant";
import type { KubeObject } from "#ports/kubernetes";

/** A core/v1 Event about an object of Karmada's autoscaling kinds. */
export interface ObjectEvent {
  /** Unique in the namespace; the same name created twice is the same event. */
  readonly name: string;
  readonly namespace: string;
  readonly regarding: {
    /** Default FederatedHPA. */
    readonly kind?: "FederatedHPA" | "CronFederatedHPA";
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

/** The API server refuses messages beyond 1 KiB. */
const MAX_MESSAGE = 1024;

export function encodeEvent(event: ObjectEvent): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: event.name, namespace: event.namespace },
    involvedObject: {
      apiVersion: "autoscaling.karmada.io/v1alpha1",
      kind: "FederatedHPA",
      namespace: event.namespace,
      ...event.regarding,
    },
    type: event.type,
    reason: event.reason,
    message: event.message.slice(0, MAX_MESSAGE),
    firstTimestamp: formatInstant(event.firstMs),
    lastTimestamp: formatInstant(event.lastMs),
    count: event.count,
    source: { component: "mainsheet" },
    reportingComponent: "mainsheet",
    reportingInstance: "",
  };
}

/** The part of an Event that moves when the same thing happens again. */
export function recurrence(event: Pick<ObjectEvent, "message" | "lastMs" | "count">): object {
  return {
    message: event.message.slice(0, MAX_MESSAGE),
    lastTimestamp: formatInstant(event.lastMs),
    count: event.count,
  };
}
