import type { Read } from "#domain/fleet/snapshot";
import { outcome, readCondition, readObject, readString, requireString } from "./reading.ts";

/** A member cluster as far as a decision needs it. */
export interface Cluster {
  readonly name: string;
  /** The Ready condition is True; a cluster that has none yet is not ready. */
  readonly ready: boolean;
  /** Reason and message of a condition that is not True, for the gap's text. */
  readonly notReadyBecause?: string;
  /** Pull: the hub cannot reach its API server (D-10). */
  readonly syncMode: "Push" | "Pull";
}

/** A Cluster (`cluster.karmada.io/v1alpha1`). */
export function decodeCluster(object: unknown): Read<Cluster> {
  const faults: string[] = [];
  const { metadata, spec, status } = readObject(object, "cluster", faults);
  const name = requireString(readObject(metadata, "metadata", faults).name, "metadata.name", faults);
  const { syncMode } = readObject(spec, "spec", faults);
  const ready = readCondition(readObject(status, "status", faults), "Ready", faults);
  const because =
    ready === undefined
      ? "it has not reported its state yet"
      : [ready.condition.reason, ready.condition.message]
          .filter((part) => typeof part === "string")
          .join(": ");
  const cluster: Cluster = {
    name,
    ready: ready?.status === "True",
    ...(ready?.status === "True" || because === "" ? {} : { notReadyBecause: because }),
    syncMode: readString(syncMode, "spec.syncMode", faults) === "Pull" ? "Pull" : "Push",
  };
  return outcome(cluster, faults, "clusters-unreadable", `cluster ${name}`);
}
