import { shortId } from "#domain/units/short-id";
import { type ShardMode, shardOf } from "#domain/work/shards";
import { delaySeconds } from "#domain/work/slots";
import type { Turn, TurnStep } from "#domain/work/turn";
import { isPortFault, PortFault } from "#ports/fault";
import { type ObjectId, objectPartition, TURN } from "#wire/keys";
import { decodeTurn, encodeTurn, replacesTurn, type StoredTurn } from "#wire/turn";
import type { EventMessage, LaterMessage } from "#wire/work";
import type { RouteDeps } from "./deps.ts";

const TRIES = 5;

/** Takes objects' turns for one invocation: those of one object after each other, from what is known of it by then. */
export interface Turns {
  /** Does what the claim makes of the object's turn; a message that is not accepted is a `PortFault`. */
  take(id: ObjectId, claim: Claim): Promise<void>;
}

export interface Claim {
  readonly decide: (turn: Turn | undefined, nowMs: number) => TurnStep;
  /** Asked before anything is done: whether it is for nothing after all. */
  readonly isVain?: () => Promise<boolean>;
}

export function openTurns(deps: RouteDeps, modeOf: (hub: string) => Promise<ShardMode>): Turns {
  const latest = new Map<string, Promise<unknown>>();
  /** As read or stored by this invocation. */
  const known = new Map<string, StoredTurn>();

  async function read(id: ObjectId): Promise<StoredTurn> {
    const key = { pk: objectPartition(id), sk: TURN };
    return decodeTurn(await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true }));
  }

  /**
   * An evaluation that is pending sees this event only if it was so when the event was here already: hence never an older
   * read, whose evaluation may have been sent, and which a clock that is behind still takes for pending (storm seed 1334).
   */
  async function takeNow(id: ObjectId, { decide, isVain }: Claim): Promise<void> {
    const name = objectPartition(id);
    for (let attempt = 1; ; attempt++) {
      const stored = known.get(name) ?? (await read(id));
      known.set(name, stored);
      const step = decide(stored.turn, deps.clock.nowMs());
      if (step.do === "nothing" || (attempt === 1 && (await isVain?.()))) return;
      if (!("turn" in step) || (await store(id, step.turn, stored))) return send(id, step);
      known.delete(name);
      if (attempt === TRIES)
        throw new PortFault("conflict", `take the turn of ${name}: others took it ${TRIES} times`);
    }
  }

  async function store(id: ObjectId, turn: Turn, former: StoredTurn): Promise<boolean> {
    try {
      await deps.table.put(encodeTurn(id, turn, former, deps.ids.next()), replacesTurn(former));
      known.set(objectPartition(id), { turn, version: former.version + 1 });
      return true;
    } catch (error) {
      if (isPortFault(error, "conflict")) return false;
      throw error;
    }
  }

  async function send(id: ObjectId, step: TurnStep): Promise<void> {
    if (step.do === "send") await sendEvaluation(deps, id, await modeOf(id.hub), step.turn.as);
    else if (step.do === "send-again") await sendEvaluation(deps, id, await modeOf(id.hub), step.as);
    else if (step.do === "wait") await sendLater(deps, id, step.turn.pending);
    else if (step.do === "wait-again") await sendLater(deps, id, step.pending);
  }

  return {
    take(id, claim) {
      const name = objectPartition(id);
      const taken = (latest.get(name) ?? Promise.resolve()).then(() => takeNow(id, claim));
      latest.set(
        name,
        taken.catch(() => {}),
      );
      return taken;
    },
  };
}

/** Into the group of the object's shard, so that no slot's evaluation runs beside it; known by the event's id (B83). */
async function sendEvaluation(
  deps: RouteDeps,
  { hub, namespace, name }: ObjectId,
  mode: ShardMode,
  eventId: string,
): Promise<void> {
  const object = { namespace, name };
  const shard = shardOf(object, mode);
  const body: EventMessage = { v: 1, kind: "event", hub, shard, object, eventId };
  const message = {
    body: JSON.stringify(body),
    groupId: shortId(`${hub}:${shard}`),
    deduplicationId: shortId(`${hub}:${namespace}/${name}:${eventId}`),
  };
  await accepted(deps, "reconcile", message);
}

async function sendLater(
  deps: RouteDeps,
  { hub, namespace, name }: ObjectId,
  { untilMs, eventId }: Required<Turn>["pending"],
): Promise<void> {
  const body: LaterMessage = { v: 1, kind: "later", hub, object: { namespace, name }, untilMs, eventId };
  const message = { body: JSON.stringify(body), delaySeconds: delaySeconds(deps.clock.nowMs(), untilMs) };
  await accepted(deps, "route", message);
}

async function accepted(deps: RouteDeps, queue: string, message: { body: string }): Promise<void> {
  const [failed] = await deps.queue.send(queue, [message]);
  if (failed !== undefined)
    throw new PortFault("unavailable", `send to the ${queue} queue: not accepted (${failed.reason})`);
}
