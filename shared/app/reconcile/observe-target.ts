import type { ObservedTarget } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import type { KubeObject, KubernetesPort, ManagedFields, ResourceRef } from "#ports/kubernetes";

/** The main object as it is at this moment; undefined when it does not exist. */
export async function observeTarget(
  port: KubernetesPort,
  resource: ResourceRef,
  namespace: string,
  name: string,
): Promise<ObservedTarget | undefined> {
  let object: KubeObject;
  try {
    object = await port.get("hub", resource, { namespace, name });
  } catch (error) {
    if (isPortFault(error, "missing")) return undefined;
    throw error;
  }
  const { metadata, spec } = object as KubeObject & { spec?: { replicas?: number } };
  const manager = replicasManager(metadata.managedFields ?? []);
  return {
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? "",
    replicas: spec?.replicas ?? 0,
    ...(manager === undefined ? {} : { replicasManager: manager }),
  };
}

/** The field manager that owns `spec.replicas`; of several, the one that wrote last. */
export function replicasManager(entries: readonly ManagedFields[]): string | undefined {
  let owner: ManagedFields | undefined;
  for (const entry of entries) {
    const fields = entry.fieldsV1 as { "f:spec"?: { "f:replicas"?: object } } | undefined;
    if (fields?.["f:spec"]?.["f:replicas"] === undefined) continue;
    if (owner === undefined || (entry.time ?? "") >= (owner.time ?? "")) owner = entry;
  }
  return owner?.manager;
}
