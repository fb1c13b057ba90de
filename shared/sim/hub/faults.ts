import { parseInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import type { Outcome } from "#sim/api/failure";
import type { KubeObject } from "#sim/api/object";
import { KINDS } from "#sim/kinds";

/**
 * The switches for a member's faults: annotations of its Cluster on the hub, so that they are stored like all else and
 * can be thrown with `kubectl annotate cluster member2 sim.mainsheet.io/cut-off=true`.
 */
export const FAULT = {
  /** The hub cannot reach the member; its pods run on. `true`, or the instant since when. */
  cutOff: "sim.mainsheet.io/cut-off",
  /** Set by the fleet while a cluster that was cut off proves itself again: the instant since when. */
  recovering: "sim.mainsheet.io/recovering-since",
  /** The member's metrics APIs answer 503. */
  metrics: "sim.mainsheet.io/metrics",
  /** Every answer takes so many milliseconds longer. */
  slow: "sim.mainsheet.io/slow-milliseconds",
} as const;

function annotation(cluster: KubeObject | undefined, name: string): string | undefined {
  return cluster?.metadata.annotations?.[name];
}

export function isCutOff(cluster: KubeObject | undefined): boolean {
  const value = annotation(cluster, FAULT.cutOff);
  return value !== undefined && value !== "false";
}

export function metricsFail(cluster: KubeObject | undefined): boolean {
  return annotation(cluster, FAULT.metrics) === "fail";
}

/** 0 where nothing slows it down. */
export function slowMs(cluster: KubeObject | undefined): number {
  const value = Number(annotation(cluster, FAULT.slow) ?? 0);
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/** An instant in an annotation; undefined for `true` and whatever else is none. */
export function instantIn(cluster: KubeObject, name: string): number | undefined {
  return parseInstant(annotation(cluster, name) ?? "");
}

/** What goes wrong with a member, or stops to. */
export type Fault =
  | { readonly kind: "cut-off" | "reconnect" | "fail-metrics" | "restore-metrics" }
  | { readonly kind: "slow"; readonly milliseconds: number };

/** Throws a switch, as an annotation on the member's Cluster. */
export function throwSwitch(
  hub: ApiServer,
  cluster: string,
  fault: Fault,
  nowMs: number,
): Outcome<KubeObject> {
  const type = hub.catalogue.find("cluster.karmada.io/v1alpha1", KINDS.clusters.resource);
  if (type === undefined) throw new Error("invariant: the hub serves no clusters");
  const body = { metadata: { annotations: annotationsFor(fault) } };
  return hub.patch(type, { name: cluster }, { type: "merge", body }, { nowMs, fieldManager: "scenario" });
}

function annotationsFor(fault: Fault): Readonly<Record<string, string | null>> {
  switch (fault.kind) {
    case "cut-off":
      return { [FAULT.cutOff]: "true" };
    case "reconnect":
      return { [FAULT.cutOff]: null };
    case "fail-metrics":
      return { [FAULT.metrics]: "fail" };
    case "restore-metrics":
      return { [FAULT.metrics]: null };
    case "slow":
      return { [FAULT.slow]: fault.milliseconds > 0 ? String(fault.milliseconds) : null };
  }
}
