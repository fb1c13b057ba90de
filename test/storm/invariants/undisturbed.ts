import { decideScale } from "#domain/scale/decide";
import type { Decision } from "#domain/scale/decision";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { Beat } from "#domain/work/beat";
import type { Intent } from "#domain/work/intent";
import type { Decided, Fact, Story } from "#test/storm/facts";
import { sameJson } from "#wire/json";
import type { State } from "#wire/state";
import {
  distinct,
  type Evaluator,
  fresh,
  repeated,
  type Scale,
  throughCodec,
  withoutFormer,
  withSample,
  withScales,
} from "./evaluator.ts";
import { scalesOf } from "./landed-scales.ts";
import { messageIn } from "./message-in.ts";

type StateStored = Extract<Fact, { readonly what: "state" }>;

/** An evaluation that counts: it was stored, by a write of its own or by its shard's heartbeat. */
export interface Counted {
  readonly object: string;
  readonly instantMs: number;
  readonly atMs: number;
  readonly decided: Decided;
  /** What the undisturbed evaluator decides from the same snapshot, where that is something else. */
  readonly instead?: Decision;
  /** It is not newer than the one before. */
  readonly isBackwards: boolean;
}

export interface Undisturbed {
  readonly counted: readonly Counted[];
  /** Evaluations by their `decided` fact that were stored, or that a later one stands for. */
  readonly stored: ReadonlySet<Decided>;
}

/**
 * Plays the evaluations of a storm again, one after the other, for an evaluator that nothing ever happened to: it sees
 * the same snapshots, keeps every recommendation as a sample of its own and never forgets one, knows of each scale when
 * it happens, and reads its state through the same codec.
 *
 * An evaluation counts when it was stored: by a write of the state that has its instant, or by a heartbeat of the
 * invocation that made it. What a crash or the table kept from being stored never was.
 */
export function undisturbed(story: Story): Undisturbed {
  const known = played.get(story) ?? play(story);
  played.set(story, known);
  return known;
}

/** Several invariants ask for it. */
const played = new WeakMap<Story, Undisturbed>();

