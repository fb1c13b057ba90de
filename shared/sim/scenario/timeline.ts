import { parseInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import type { Outcome } from "#sim/api/failure";
import { type KubeObject, keyOf } from "#sim/api/object";
import type { Controller } from "#sim/controller";
import { throwSwitch } from "#sim/hub/faults";
import { keyTextOf, readKeyText } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import type { Action, Entry } from "./entry.ts";

interface TimelineSpec {
  readonly start?: string;
  readonly timeline?: readonly Entry[];
}

interface TimelineStatus {
  /** How many entries have run. */
  readonly done?: number;
  /** What an API server said to those that it refused. */
  readonly refusals?: readonly string[];
}

/**
 * Lets the entries of a stored Scenario happen, each at its instant. How far it has come stands in the Scenario's
 * status; an entry that a crash cut off from its mark runs again, which changes nothing.
 */
export function timeline(hub: ApiServer): Controller {
  const queue = new WorkQueue();
  const scenarios = new Writer(hub, KINDS.scenarios);

  return {
    name: "timeline",
    queue,
    observe(change, at) {
      if (at === hub && isOf(change, KINDS.scenarios)) queue.touch(keyTextOf(change.object));
    },
    reconcile(key, nowMs) {
      const { name } = readKeyText(key);
      const scenario = hub.store.get(KINDS.scenarios, undefined, name);
      if (scenario === undefined) return undefined;
      const { start = "", timeline: entries = [] } = (scenario.spec ?? {}) as TimelineSpec;
      const { done = 0, refusals = [] } = (scenario.status ?? {}) as TimelineStatus;
      const startMs = parseInstant(start);
      const entry = entries[done];
      if (startMs === undefined || entry === undefined) return undefined;
      const atMs = startMs + entry.afterSeconds * 1000;
      if (nowMs < atMs) return atMs;
      const refusal = run(entry, nowMs);
      const status = {
        done: done + 1,
        ...(refusal === undefined && refusals.length === 0
          ? {}
          : { refusals: refusal === undefined ? refusals : [...refusals, refusal] }),
      };
      scenarios.updateStatus(scenario, status, nowMs);
      return undefined;
    },
  };

  function run(entry: Entry, nowMs: number): string | undefined {
    const outcome = perform(entry, nowMs);
    if (outcome === undefined) return `after ${entry.afterSeconds} s: no such kind on the hub`;
    return outcome.ok ? undefined : `after ${entry.afterSeconds} s: ${outcome.status.message}`;
  }

  /** Undefined where the hub does not serve the kind. */
  function perform(action: Action, nowMs: number): Outcome<KubeObject> | undefined {
    const write = { nowMs, fieldManager: "scenario" };
    switch (action.do) {
      case "fault":
        return throwSwitch(hub, action.cluster, action.fault, nowMs);
      case "apply": {
        const type = hub.catalogue.findKind(action.manifest.apiVersion, action.manifest.kind);
        const patch = { type: "apply", body: action.manifest } as const;
        return type && hub.patch(type, keyOf(action.manifest), patch, { ...write, force: true });
      }
      case "scale": {
        const type = hub.catalogue.findKind(action.target.apiVersion, action.target.kind);
        const patch = { type: "merge", body: { spec: { replicas: action.replicas } } } as const;
        return type && hub.patchScale(type, action.target, patch, write);
      }
      case "delete": {
        const type = hub.catalogue.findKind(action.target.apiVersion, action.target.kind);
        return type && hub.delete(type, action.target, { nowMs });
      }
    }
  }
}
