import { hubFor } from "#app/reconcile/mode";
import { evaluationInstant } from "#domain/cron/evaluation-instant";
import type { CronFederatedHpa } from "#domain/spec/cron-federated-hpa";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { isPortFault, PortFault } from "#ports/fault";
import type { KubernetesPort } from "#ports/kubernetes";
import { decodeCronFederatedHpa } from "#wire/cron-federated-hpa";
import { type CronBeat, decodeCronBeat, encodeCronBeat } from "#wire/cron-state";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { CRON_BEAT, cronPartition, fleetPartition, STATE } from "#wire/keys";
import { CRON_FEDERATED_HPAS, FEDERATED_HPAS } from "#wire/kubernetes/resources";
import type { CronMessage } from "#wire/work";
import { cronStateOf } from "./cron-store.ts";
import type { CronDeps, CronTurn } from "./deps.ts";
import { type CronOutcome, evaluateObject } from "./evaluate-object.ts";

/** What the queue says of the message, and how long the invocation lasts. */
export interface CronDelivery {
  /** ≥ 1. */
  readonly receiveCount: number;
  readonly isOutOfTime: () => boolean;
}

export type HubOutcome =
  | {
      readonly result: "evaluated";
      readonly objects: number;
      readonly runs: number;
      /** Of these, those that were not done, or were found too late. */
      readonly runsFailed: number;
      readonly retried: number;
      readonly busy: number;
      readonly failed: number;
    }
  /** An evaluation has been past this instant. */
  | { readonly result: "duplicate" }
  /** It failed before, and a later message is behind it. */
  | { readonly result: "late" };

const PERIOD_MS = 60_000;

/**
 * Evaluates every CronFederatedHPA of a hub over (last evaluated, now], side by side, then writes the heartbeat that
 * stands for the evaluation of all that needed no write. An object that fails is its own outcome; the heartbeat names it
 * with the instant up to which it was evaluated before. Cost: one LIST, a BatchGet, one write, and what is due.
 */
export async function evaluateHub(
  deps: CronDeps,
  message: CronMessage,
  { receiveCount, isOutOfTime }: CronDelivery,
): Promise<HubOutcome> {
  const hub = deps.hubs[message.hub];
  if (hub === undefined) {
    throw new PortFault("invalid", `cron of hub ${message.hub}: no such hub in MAINSHEET_HUBS`);
  }
  const clockMs = deps.clock.nowMs();
  if (receiveCount > 1 && clockMs - message.dueAtMs > PERIOD_MS) return { result: "late" };
  const beatKey = { pk: fleetPartition(message.hub), sk: CRON_BEAT };
  const beat = decodeCronBeat(await deps.table.get(beatKey, { nowMs: clockMs, consistent: true }));
  const nowMs = evaluationInstant(clockMs, message.dueAtMs);
  // By a clock that is behind, now may be before what was evaluated for this very message: the heartbeat never goes back.
  if (beat !== undefined && Math.min(message.dueAtMs, nowMs) <= beat.lastMs) return { result: "duplicate" };
  const objects = await readObjects(deps, message.hub);
  const ids = objects.map(({ namespace, name }) => ({ hub: message.hub, namespace, name }));
  const keys = ids.map((id) => ({ pk: cronPartition(id), sk: STATE }));
  const items = await deps.table.getMany(keys, { nowMs: clockMs });
  const federatedHpas = sharedByNamespace(hub.port);
  const outcomes = await Promise.all(
    objects.map(async (object, i): Promise<readonly [string, CronOutcome]> => {
      const id = ids[i] as (typeof ids)[number];
      const name = nameOf(object);
      const beatUntilMs = evaluatedUntil(beat, name);
      const turn = {
        id,
        hub: hubFor(hub, object),
        object,
        nowMs,
        federatedHpas: () => federatedHpas(object.namespace),
        isOutOfTime,
      };
      const memory = beatUntilMs === undefined ? {} : { beatUntilMs };
      return [name, await evaluateOne(deps, { ...turn, ...memory }, items[i])];
    }),
  );
  await writeBeat(deps, message.hub, beat, nowMs, outcomes);
  return summary(outcomes);
}

