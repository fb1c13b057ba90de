import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import type { MetricCurve, WorkloadLoad } from "./workload-load.ts";

/** Keeps the loads of a fleet's workloads as they should be. */
export interface LoadFeed {
  /** Before anything looks at the loads at this instant. */
  upTo(nowMs: number): void;
}

/**
 * A Load holds this much of what is to come: it is written anew with every change of its serving pods, so a day in one
 * piece would be written hundreds of times.
 */
const PIECE_SECONDS = 3600;
/** And this much of what has been, for the window of a sample that spans two pieces. */
const BACK_SECONDS = 120;
/** Curves are followed in steps. */
const STEP_SECONDS = 15;

/** The Load of a workload at the start: the first piece. */
export function firstLoad(load: WorkloadLoad, fromMs: number): KubeObject {
  const { target, name } = load;
  return {
    apiVersion: "mainsheet.io/v1alpha1",
    kind: "Load",
    metadata: { name, namespace: target.namespace },
    spec: pieceOf(load, fromMs, 0),
  };
}

/** Writes each piece when the one before is over. Throws where the hub refuses one, which is no Load of ours then. */
export function openLoadFeed(hub: ApiServer, loads: readonly WorkloadLoad[], fromMs: number): LoadFeed {
  let written = 0;
  return {
    upTo(nowMs) {
      const piece = Math.floor((nowMs - fromMs) / 1000 / PIECE_SECONDS);
      if (piece === written) return;
      written = piece;
      for (const load of loads) write(load, piece, nowMs);
    },
  };

  function write(load: WorkloadLoad, piece: number, nowMs: number): void {
    const type = hub.catalogue.findKind("mainsheet.io/v1alpha1", "Load");
    if (type === undefined) return;
    const key = { namespace: load.target.namespace, name: load.name };
    const patch = { type: "merge", body: { spec: pieceOf(load, fromMs, piece) } } as const;
    const outcome = hub.patch(type, key, patch, { nowMs, fieldManager: "simulate" });
    if (!outcome.ok)
      throw new Error(`invariant: the load ${key.namespace}/${key.name}: ${outcome.status.message}`);
  }
}

function pieceOf({ target, container, noisePercent, curves }: WorkloadLoad, fromMs: number, piece: number) {
  const sinceSeconds = piece * PIECE_SECONDS - BACK_SECONDS;
  const of = (where: MetricCurve["where"]) => curves.filter((curve) => curve.where === where);
  const shape = (curve: MetricCurve) => ({ steps: stepsOf(curve, sinceSeconds) });
  const series = (where: MetricCurve["where"]) =>
    of(where).map((curve) => ({
      name: curve.metric,
      ...(curve.labels === undefined ? {} : { labels: curve.labels }),
      ...(curve.object === undefined ? {} : { object: curve.object }),
      ...shape(curve),
    }));
  const [cpu] = of("cpu");
  const [memory] = of("memory");
  return {
    target: { apiVersion: target.apiVersion, kind: target.kind, name: target.name },
    since: formatInstant(fromMs + sinceSeconds * 1000),
    noisePercent,
    ...(container === undefined ? {} : { container }),
    ...(cpu === undefined ? {} : { cpu: shape(cpu) }),
    ...(memory === undefined ? {} : { memory: { idle: 0, ...shape(memory) } }),
    podMetrics: series("podMetrics"),
    objectMetrics: series("objectMetrics"),
    externalMetrics: series("externalMetrics"),
  };
}

/** The curve in steps from `sinceSeconds` to the end of the piece, each only where the amount changes. */
function stepsOf({ milliAt }: MetricCurve, sinceSeconds: number) {
  const steps: { afterSeconds: number; demand: string }[] = [];
  let last: string | undefined;
  for (let after = 0; after < BACK_SECONDS + PIECE_SECONDS; after += STEP_SECONDS) {
    const demand = `${Math.round(milliAt(Math.max(0, sinceSeconds + after)))}m`;
    if (demand !== last) steps.push({ afterSeconds: after, demand });
    last = demand;
  }
  return steps;
}
