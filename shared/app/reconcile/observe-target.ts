import type { ObservedTarget } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import type { KubeObject, KubernetesPort, ResourceRef } from "#ports/kubernetes";
import { replicasWrite } from "#wire/kubernetes/managed-fields";

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
  const write = replicasWrite(object);
  return {
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? "",
    replicas: spec?.replicas ?? 0,
    ...(write === undefined ? {} : { replicasWrite: write }),
  };
}
