import { concludeScale } from "#domain/scale/conclude";
import type { FederatedHpaStatus } from "#domain/spec/federated-hpa";
import type { FinalObject, Story, Violation } from "#test/storm/facts";
import { RECOVERY_SECONDS, SLOT_SECONDS } from "#test/storm/plan";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { sameJson } from "#wire/json";
import { decodeState, type State } from "#wire/state";
import { messageIn } from "./message-in.ts";
import { type Counted, undisturbed } from "./undisturbed.ts";

const SLOT_MS = SLOT_SECONDS * 1000;
const MODE = "mainsheet.io/mode";

/**
 * I6: visibility and three slots after the last fault, every object is evaluated in every slot (a later evaluation in the
 * slot's period, because of an event or a cron run, stands for it), every cluster is read, and at the end the object's
 * target and its status say what the last decision came to. (That the decisions themselves are the undisturbed ones is
 * I3.) An object in quarantine is left alone, and says so; only an object that invocations died on is in quarantine.
 */
export function wellAgain(story: Story): readonly Violation[] {
  const { counted } = undisturbed(story);
  const died = diedOn(story);
  return story.objects.flatMap((object): readonly Violation[] => {
    const say = (clause: string, text: string) => ({
      ...{ invariant: "I6", clause, atMs: story.endMs },
      text: `${object.object}: ${text}`,
    });
    const state = stateOf(story, object.object);
    const { status, uid, generation } = decodeFederatedHpa(object.raw);
    if (state?.uid === uid && state.quarantine !== undefined && state.quarantine.generation === generation) {
      const isCulprit = story.culprits?.includes(object.object) !== false && died.has(object.object);
      if (!isCulprit && !endsUnmarked(story, object.object))
        return [say("innocent", "it is in quarantine, and nothing died on it")];
      const tells = isSilent(object) || status.conditions.some(({ reason }) => reason === "Quarantined");
      return tells ? [] : [say("untrue", "it is in quarantine and does not say so")];
    }
    const own = counted.filter((one) => one.object === object.object);
    const aloneUntilMs = died.has(object.object) ? leftAloneUntilMs(story, object.object, uid) : 0;
    const missed = slotsIn(story).filter(
      (slot) =>
        slot > aloneUntilMs && !own.some(({ instantMs }) => instantMs >= slot && instantMs < slot + SLOT_MS),
    );
    if (missed.length > 0) {
      const times = missed.map((slot) => new Date(slot).toISOString().slice(11, 19)).join(", ");
      return [say("not-evaluated", `not evaluated at ${times}, though nothing is wrong any more`)];
    }
    const { atMs, decided } = own.at(-1) as Counted;
    const blind = decided.snapshot.members.filter(({ scale }) => !scale.ok && isPassing(scale.fault.code));
    if (blind.length > 0) {
      const names = blind.map(({ cluster }) => cluster).join(", ");
      return [{ ...say("blind", `${names} is not read, though it answers`), atMs }];
    }
    return untruths(object, own.at(-1) as Counted, status, state).map((text) => say("untrue", text));
  });
}

/**
 * Until when an object was left alone that no longer is: a cron run set its bounds, which ends a quarantine, when others
 * were well again (seed 550 of 5 minutes). 0 where nothing of the kind was.
 */
function leftAloneUntilMs({ facts }: Story, object: string, uid: string): number {
  const state = facts.findLast(
    (fact) => fact.what === "state" && fact.object === object && fact.state.quarantine !== undefined,
  );
  if (state?.what !== "state" || state.state.uid !== uid) return 0;
  const { quarantine: { untilMs = 0 } = {} } = state.state;
  const edit = facts.find((fact) => fact.what === "rebounded" && fact.uid === uid && fact.atMs > state.atMs);
  return edit === undefined ? 0 : Math.min(edit.atMs, untilMs);
}

/** The table did not take the mark that ends its trial (docs/reliability.md, "An innocent in quarantine"). */
function endsUnmarked({ facts }: Story, object: string): boolean {
  return facts.some(
    (fact) =>
      fact.what === "log" &&
      fact.message === "trial not marked" &&
      fact.fields.isOpen === false &&
      `${fact.fields.namespace}/${fact.fields.name}` === object,
  );
}

/** Objects whose own message was with an invocation when that died or was stopped. */
function diedOn({ facts }: Story): ReadonlySet<string> {
  const held = new Map<string, string[]>();
  const found = new Set<string>();
  for (const fact of facts) {
    if (fact.what === "handed-out" && fact.queue === "reconcile") {
      const message = messageIn(facts, fact.body);
      if (message === undefined || message.kind === "shard") continue;
      const { namespace, name } = message.object;
      held.set(fact.by ?? "", [...(held.get(fact.by ?? "") ?? []), `${namespace}/${name}`]);
    }
    if (fact.what === "ended" && (fact.how === "crashed" || fact.how === "timed-out"))
      for (const object of held.get(fact.by) ?? []) found.add(object);
  }
  return found;
}

/** Of a cluster that was not asked or did not answer, rather than of a workload that is not there. */
function isPassing(code: string): boolean {
  return code === "cluster-unreachable" || code === "pods-unreadable";
}

/** Slots after the recovery whose work is done before the end. */
function slotsIn({ calmMs, endMs }: Story): readonly number[] {
  const slots: number[] = [];
  for (let slot = calmMs + RECOVERY_SECONDS * 1000; slot + SLOT_MS / 2 < endMs; slot += SLOT_MS)
    slots.push(slot);
  return slots;
}

function stateOf({ items }: Story, object: string): State | undefined {
  const item = items.find(({ pk, sk }) => sk === "state" && pk.endsWith(`#${object}`));
  return item && decodeState(item);
}

/** In `observe` nothing is written to the hub. */
function isSilent({ raw }: FinalObject): boolean {
  return decodeFederatedHpa(raw).annotations[MODE] === "observe";
}

function untruths(
  object: FinalObject,
  { decided }: Counted,
  status: FederatedHpaStatus,
  state: State | undefined,
): string[] {
  const { decision } = decided;
  const found: string[] = [];
  if (state?.intent !== undefined) found.push(`the intent ${state.intent.id} is still open`);
  if (isSilent(object)) return found;
  const expected = concludeScale(decision, { ok: true }).status;
  const said = conditionsOf(status);
  const wanted = conditionsOf(expected);
  if (!sameJson(said, wanted))
    found.push(`its conditions are ${said.join(", ")}, but decided was ${wanted.join(", ")}`);
  if (status.observedGeneration !== decision.generation)
    found.push(`observedGeneration is ${status.observedGeneration}, decided was on ${decision.generation}`);
  const { desiredReplicas } = decision;
  if (desiredReplicas !== undefined && object.replicas !== desiredReplicas)
    found.push(`the target has ${object.replicas} replicas, decided was ${desiredReplicas}`);
  if (desiredReplicas !== undefined && status.desiredReplicas !== desiredReplicas)
    found.push(`status.desiredReplicas is ${status.desiredReplicas}, decided was ${desiredReplicas}`);
  return found;
}

function conditionsOf({ conditions }: FederatedHpaStatus): readonly string[] {
  return conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`).sort();
}
