import type { FederatedHpa, FederatedHpaStatus } from "#domain/spec/federated-hpa";
import { isPortFault } from "#ports/fault";
import { decodeFederatedHpa, isNumbersOnly, statusPatch } from "#wire/federated-hpa";
import { FIELD_MANAGER } from "#wire/field-manager";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";
import type { Hub } from "./deps.ts";

const TRIES = 3;

/**
 * Patches what changed in the object's status, with its resourceVersion as precondition. On a conflict the object is
 * read again: with the same generation the difference is taken anew and patched, with another the status is dropped,
 * since it speaks of a spec that is gone. A change of nothing but currentMetrics' numbers waits for the object's turn.
 */
export async function writeStatus(
  hub: Hub,
  decidedOn: FederatedHpa,
  status: FederatedHpaStatus,
  isTurn: boolean,
): Promise<void> {
  if (hub.mode === "observe") return;
  const name = { namespace: decidedOn.namespace, name: decidedOn.name };
  let object = decidedOn;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (!isTurn && isNumbersOnly(object.status, status)) return;
    const patch = statusPatch(object.status, status);
    if (patch === undefined) return;
    const body = { metadata: { resourceVersion: object.resourceVersion }, ...patch };
    try {
      await hub.port.mergePatch(FEDERATED_HPAS, name, body, {
        fieldManager: FIELD_MANAGER,
        subresource: "status",
      });
      return;
    } catch (error) {
      if (!isPortFault(error, "conflict") || attempt === TRIES) throw error;
    }
    const current = decodeFederatedHpa(await hub.port.get("hub", FEDERATED_HPAS, name));
    if (current.uid !== object.uid || current.generation !== object.generation) return;
    object = current;
  }
}
