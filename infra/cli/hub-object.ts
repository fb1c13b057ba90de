import { cloudWatchMetrics } from "#adapters/cloudwatch/external-metrics";
import { hubExternalMetrics } from "#adapters/kubernetes/external-metrics";
import { hubCache } from "#app/load/context";
import { openLoad } from "#app/load/open-load";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { ObjectKey } from "#domain/work/shards";
import { isPortFault } from "#ports/fault";
import { CliError } from "./exit.ts";
import { openHub } from "./hub-connection.ts";

/** One FederatedHPA and its world, as the functions read them; reads only. */
export async function readObject(
  kubeconfig: string,
  context: string | undefined,
  object: ObjectKey,
  nowMs: number,
): Promise<Snapshot> {
  const port = await openHub(kubeconfig, context);
  try {
    const external = { hub: hubExternalMetrics(port), cloudwatch: cloudWatchMetrics() };
    const load = openLoad({ hub: context ?? "hub", port, cache: hubCache(port), external, nowMs }, [object]);
    const loaded = await load(object, nowMs);
    if (loaded !== undefined) return loaded.snapshot;
  } catch (error) {
    throw isPortFault(error) ? new CliError("environment", error.message, { cause: error }) : error;
  } finally {
    await port.close();
  }
  const { namespace, name } = object;
  throw new CliError("refused", `the hub has no FederatedHPA ${namespace}/${name}; see kubectl get fhpa -A`);
}
