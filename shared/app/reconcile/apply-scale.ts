import type { Intent } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import type { KubernetesPort } from "#ports/kubernetes";
import { FIELD_MANAGER } from "#wire/field-manager";
import { observeTarget } from "./observe-target.ts";

export type ScaleResult =
  | { readonly result: "applied" }
  /** It did not land and will not. */
  | { readonly result: "refused"; readonly message: string }
  /** No answer: it may have landed. The intent stays open and the next run finds out. */
  | { readonly result: "unknown"; readonly message: string }
  /** The target has moved in what was decided on: decide anew. */
  | { readonly result: "moved" };

const TRIES = 3;

/**
 * PUTs the intent's replicas with its resourceVersion as precondition.
 *
 * On a conflict the target is read again. While its generation and replicas are still those decided on, only its status
 * has moved (Karmada's aggregation does that all the time): the intent takes the new resourceVersion, is stored so by
 * `renew` before the next try, and is sent again. Three tries in all (B60).
 */
export async function applyScale(
  port: KubernetesPort,
  namespace: string,
  first: Intent,
  renew: (resourceVersion: string) => Promise<Intent>,
): Promise<ScaleResult> {
  const { resource } = first.target;
  let intent = first;
  for (let attempt = 1; ; attempt++) {
    try {
      await port.updateScale(resource, scaleOf(namespace, intent), { fieldManager: FIELD_MANAGER });
      return { result: "applied" };
    } catch (error) {
      if (isPortFault(error, "unavailable")) return { result: "unknown", message: error.message };
      if (!isPortFault(error)) throw error;
      if (error.kind !== "conflict" || attempt === TRIES)
        return { result: "refused", message: error.message };
    }
    const target = await observeTarget(port, resource, namespace, intent.target.name);
    const same =
      target?.uid === intent.target.uid &&
      target.generation === intent.generation &&
      target.replicas === intent.from;
    if (!same) return { result: "moved" };
    intent = await renew(target.resourceVersion);
  }
}

function scaleOf(namespace: string, intent: Intent) {
  return {
    namespace,
    name: intent.target.name,
    uid: intent.target.uid,
    resourceVersion: intent.resourceVersion,
    replicas: intent.to,
    statusReplicas: 0,
    selector: "",
  };
}