function play(story: Story): Undisturbed {
  const { facts } = story;
  const landedAt = new Map(scalesOf(story).landed.map((landed) => [landed.index, landed]));
  const evaluators = new Map<string, Evaluator>();
  /** The last decision of each invocation on each object for each instant. */
  const decisions = new Map<string, Fact & Decided>();
  const beatShards = new Map<string, string | undefined>();
  const goneTargets = new Set<string>();
  const happened: Scale[] = [];
  const announced = new Map<string, Pick<Scale, "objectUid" | "targetUid">>();
  /** Each object's decision whose intent is open, once it counted. */
  const open = new Map<string, Decided>();
  const counted: Counted[] = [];
  const stored = new Set<Decided>();
  const begunMs = new Map<string, number>();
  /** When an invocation gave up on its PUT for an object, whose outcome it does not know. */
  const gaveUpMs = new Map<string, number>();
  /** Invocations that are over: what they still write was under way when their time was up. */
  const ended = new Set<string>();
  /** When an evaluation of an object last counted. */
  const countedMs = new Map<string, number>();
  /** When an object's item, or a shard's heartbeat, was last read as it was before its last write. */
  const staleMs = new Map<string, number>();
  /** The slot that each shard's heartbeat stands for. */
  const beatMs = new Map<string, number>();
  /** The objects of the shard messages that an invocation got. */
  const members = new Map<string, ReadonlySet<string>>();

  /** `keeps`: it leaves a trace; a failure that goes on leaves none. `shard`: whose heartbeat stands for it. */
  function count(decided: Fact & Decided, atMs: number, keeps: boolean, shard?: string): void {
    const { object, snapshot } = decided;
    const { uid } = snapshot.object;
    const former = evaluators.get(object);
    const before = former?.uid === uid ? former : fresh(uid);
    const own = happened.filter((scale) => scale.object === object && scale.objectUid === uid);
    const known = knownOf(own, decided);
    const given = before.pasts.flatMap((past) => known.map((scales) => withScales(past, scales)));
    const possible = given.map((past) => ({
      past,
      decision: decideScale(snapshot, past.history, DEFAULT_POLICY),
    }));
    const right = possible.filter(({ decision }) => isSame(essenceOf(decision), essenceOf(decided.decision)));
    const { instantMs } = snapshot;
    stored.add(decided);
    countedMs.set(object, atMs);
    counted.push({
      ...{ object, instantMs, atMs, decided, isBackwards: instantMs <= before.lastMs },
      ...(right.length > 0 ? {} : { instead: (possible[0] as (typeof possible)[number]).decision }),
    });
    if (!keeps) return;
    const pasts = (right.length > 0 ? right : possible.slice(0, 1)).map(({ past, decision }) => ({
      history: withSample(past.history, throughCodec(decision.history), decision),
      scales: past.scales,
    }));
    const { by } = decided;
    evaluators.set(object, {
      uid,
      pasts: distinct(pasts),
      lastMs: instantMs,
      by,
      ...(shard === undefined ? {} : { shard }),
      former: withoutFormer(before),
    });
  }

  /**
   * What the evaluation may know of these scales: of those that came while it was under way, and of those whose target is
   * gone, all or none, whatever it knows of the others (seed 172 of 30 minutes: one of each). Its invocation's own scale
   * comes so where its PUT got no answer and landed while the object's next message was worked (seed 9 of 30 minutes).
   */
  function knownOf(scales: readonly Scale[], { by }: Decided): readonly (readonly Scale[])[] {
    const sinceOwnMs = (object: string) => gaveUpMs.get(`${by} ${object}`) ?? Number.POSITIVE_INFINITY;
    const isLate = (scale: Scale) =>
      scale.sinceMs >= (scale.by === by ? sinceOwnMs(scale.object) : (begunMs.get(by) ?? 0));
    const isOfGone = ({ targetUid }: Scale) => goneTargets.has(targetUid);
    const withoutSome = (sets: readonly (readonly Scale[])[], isUnsure: (scale: Scale) => boolean) =>
      scales.some(isUnsure) ? [...sets, ...sets.map((set) => set.filter((one) => !isUnsure(one)))] : sets;
    return withoutSome(withoutSome([scales], isLate), isOfGone);
  }

  /**
   * It was decided from an old read of the state, and had nothing new to say against that: its recommendation is lost, and
   * the one that was stored before stands for its instant too (docs/reliability.md, "One sample, after an old read").
   */
  function isFromOldRead({ by, object, history }: Decided): boolean {
    if ((staleMs.get(object) ?? 0) < (begunMs.get(by) ?? 0)) return false;
    const readUpToMs = Math.max(0, ...history.recommendations.map(({ lastMs }) => lastMs));
    return readUpToMs < (evaluators.get(object)?.lastMs ?? 0);
  }

  /**
   * A heartbeat of before, which stood for a slot that came to nothing, may carry an older event's recommendation as far as
   * that slot (seed 86 of 30 minutes; docs/reliability.md, "An event that is worked after …").
   */
  function maySpeakFor(object: string, { beatShard = "", lastInstantMs }: State): void {
    const spokenMs = beatMs.get(beatShard) ?? 0;
    const evaluator = evaluators.get(object);
    if (evaluator === undefined || spokenMs <= lastInstantMs) return;
    const carried = repeated(evaluator.pasts, spokenMs);
    evaluators.set(object, { ...evaluator, pasts: distinct([...evaluator.pasts, ...carried]) });
  }

  /** Who is left alone as soon as it is made anew takes over the scale that its predecessor left open (seed 121 of 30 minutes). */
  function announce({ id, target }: Intent, objectUid: string): void {
    const former = announced.get(id);
    announced.set(id, { objectUid, targetUid: target.uid });
    if (former === undefined || former.objectUid === objectUid) return;
    for (const [i, scale] of happened.entries())
      if (scale.intentId === id) happened[i] = { ...scale, objectUid };
  }

  /** Whether the heartbeat that alone stands for the last evaluation may not have been seen by this invocation. */
  function readsOldBeat(by: string, { shard = "" }: Evaluator): boolean {
    return (staleMs.get(shard) ?? 0) > (begunMs.get(by) ?? 0);
  }

  function begunBefore(by: string, atMs: number): boolean {
    return (begunMs.get(by) ?? 0) < atMs;
  }

  /**
   * The latest recommendation stands for this instant too: where a heartbeat landed after its invocation was over, and met
   * or was met by a state of another's that knew nothing of it (docs/reliability.md, "A heartbeat that arrives …"), and see
   * `isFromOldRead`.
   */
  function repeatLatest(object: string, instantMs: number): void {
    const evaluator = evaluators.get(object);
    if (evaluator === undefined) return;
    const pasts = repeated(evaluator.pasts, instantMs);
    evaluators.set(object, { ...evaluator, pasts, lastMs: instantMs });
  }

  /** An evaluation that a write of the state stores, where `known` was the last. */
  function countStored(made: Fact & Decided, fact: StateStored, known?: Evaluator): void {
    const { object, by, state, atMs } = fact;
    if (ended.has(by) && isCovered(evaluators.get(object), state)) {
      stored.add(made);
      return;
    }
    const isOverlaid = known?.lateMs !== undefined && begunBefore(by, known.lateMs);
    const isNewer = known !== undefined && state.lastInstantMs > known.lastMs;
    if (known?.former === undefined || !(isOverlaid || readsOldBeat(by, known))) {
      count(made, atMs, true);
      return;
    }
    // Of a newer one it is open whether it knew of the heartbeat (seeds 8630, 9643).
    const pasts = isNewer ? [...known.former.pasts, ...known.pasts] : known.former.pasts;
    evaluators.set(object, { ...known.former, pasts });
    count(made, atMs, true);
    if (!isNewer) repeatLatest(object, known.lastMs);
  }

  for (const [index, fact] of facts.entries()) {
    const landed = landedAt.get(index);
    if (landed !== undefined) {
      const { put, uid: targetUid, from, to, atMs: sinceMs } = landed;
      const { object, objectUid, by, intent } = put;
      const { id: intentId, atMs } = intent;
      happened.push({ sinceMs, object, objectUid, targetUid, intentId, from, to, atMs, by });
    }
    switch (fact.what) {
      case "began":
        begunMs.set(fact.by, fact.atMs);
        break;
      case "log":
        if (fact.message === "decision" && fact.fields.result === "unknown")
          gaveUpMs.set(`${fact.by} ${fact.fields.object}`, fact.atMs);
        break;
      case "ended":
        ended.add(fact.by);
        break;
      case "stale-read":
        staleMs.set(fact.shard ?? fact.object, fact.atMs);
        break;
      case "handed-out": {
        const message = fact.queue === "reconcile" ? messageIn(facts, fact.body) : undefined;
        if (message?.kind !== "shard") break;
        const names = message.objects.map(({ namespace, name }) => `${namespace}/${name}`);
        members.set(`${fact.by} ${message.shard}`, new Set(names));
        break;
      }
      case "record": {
        const { intentId, from, to, atMs } = fact.record;
        const intent = announced.get(intentId);
        if (intent === undefined) break;
        if (happened.some((scale) => scale.intentId === intentId)) break;
        const { object, by, atMs: sinceMs } = fact;
        happened.push({ sinceMs, object, ...intent, intentId, from, to, atMs, by });
        break;
      }
      case "gone":
        goneTargets.add(fact.uid);
        break;
      case "decided":
        decisions.set(keyOf(fact.by, fact.object, fact.snapshot.instantMs), fact);
        break;
      case "state": {
        const { object, by, state } = fact;
        beatShards.set(object, state.beatShard);
        if (state.intent !== undefined) announce(state.intent, state.uid);
        const known = evaluators.get(object);
        if (known?.former !== undefined && isTakenBack(known, fact)) evaluators.set(object, known.former);
        const made = decisions.get(keyOf(by, object, state.lastInstantMs));
        // Two messages of one invocation for one instant: the outcome is of the one that announced it (seed 1654).
        const isOutcome = isOf(open.get(object), fact);
        if (state.intent === undefined || !isOutcome) open.delete(object);
        if (state.intent !== undefined && made !== undefined && !isOutcome) open.set(object, made);
        if (made !== undefined && !stored.has(made) && !isOutcome) countStored(made, fact, known);
        maySpeakFor(object, state);
        break;
      }
      case "beat": {
        const { by, shard, beat } = fact;
        beatMs.set(shard, beat.lastMs);
        for (const object of members.get(`${by} ${shard}`) ?? []) {
          const made = decisions.get(keyOf(by, object, beat.lastMs));
          if (made === undefined || stored.has(made) || isExcepted(beat, object)) continue;
          if (beat.lastMs <= (evaluators.get(object)?.lastMs ?? 0)) {
            // Decided from what was read before another's evaluation was stored, for this instant or a later one. That
            // stands, and the heartbeat adds nothing to it: there is nothing to store.
            stored.add(made);
            continue;
          }
          if (made.decision.recommended && beatShards.get(object) !== shard) continue;
          if (made.decision.recommended && isFromOldRead(made)) {
            stored.add(made);
            repeatLatest(object, beat.lastMs);
            continue;
          }
          const known = evaluators.get(object);
          const isLate = ended.has(by) && made.decision.recommended;
          if (isLate && begunBefore(by, countedMs.get(object) ?? 0)) {
            stored.add(made);
            repeatLatest(object, beat.lastMs);
          } else count(made, fact.atMs, made.decision.recommended, shard);
          const after = evaluators.get(object);
          if (!isLate || known === undefined || after === undefined) continue;
          evaluators.set(object, { ...after, lateMs: fact.atMs, former: withoutFormer(known) });
        }
        break;
      }
    }
  }
  return { counted, stored };
}

