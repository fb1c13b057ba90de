import { recordDecisions } from "#app/ledger/record-decisions";
import type { ClusterGate } from "#app/load/context";
import { type Load, openLoad } from "#app/load/open-load";
import { groupBy } from "#domain/units/group";
import type { ObjectKey } from "#domain/work/shards";
import { isLate, slotToEvaluate } from "#domain/work/slots";
import { isPortFault, PortFault } from "#ports/fault";
import type { EventMessage, ObjectMessage, ShardMessage } from "#wire/work";
import { isBesideSlots } from "./beside-slots.ts";
import { type Breakers, openBreakers } from "./breakers.ts";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { type ObjectWork, timed } from "./event-work.ts";
import { isolateShard } from "./isolate-objects.ts";
import { logOutcomes } from "./log-outcomes.ts";
import { measureOutcomes } from "./measure-outcomes.ts";
import type { Outcome } from "./outcome.ts";
import { CULPRIT_AFTER, leaveAlone, quarantine } from "./quarantine.ts";
import { reconcileObject } from "./reconcile-object.ts";
import { beatFor, bounded, type Invocation, isQuarantined, reconcileShard } from "./reconcile-shard.ts";
import { readState } from "./state-store.ts";
import { openTrials } from "./trial.ts";
import { untilTimeIsUp } from "./until-time-is-up.ts";

export type ReconcileMessage = ShardMessage | ObjectMessage | EventMessage;
/** A message with its instant. */
export type ReconcileWork = ShardMessage | ObjectWork;

/** What the queue says of a message beside its body. */
export interface Delivery {
  readonly messageId: string;
  /** ≥ 1; more than once means that an invocation died on it. */
  readonly receiveCount: number;
  /** When the queue took the message; absent: now. */
  readonly sentAtMs?: number;
}

/** What the messages of an invocation share of one hub. */
interface Shared {
  readonly load: Load;
  readonly breakers: Breakers;
}

/**
 * Opens one invocation of the reconcile: returns what works one message. The reads are shared by all messages of the
 * invocation, except that a second message for an object reads anew.
 */
export function openReconcile(
  deps: ReconcileDeps,
  messages: readonly ReconcileMessage[],
  signal: AbortSignal,
): (message: ReconcileMessage, delivery: Delivery) => Promise<void> {
  const shared = new Map<string, Shared>();
  for (const [hubName, ofHub] of groupBy(messages, ({ hub }) => hub)) {
    const hub = deps.hubs[hubName];
    if (hub === undefined) continue;
    const nowMs = deps.clock.nowMs();
    const slots = ofHub.map((message) => (message.kind === "event" ? nowMs : message.dueAtMs));
    const breakers = openBreakers(deps, hubName, Math.max(...slots));
    shared.set(hubName, { load: loadOn(deps, hubName, hub, breakers, ofHub.flatMap(objectsOf)), breakers });
  }
  const used = new Set<string>();
  const outOfTime = new Promise<Outcome>((resolve) => {
    signal.addEventListener("abort", () => resolve({ result: "out-of-time" }), { once: true });
  });

  const trials = openTrials(deps, signal);

  return async (sent, delivery) => {
    const nowMs = deps.clock.nowMs();
    const message = timed(sent, delivery.sentAtMs ?? nowMs, nowMs);
    const hub = deps.hubs[message.hub];
    const ofHub = shared.get(message.hub);
    if (hub === undefined || ofHub === undefined) {
      throw new PortFault("invalid", `reconcile hub ${message.hub}: no such hub in MAINSHEET_HUBS`);
    }
    if (delivery.receiveCount === 1) return work(message, delivery, hub, ofHub);
    if (message.kind === "shard") return isolateShard(deps, message);
    const { messageId, receiveCount } = delivery;
    const id = { hub: message.hub, namespace: message.object.namespace, name: message.object.name };
    if (receiveCount >= CULPRIT_AFTER && (await trials.diedOn(id, messageId)))
      return quarantine(deps, hub, message, delivery);
    return trials.run(id, messageId, () => work(message, delivery, hub, ofHub));
  };

  async function work(
    message: ReconcileWork,
    delivery: Delivery,
    hub: Hub,
    { load: first, breakers }: Shared,
  ): Promise<void> {
    if (isSuperseded(deps, message, delivery)) {
      deps.log.warn("periodic work dropped: a later slot is behind it", {
        hub: message.hub,
        dueAtMs: message.dueAtMs,
      });
      return;
    }

    const keys = objectsOf(message);
    const names = keys.map(({ namespace, name }) => `${message.hub}/${namespace}/${name}`);
    const isSecond = names.some((name) => used.has(name));
    for (const name of names) used.add(name);
    const reload = (objects: readonly ObjectKey[]) => loadOn(deps, message.hub, hub, breakers, objects);
    const load = isSecond ? reload(keys) : first;
    const startMs = deps.clock.nowMs();
    try {
      const invocation = { load, reload, outOfTime, timely: untilTimeIsUp(deps, hub, signal) };
      const outcomes =
        message.kind === "shard"
          ? await reconcileShard(deps, message, invocation)
          : await reconcileAlone(deps, message, invocation);
      await breakers.store();
      logOutcomes(deps, message, outcomes, startMs);
      if (typeof outcomes !== "string") {
        measure(deps, message, outcomes);
        await Promise.race([recordDecisions(deps, message, outcomes), outOfTime]);
      }
    } catch (error) {
      if (!isPortFault(error)) throw error;
      // Not a crash, and a redelivery would come too late to help: the next slot is the retry.
      deps.log.error("not evaluated; the next slot tries again", {
        hub: message.hub,
        work: workOf(message),
        fault: error.message,
      });
    }
  }
}

