import { randomUUID } from "node:crypto";
import * as z from "zod";
import { milliAmountText } from "#domain/scale/amount-text";
import type { Action, ActionAnswer } from "#infra/browser/page/protocol";
import type { HostClock } from "#infra/local/clock";
import type { FleetHost } from "#infra/local/fleet-host";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import type { BusPort } from "#ports/bus";
import type { KubeObject } from "#sim/api/object";
import { throwSwitch } from "#sim/hub/faults";
import { KINDS } from "#sim/kinds";
import type { LoadSpec } from "#sim/load/load";
import { mainsheetEvent } from "#wire/events";
import type { FleetEye } from "./fleet-eye.ts";
import { askedMilli, changeable, demandOf, shapePatch, steadyFromNow } from "./load-change.ts";

const key = z.string().regex(/^[^/\s]{1,253}\/[^/\s]{1,253}$/);
const action = z.discriminatedUnion("do", [
  z.object({ do: z.literal("set-load"), object: key, demand: z.string().min(1).max(40) }),
  z.object({ do: z.literal("multiply-load"), object: key, factor: z.number().min(0).max(1000) }),
  z.object({ do: z.literal("restore-load"), object: key }),
  z.object({ do: z.enum(["cut-off", "reconnect"]), cluster: z.string().min(1).max(253) }),
  z.object({ do: z.literal("put-event"), object: key }),
]);

export interface ActionDeps {
  readonly host: FleetHost;
  readonly eye: FleetEye;
  readonly clock: HostClock;
  readonly bus: () => Promise<BusPort>;
}

export interface Actions {
  /** Does what the page asks for; what it says of it is one sentence. */
  run(body: unknown): Promise<ActionAnswer>;
  isLoadChanged(key: string): boolean;
}

/** What the page may do to an embedded fleet, by the same writes that kubectl would make. */
export function pageActions({ host, eye, clock, bus }: ActionDeps): Actions {
  /** The loads as they were before the reader changed them, by object. */
  const former = new Map<string, LoadSpec>();

  function setLoad(key: string, amountOf: (milli: number) => number | undefined): ActionAnswer {
    const load = eye.loadOn(key);
    const resource = load && changeable(load);
    if (load === undefined || resource === undefined) {
      return refused(`${key} has no Load on CPU or memory here; make one with kubectl`);
    }
    const nowMs = clock.nowMs();
    const milli = amountOf(askedMilli(load, resource, nowMs));
    if (milli === undefined) return refused("give an amount from 0 up, like 500m, 2 or 300Mi");
    const spec = load.spec as unknown as LoadSpec;
    const { since, shape } = steadyFromNow(load, resource, milli, nowMs);
    const answer = patchLoad(load, shapePatch(resource, shape, since));
    if (answer !== undefined) return refused(answer);
    if (!former.has(key)) former.set(key, spec);
    return done(`${key}: ${milliAmountText(resource, Math.round(milli))} ${resource} from now on`);
  }

  function restoreLoad(key: string): ActionAnswer {
    const load = eye.loadOn(key);
    const spec = former.get(key);
    const resource = load && changeable(load);
    if (load === undefined || spec === undefined || resource === undefined) {
      return refused(`the load of ${key} is as it was`);
    }
    const answer = patchLoad(load, shapePatch(resource, spec[resource], spec.since));
    if (answer !== undefined) return refused(answer);
    former.delete(key);
    return done(`${key}: the load is the scenario's again`);
  }

  /** What the hub said against it, if anything. */
  function patchLoad({ apiVersion, kind, metadata }: KubeObject, body: object): string | undefined {
    const { hub } = host.fleet;
    const type = hub.catalogue.findKind(apiVersion, kind);
    if (type === undefined) return "the hub serves no Loads any more";
    const { namespace, name = "" } = metadata;
    const of = namespace === undefined ? { name } : { namespace, name };
    const write = { nowMs: clock.nowMs(), fieldManager: MANAGER };
    const outcome = hub.patch(type, of, { type: "merge", body }, write);
    host.settle();
    return outcome.ok ? undefined : outcome.status.message;
  }

  function setCluster(cluster: string, kind: "cut-off" | "reconnect"): ActionAnswer {
    const { hub } = host.fleet;
    if (hub.store.get(KINDS.clusters, undefined, cluster) === undefined) {
      return refused(`there is no cluster ${cluster}`);
    }
    const outcome = throwSwitch(hub, cluster, { kind }, clock.nowMs());
    host.settle();
    if (!outcome.ok) return refused(outcome.status.message ?? "the hub refused it");
    return done(
      kind === "cut-off" ? `${cluster} is cut off: the hub cannot reach it` : `${cluster} is reachable again`,
    );
  }

  async function putEvent(key: string): Promise<ActionAnswer> {
    if (eye.placed(key) === undefined) return refused(`there is no FederatedHPA ${key}`);
    const [namespace = "", name = ""] = key.split("/");
    const detail = { v: 1, id: randomUUID(), hub: LOCAL_HUBS.embedded, namespace, name } as const;
    const event = mainsheetEvent(
      "ReconcileRequested",
      { ...detail, reason: "asked for on the page" },
      clock.nowMs(),
    );
    const [failed] = await (await bus()).put([event]);
    if (failed !== undefined) return refused(failed.reason);
    return done(`ReconcileRequested for ${key} is on the bus`);
  }

  return {
    async run(body) {
      const read = action.safeParse(body);
      if (!read.success) return refused(`this is no action: ${z.prettifyError(read.error).split("\n")[0]}`);
      const asked: Action = read.data;
      switch (asked.do) {
        case "set-load":
          return setLoad(asked.object, () => demandOf(asked.demand));
        case "multiply-load":
          return setLoad(asked.object, (milli) => milli * asked.factor);
        case "restore-load":
          return restoreLoad(asked.object);
        case "cut-off":
        case "reconnect":
          return setCluster(asked.cluster, asked.do);
        case "put-event":
          return putEvent(asked.object);
      }
    },
    isLoadChanged: (key) => former.has(key),
  };
}

/** Who writes, in managedFields. */
const MANAGER = "mainsheet-page";

function done(message: string): ActionAnswer {
  return { ok: true, message };
}

function refused(message: string): ActionAnswer {
  return { ok: false, message };
}