/**
 * The heartbeat that the state relies on stands for a later slot already (docs/reliability.md, "A state's write that
 * arrives …").
 */
function isCovered(
  evaluator: Evaluator | undefined,
  { lastInstantMs, beatShard }: StateStored["state"],
): boolean {
  return evaluator?.shard !== undefined && evaluator.shard === beatShard && lastInstantMs < evaluator.lastMs;
}

/**
 * By its own invocation, whose scale met a target that had moved; or it was of a slot that was sent out twice while shards
 * changed, and only the heartbeat of the shard that the object has left stood for it (docs/reliability.md).
 */
function isTakenBack({ by, shard, lastMs }: Evaluator, fact: StateStored): boolean {
  const { lastInstantMs, beatShard } = fact.state;
  if (by === fact.by) return lastInstantMs < lastMs;
  return lastInstantMs === lastMs && shard !== undefined && beatShard !== undefined && shard !== beatShard;
}

/** Whether an invocation decided so for the instant of what it stores. */
function isOf(decided: Decided | undefined, { by, state }: StateStored): boolean {
  return decided?.by === by && decided.snapshot.instantMs === state.lastInstantMs;
}

function keyOf(by: string, object: string, instantMs: number): string {
  return `${by} ${object} ${instantMs}`;
}

function isExcepted({ except = {} }: Beat, object: string): boolean {
  return object in except;
}

/** What a decision comes to. */
export function essenceOf({
  currentReplicas,
  desiredReplicas,
  scale,
  held,
  status,
  recommended,
  trace,
}: Decision) {
  const conditions = status.conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`);
  const { limits } = trace;
  return { currentReplicas, desiredReplicas, scale, held: held?.reason, conditions, recommended, limits };
}

/** Both are made the same way, so their texts mostly are the same where they are. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right) || sameJson(left, right);
}
