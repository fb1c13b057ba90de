import { publish } from "#app/publish";
import type { Trace } from "#domain/scale/decision";
import type { Intent } from "#domain/work/intent";
import { mainsheetEvent } from "#wire/events";
import type { ObjectId } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/**
 * Puts `ScaleDecided` on the bus: a scale of this object was written. Named by its intent, so that copies are known.
 * `trace` is of the decision, where it is at hand.
 */
export async function publishScale(
  deps: ReconcileDeps,
  { hub, namespace, name }: ObjectId,
  { id, target, from, to, reason, atMs }: Intent,
  trace?: Trace,
): Promise<void> {
  const { apiVersion, kind, name: targetName } = target;
  const detail = {
    ...{ v: 1 as const, id, hub, namespace, name, target: { apiVersion, kind, name: targetName } },
    ...{ before: from, after: to, cause: reason },
    ...(trace === undefined ? {} : { clusters: replicasByCluster(trace) }),
  };
  await publish(deps, mainsheetEvent("ScaleDecided", detail, atMs));
}

function replicasByCluster({ clusters }: Trace): Record<string, number | null> {
  return Object.fromEntries(
    clusters.map(({ cluster, gap, specReplicas }) => [
      cluster,
      gap === undefined ? (specReplicas ?? null) : null,
    ]),
  );
}
