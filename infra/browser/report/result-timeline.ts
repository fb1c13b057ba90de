import { clusterLayers } from "#infra/browser/charts/cluster-layers";
import type { Mark, Timeline, Values } from "#infra/browser/charts/timeline";
import type { SimulatedObject, SimulationResult } from "#infra/simulate/result";

/** A simulated object's course as charts draw it. */
export function resultTimeline(result: SimulationResult, object: SimulatedObject): Timeline {
  const { fromMs, toMs, slots, slotSeconds } = result;
  const atMs = Array.from({ length: slots }, (_, slot) => fromMs + slot * slotSeconds * 1000);
  const { byCluster, demand, metrics, minReplicas, maxReplicas } = object;
  return {
    atMs,
    untilMs: toMs,
    demand,
    metrics: metrics.map(({ name, unit, values, target }) => ({
      name,
      unit,
      values,
      target: values.map(() => target),
    })),
    template: object.replicas,
    clusters: clusterLayers(byCluster.map(({ cluster, wanted }) => ({ name: cluster, replicas: wanted }))),
    ready: sums(byCluster.map(({ ready }) => ready)),
    minReplicas,
    maxReplicas,
    marks: marksOf(result, object, atMs),
  };
}

function sums(lists: readonly Values[]): Values {
  return (lists[0] ?? []).map((_, slot) => lists.reduce((sum, list) => sum + (list[slot] ?? 0), 0));
}

/** In the order in which they happened; a cron run is told at the slot that saw it. */
function marksOf({ cronRuns }: SimulationResult, object: SimulatedObject, atMs: readonly number[]): Mark[] {
  const { namespace, name, target, scales, desired } = object;
  const marks: Mark[] = [];
  for (const scale of scales) {
    const text = `${scale.from} → ${scale.to}: ${scale.cause}`;
    marks.push({ atMs: scale.atMs, kind: scale.to > scale.from ? "up" : "down", text });
    if (scale.limits.length > 0) {
      marks.push({ atMs: scale.atMs, kind: "limited", text: scale.limits.join(", ") });
    }
  }
  desired.forEach((value, slot) => {
    if (value === null)
      marks.push({ atMs: atMs[slot] ?? 0, kind: "trouble", text: "nothing could be decided" });
  });
  for (const run of cronRuns) {
    const isOurs = run.target === target || run.target === `FederatedHPA/${name}`;
    const slotMs = atMs.find((ms) => ms >= run.executionMs);
    if (run.namespace !== namespace || !isOurs || slotMs === undefined) continue;
    marks.push({ atMs: slotMs, kind: "cron", text: `rule ${run.rule}: ${run.effect} (${run.outcome})` });
  }
  return marks.sort((a, b) => a.atMs - b.atMs);
}
