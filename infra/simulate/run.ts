import { decideScale } from "#domain/scale/decide";
import type { Policy } from "#domain/scale/policy";
import type { StoredResource } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { openFleetView } from "#sim/fleet-view";
import { CODE_VERSION } from "#wire/code-version";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { objectPartition, SCALE_PREFIX, sortableInstant } from "#wire/keys";
import { decodeScaleRecord } from "#wire/scale-record";
import { demandProbes } from "./demand-probe.ts";
import type { LoadFeed } from "./load-feed.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import type { SimulationResult } from "./result.ts";
import { openRunLog } from "./run-log.ts";
import { summarizeAll } from "./summarize.ts";
import { openUseCases, SIMULATED_HUB } from "./use-cases.ts";

/** Everything that a run is made of; what it needs to know of the world is in here. */
export interface SimulationPlan {
  readonly title: string;
  readonly load: string;
  readonly seed: string;
  readonly policy: Policy;
  /** A slot. */
  readonly fromMs: number;
  readonly slots: number;
  readonly fleet: Fleet;
  /** Changes the loads as time goes on; absent where the manifests' own Loads hold. */
  readonly feed?: LoadFeed;
  readonly notes: readonly string[];
}

const FEDERATED_HPAS: StoredResource = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
const CRON_FEDERATED_HPAS: StoredResource = {
  group: "autoscaling.karmada.io",
  resource: "cronfederatedhpas",
};
const MINUTE_MS = 60_000;

/**
 * Runs the use cases over a fleet, slot by slot on virtual time. One plan is run once: its fleet moves.
 * `progress` is called after every slot with how many are done.
 */
export async function runSimulation(
  plan: SimulationPlan,
  progress: (slots: number) => void = () => {},
): Promise<SimulationResult> {
  const { fleet, policy, fromMs, slots, feed } = plan;
  const { store } = fleet.hub;
  const view = openFleetView(fleet);
  const recorders = new Map<string, Recorder>();
  for (const stored of store.list(FEDERATED_HPAS)) {
    const probes = demandProbes(fleet, decodeFederatedHpa(stored));
    const recorder = openRecorder({ view, probes, stored, policy });
    recorders.set(`${recorder.namespace}/${recorder.name}`, recorder);
  }
  const runLog = openRunLog();
  const useCases = openUseCases({
    fleet,
    policy,
    fromMs,
    log: runLog.log,
    decide(snapshot, history, decidingPolicy) {
      const decision = decideScale(snapshot, history, decidingPolicy);
      const { namespace, name } = snapshot.object;
      recorders.get(`${namespace}/${name}`)?.evaluated({ snapshot, decision });
      return decision;
    },
  });

  async function scalesSince(recorder: Recorder, slotMs: number) {
    if (!recorder.wantsScale()) return [];
    const { namespace, name } = recorder;
    const query = {
      pk: objectPartition({ hub: SIMULATED_HUB, namespace, name }),
      prefix: SCALE_PREFIX,
      from: `${SCALE_PREFIX}${sortableInstant(slotMs)}`,
    };
    const items = await useCases.table.query(query, { nowMs: slotMs, consistent: true });
    return items.map(decodeScaleRecord);
  }

  const periodMs = policy.syncPeriodSeconds * 1000;
  for (let slot = 0; slot < slots; slot++) {
    const slotMs = fromMs + slot * periodMs;
    feed?.upTo(slotMs);
    fleet.step(slotMs);
    const hasCron = slotMs % MINUTE_MS === 0 && store.count(CRON_FEDERATED_HPAS) > 0;
    await useCases.work(slotMs, hasCron);
    fleet.step(slotMs);
    for (const recorder of recorders.values()) recorder.endSlot(slotMs, await scalesSince(recorder, slotMs));
    progress(slot + 1);
  }

  const objects = [...recorders.values()].map((recorder) => recorder.object());
  const { cronRuns, troubles } = runLog;
  return {
    v: 1,
    title: plan.title,
    load: plan.load,
    seed: plan.seed,
    fromMs,
    toMs: fromMs + slots * periodMs,
    slots,
    slotSeconds: policy.syncPeriodSeconds,
    code: CODE_VERSION,
    clusters: view.clusters,
    objects,
    cronRuns,
    notes: [...plan.notes, ...[...recorders.values()].flatMap((one) => one.trouble() ?? []), ...troubles],
    summary: summarizeAll(objects, cronRuns, view.clusters, policy.syncPeriodSeconds),
  };
}