async function readObjects(deps: CronDeps, hub: string): Promise<readonly CronFederatedHpa[]> {
  const { items } = await (deps.hubs[hub] as CronDeps["hubs"][string]).port.list("hub", CRON_FEDERATED_HPAS);
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(decodeCronFederatedHpa)
    .filter((object) => {
      const [fault] = object.invalid;
      if (fault === undefined) return true;
      deps.log.warn("CronFederatedHPA cannot be read and is passed over", {
        hub,
        object: nameOf(object),
        fault: `${fault.path}: ${fault.detail}`,
      });
      return false;
    });
}

function sharedByNamespace(port: KubernetesPort): (namespace: string) => Promise<readonly FederatedHpa[]> {
  const read = new Map<string, Promise<readonly FederatedHpa[]>>();
  return (namespace) => {
    const known = read.get(namespace);
    if (known !== undefined) return known;
    const list = port
      .list("hub", FEDERATED_HPAS, { namespace })
      .then(({ items }) => items.map(decodeFederatedHpa));
    read.set(namespace, list);
    return list;
  };
}

async function evaluateOne(
  deps: CronDeps,
  turn: CronTurn,
  item: Parameters<typeof cronStateOf>[1],
): Promise<CronOutcome> {
  if (turn.isOutOfTime()) return { result: "failed", message: "the invocation's time was up first" };
  try {
    const state = cronStateOf(turn.id, item);
    return await evaluateObject(deps, state === undefined ? turn : { ...turn, state });
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { result: "failed", message: error.message };
  }
}

function evaluatedUntil(beat: CronBeat | undefined, object: string): number | undefined {
  return beat?.behind?.[object] ?? beat?.lastMs;
}

/** When another evaluation wrote it first, that one has looked at the same objects. */
async function writeBeat(
  deps: CronDeps,
  hub: string,
  beat: CronBeat | undefined,
  nowMs: number,
  outcomes: readonly (readonly [string, CronOutcome])[],
): Promise<void> {
  const behind: [string, number][] = [];
  for (const [object, outcome] of outcomes) {
    if (outcome.result !== "failed") continue;
    behind.push([object, evaluatedUntil(beat, object) ?? 0]);
    deps.log.warn("CronFederatedHPA not evaluated; the next minute looks at the same instants again", {
      hub,
      object,
      fault: outcome.message,
    });
  }
  const next: CronBeat = {
    version: beat?.version ?? 0,
    lastMs: nowMs,
    ...(behind.length === 0 ? {} : { behind: Object.fromEntries(behind) }),
  };
  const condition =
    beat === undefined ? ({ if: "absent" } as const) : ({ if: "version", is: beat.version } as const);
  try {
    await deps.table.put(encodeCronBeat(hub, next, deps.ids.next()), condition);
  } catch (error) {
    if (!isPortFault(error, "conflict")) throw error;
  }
}

function summary(outcomes: readonly (readonly [string, CronOutcome])[]): HubOutcome {
  const all = outcomes.map(([, outcome]) => outcome);
  const count = (result: CronOutcome["result"]) => all.filter((outcome) => outcome.result === result).length;
  const evaluated = all.filter((outcome) => outcome.result === "evaluated");
  const runs = evaluated.flatMap(({ results }) => results);
  return {
    result: "evaluated",
    objects: all.length,
    runs: runs.length,
    runsFailed: runs.filter(({ outcome }) => outcome === "failed" || outcome === "missed").length,
    retried: evaluated.reduce((sum, { retried }) => sum + retried, 0),
    busy: count("busy"),
    failed: count("failed"),
  };
}

function nameOf({ namespace, name }: CronFederatedHpa): string {
  return `${namespace}/${name}`;
}
