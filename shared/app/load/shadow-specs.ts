import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { isPortFault } from "#ports/fault";
import type { KubeObject } from "#ports/kubernetes";
import { CONFIG_MAPS } from "#wire/kubernetes/resources";
import { decodeShadowSpec, type ShadowSpec, shadowName } from "#wire/shadow-spec";
import type { LoadContext } from "./context.ts";

/** The other spec that an object is also decided by. */
export interface Shadow {
  /** Of the ConfigMap. */
  readonly configMap: string;
  readonly spec: ShadowSpec;
}

/**
 * The shadow of an object; undefined where it has none, or where nothing here reads them. The ConfigMap is read once for
 * all objects that name it, and kept for 60 s. What is wrong with it is data: the real decision goes on.
 */
export async function readShadow(
  { port, cache, nowMs, readYaml }: LoadContext,
  object: FederatedHpa,
): Promise<Shadow | undefined> {
  const configMap = shadowName(object);
  if (configMap === undefined || readYaml === undefined) return undefined;
  const { namespace } = object;
  const read = () => port.get<KubeObject>("hub", CONFIG_MAPS, { namespace, name: configMap });
  try {
    const found = await cache.object("hub", `configmap ${namespace}/${configMap}`, nowMs, read);
    return { configMap, spec: decodeShadowSpec(object, found, readYaml) };
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { configMap, spec: { ok: false, fault: sentence(configMap, namespace, error) } };
  }
}

function sentence(
  name: string,
  namespace: string,
  { kind, message }: { kind: string; message: string },
): string {
  if (kind === "missing")
    return `there is no ConfigMap ${namespace}/${name}; create it or remove the annotation`;
  const advice = kind === "denied" ? "; mainsheet rbac --shadow prints the right that it needs" : "";
  return `ConfigMap ${namespace}/${name} cannot be read: ${message}${advice}`;
}
