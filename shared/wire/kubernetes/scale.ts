import type { Read } from "#domain/fleet/snapshot";
import type { KubeObject, Scale } from "#ports/kubernetes";
import { outcome, readCount, readObject, readString, requireString } from "./reading.ts";

/** An autoscaling/v1 Scale. Missing counts are 0 (B61), a missing selector is "". */
export function decodeScale(object: unknown): Read<Scale> {
  const faults: string[] = [];
  const { metadata: rawMetadata, spec: rawSpec, status: rawStatus } = readObject(object, "scale", faults);
  const metadata = readObject(rawMetadata, "metadata", faults);
  const spec = readObject(rawSpec, "spec", faults);
  const status = readObject(rawStatus, "status", faults);
  const name = requireString(metadata.name, "metadata.name", faults);
  const scale: Scale = {
    namespace: readString(metadata.namespace, "metadata.namespace", faults) ?? "",
    name,
    uid: readString(metadata.uid, "metadata.uid", faults) ?? "",
    resourceVersion: readString(metadata.resourceVersion, "metadata.resourceVersion", faults) ?? "",
    replicas: readCount(spec.replicas, "spec.replicas", faults) ?? 0,
    statusReplicas: readCount(status.replicas, "status.replicas", faults) ?? 0,
    selector: readString(status.selector, "status.selector", faults) ?? "",
  };
  return outcome(scale, faults, "scale-unreadable", `scale ${name}`);
}

/** The Scale to PUT: `spec.replicas` is there also when it is 0 (D-07), the resourceVersion is the precondition. */
export function encodeScale({ namespace, name, uid, resourceVersion, replicas }: Scale): KubeObject {
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { namespace, name, uid, resourceVersion },
    spec: { replicas },
  };
}
