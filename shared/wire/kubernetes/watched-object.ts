import type { WatchedObject, WorkloadRef } from "#domain/relay/watched-object";
import { hash64 } from "#domain/units/hash";
import type { KubeObject } from "#ports/kubernetes";
import { readArray, readCondition, readObject } from "./reading.ts";

/** Reads an object of a watched kind; undefined for one without a name or uid, which no API server sends. */
export type ReadWatched = (object: KubeObject) => WatchedObject | undefined;

const OWN_ANNOTATIONS = "mainsheet.io/";

/**
 * A FederatedHPA or CronFederatedHPA counts by its generation and its `mainsheet.io/` annotations: a status that was
 * written, ours above all, moves neither.
 */
export const watchedAutoscaler: ReadWatched = (object) => {
  const { generation, annotations = {}, namespace = "" } = object.metadata;
  const own = Object.entries(annotations)
    .filter(([name]) => name.startsWith(OWN_ANNOTATIONS))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const ref = readObject(readObject(object.spec, "spec", []).scaleTargetRef, "scaleTargetRef", []);
  return watched(object, [generation, own], workload({ ...ref, namespace }));
};

/** A ResourceBinding counts by its clusters, its replicas and whether it is scheduled. */
export const watchedBinding: ReadWatched = (object) => {
  const spec = readObject(object.spec, "spec", []);
  const clusters = Array.from(readArray(spec.clusters, "spec.clusters", []), (entry) => {
    const { name, replicas } = readObject(entry, "spec.clusters[]", []);
    return [name, replicas];
  });
  const scheduled = readCondition(readObject(object.status, "status", []), "Scheduled", [])?.status;
  const resource = readObject(spec.resource, "spec.resource", []);
  return watched(object, [clusters, spec.replicas, scheduled], workload(resource));
};

/** A Cluster counts by whether it is ready. */
export const watchedCluster: ReadWatched = (object) =>
  watched(object, [readCondition(readObject(object.status, "status", []), "Ready", [])?.status]);

/** A pod counts as long as it is ready: from when it can take load until it can no longer. */
export const watchedPod: ReadWatched = (object) => {
  const status = readObject(object.status, "status", []);
  const isReady =
    readCondition(status, "Ready", [])?.status === "True" && object.metadata.deletionTimestamp === undefined;
  const pod = watched(object, ["ready"], ownerOf(object));
  return pod === undefined || isReady ? pod : { ...pod, digest: "" };
};

function watched(
  { metadata }: KubeObject,
  matters: unknown,
  target?: WorkloadRef,
): WatchedObject | undefined {
  const { uid, name, namespace, resourceVersion = "" } = metadata;
  if (!uid || !name) return undefined;
  return {
    uid,
    resourceVersion,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    digest: hash64(JSON.stringify(matters)),
    ...(target === undefined ? {} : { target }),
  };
}

function workload(ref: Readonly<Record<string, unknown>>): WorkloadRef | undefined {
  const { apiVersion, kind, namespace, name } = ref;
  if (![apiVersion, kind, namespace, name].every((part) => typeof part === "string" && part !== "")) {
    return undefined;
  }
  return { apiVersion, kind, namespace, name } as WorkloadRef;
}

const TEMPLATE_HASH = "pod-template-hash";

/** The workload that a pod belongs to: a Deployment's ReplicaSet is called after it and the hash of its template. */
function ownerOf({ metadata }: KubeObject): WorkloadRef | undefined {
  const owners = readArray(metadata.ownerReferences, "metadata.ownerReferences", []);
  const owner = Array.from(owners, (entry) => readObject(entry, "metadata.ownerReferences[]", [])).find(
    ({ controller }) => controller === true,
  );
  const { namespace = "", labels = {} } = metadata;
  const hash = labels[TEMPLATE_HASH];
  const suffix = `-${hash}`;
  if (owner?.kind === "ReplicaSet" && hash !== undefined && String(owner.name).endsWith(suffix)) {
    return workload({
      ...owner,
      kind: "Deployment",
      namespace,
      name: String(owner.name).slice(0, -suffix.length),
    });
  }
  return owner === undefined ? undefined : workload({ ...owner, namespace });
}