function measure(deps: ReconcileDeps, message: ReconcileWork, outcomes: ReadonlyMap<string, Outcome>): void {
  if (deps.telemetry === undefined) return;
  const { hub, dueAtMs } = message;
  const periodMs = deps.policy.syncPeriodSeconds * 1000;
  const isExtra = message.kind === "object" && message.event !== undefined;
  const turn = { hub, dueAtMs, endedAtMs: deps.clock.nowMs(), periodMs, isExtra };
  measureOutcomes(deps.telemetry, turn, outcomes);
}

/** Periodic work that comes more than a period late; what a crash has held up, and events, are not dropped. */
function isSuperseded(deps: ReconcileDeps, message: ReconcileWork, { receiveCount }: Delivery): boolean {
  if (receiveCount > 1) return false;
  if (message.kind === "object" && (message.afterCrash || message.event !== undefined)) return false;
  return isLate(deps.clock.nowMs(), message.dueAtMs, deps.policy.syncPeriodSeconds);
}

function workOf(message: ReconcileWork): string {
  return message.kind === "shard" ? message.shard : `o/${message.object.namespace}/${message.object.name}`;
}

function objectsOf(message: ReconcileMessage): readonly ObjectKey[] {
  return message.kind === "shard" ? message.objects : [message.object];
}

function loadOn(
  deps: ReconcileDeps,
  hubName: string,
  { port, cache, external }: Hub,
  gate: ClusterGate,
  keys: readonly ObjectKey[],
): Load {
  const nowMs = deps.clock.nowMs();
  const { readYaml } = deps;
  const optional = { ...(external ? { external } : {}), ...(readYaml ? { readYaml } : {}) };
  return openLoad({ hub: hubName, port, cache, gate, ...optional, nowMs }, keys);
}

/** An object that an event or a cron run concerns, or whose shard's invocation died: then however late. */
async function reconcileAlone(
  deps: ReconcileDeps,
  message: ObjectWork,
  { load, reload, outOfTime, timely }: Invocation,
): Promise<ReadonlyMap<string, Outcome>> {
  const { object, dueAtMs, event } = message;
  const group = event?.shard ?? message.shard;
  const instantMs =
    event === undefined
      ? slotToEvaluate(deps.clock.nowMs(), dueAtMs, deps.policy.syncPeriodSeconds)
      : dueAtMs;
  const id = { hub: message.hub, namespace: object.namespace, name: object.name };
  const work = async () => {
    const state = await readState(deps, id);
    const isLeftAlone = state !== undefined && isQuarantined(state, object, dueAtMs);
    if (isLeftAlone && !message.redriven) return leaveAlone(timely.deps, timely.hub, id, state, instantMs);
    const beat = await beatFor(deps, id, state);
    if (group === undefined && !isLeftAlone && (await isBesideSlots(deps, id, state, beat, dueAtMs)))
      return { result: "elsewhere" } as const;
    return reconcileObject(timely.deps, {
      id,
      hub: timely.hub,
      instantMs,
      heardMs: event?.heardMs ?? dueAtMs,
      ...(group === undefined ? {} : { group }),
      ...(event === undefined ? {} : { shard: event.shard, isExtra: true }),
      ...(beat === undefined ? {} : { beat }),
      ...(state === undefined ? {} : { state }),
      load: (fresh) => timely.reads((fresh ? reload([object]) : load)(object, instantMs)),
    });
  };
  return new Map([[`${object.namespace}/${object.name}`, await bounded(work, outOfTime)]]);
}
