/** An object that is watched, reduced to what a decision looks at. */
export interface WatchedObject {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly namespace?: string;
  readonly name: string;
  /**
   * A hash of all that matters: as long as it stays the same, nothing that a decision looks at has changed. Empty for
   * an object that matters no more than one that is not there, as a pod that is not ready.
   */
  readonly digest: string;
  /** The workload it speaks of: what a ResourceBinding binds, a FederatedHPA scales, or a pod belongs to. */
  readonly target?: WorkloadRef;
}

export interface WorkloadRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A real difference of one object, to be told once. */
export interface ObjectChange {
  readonly change: "added" | "modified" | "deleted";
  readonly object: WatchedObject;
  /** The same for every time that the difference is found: `<uid>:<resourceVersion>`, or `<uid>:deleted`. */
  readonly id: string;
  /** What was known of the object; absent for one that was not. */
  readonly before?: WatchedObject;
}

export function changeOf(
  change: ObjectChange["change"],
  object: WatchedObject,
  before?: WatchedObject,
): ObjectChange {
  // A list does not say at which version an object went, and it goes once.
  const suffix = change === "deleted" ? "deleted" : object.resourceVersion;
  return { change, object, id: `${object.uid}:${suffix}`, ...(before === undefined ? {} : { before }) };
}
