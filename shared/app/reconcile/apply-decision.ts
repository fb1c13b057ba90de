import type { Loaded } from "#app/load/open-load";
import { concludeScale } from "#domain/scale/conclude";
import type { Decision, ScaleStep } from "#domain/scale/decision";
import { summary } from "#domain/scale/summary";
import type { Intent } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import type { State } from "#wire/state";
import { applyScale } from "./apply-scale.ts";
import type { ReconcileDeps } from "./deps.ts";
import { emitEvents, emitOnce } from "./emit-events.ts";
import { recordLostDecision } from "./lost-decision.ts";
import type { Outcome } from "./outcome.ts";
import { publishConflict } from "./publish-contention.ts";
import { publishScale } from "./publish-scale.ts";
import type { ObjectTurn } from "./reconcile-object.ts";
import { recordLanded } from "./settle-intent.ts";
import { type ShadowEvaluation, shadowEvents, silent, withShadow } from "./shadow.ts";
import { saveState } from "./state-store.ts";
import { minuteTurn } from "./turns.ts";
import { writeStatus } from "./write-status.ts";

/**
 * Announces the scale in the state, writes it, and records what came of it. The order matters: whatever dies in
 * between, the open intent lets the next run find out and finish (design 1). The intent is closed last.
 */
export async function applyDecision(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  loaded: Loaded,
  decision: Decision,
  scale: ScaleStep,
  state: State,
  shadow: ShadowEvaluation | undefined,
): Promise<Outcome | "moved"> {
  const { snapshot } = loaded;
  const { beatShard: _closed, quarantine: _ended, ...open } = withShadow(state, silent(shadow?.state));
  let intent = announce(deps, turn, loaded, { ...scale, cause: causeOf(decision) }, state.intent);
  let stored = await saveState(deps, turn.id, {
    ...open,
    history: decision.history,
    lastInstantMs: turn.instantMs,
    intent,
  });

  const written = await applyScale(turn.hub.port, turn.id.namespace, intent, async (version) => {
    intent = { ...intent, resourceVersion: version, storedAtMs: deps.clock.nowMs() };
    stored = await saveState(deps, turn.id, { ...stored, intent });
    return intent;
  });

  if (written.result === "unknown") {
    return { result: "unknown", decision, message: written.message, conditionsChanged: false };
  }
  const { intent: _settled, ...settled } = stored;
  // A refusal says nothing of an earlier PUT of this intent that may be on its way, or have moved the target.
  const refused = state.intent === undefined ? settled : stored;
  if (written.result === "moved") {
    const { history, lastInstantMs } = state;
    await saveState(deps, turn.id, withShadow({ ...refused, history, lastInstantMs }, state.shadow));
    return "moved";
  }
  const applied = written.result === "applied";
  const { status, events } = concludeScale(
    decision,
    applied ? { ok: true } : { ok: false, message: written.message },
  );
  const closed = applied ? await recordLanded(deps, turn.id, settled, intent, "applied") : refused;
  // Announced by a run that died: its scale is told under the instant of its announcement.
  if (applied && state.intent !== undefined) await recordLostDecision(deps, turn.id, intent, "scaled");
  const emitted = await tell(deps, turn, async () => {
    const failures = [
      ...events.filter((event) => event.reason !== "SuccessfulRescale"),
      ...shadowEvents(shadow?.outcome),
    ];
    const rescale = events.find((event) => event.reason === "SuccessfulRescale");
    if (rescale) await emitOnce(turn.hub, snapshot.object, rescale, intent.atMs, intent.id);
    if (applied) await publishScale(deps, turn.id, intent, decision.trace);
    await publishConflict(deps, turn.id, state.history, decision.history);
    await writeStatus(turn.hub, snapshot.object, status, true);
    const isTurn = !turn.isExtra && minuteTurn(turn.id, turn.instantMs, deps.policy.syncPeriodSeconds);
    return emitEvents(turn.hub, snapshot.object, failures, closed.emitted, turn.instantMs, isTurn);
  });
  const beatShard = shadow?.state.beatShard;
  await saveState(deps, turn.id, {
    ...closed,
    emitted: emitted ?? closed.emitted,
    ...(decision.recommended && turn.shard !== undefined ? { beatShard: turn.shard } : {}),
    ...(closed.shadow !== undefined && beatShard !== undefined
      ? { shadow: { ...closed.shadow, beatShard } }
      : {}),
  });
  return {
    result: applied ? "scaled" : "refused",
    decision,
    ...(applied ? {} : { message: written.message }),
    conditionsChanged: true,
  };
}

function announce(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  { snapshot, targetResource }: Loaded,
  scale: ScaleStep & Pick<Intent, "cause">,
  pending: Intent | undefined,
): Intent {
  if (!snapshot.target.ok || targetResource === undefined) {
    throw new Error("invariant: a scale was decided without a target");
  }
  const { apiVersion, kind, uid, generation, resourceVersion, foreignWrite, ownWriteAtMs } =
    snapshot.target.value;
  return {
    id: pending?.id ?? deps.ids.next(),
    target: {
      apiVersion,
      kind,
      name: snapshot.object.spec.scaleTargetRef.name,
      uid,
      resource: targetResource,
    },
    generation,
    resourceVersion,
    ...scale,
    ...(foreignWrite === undefined ? {} : { foreignWrite }),
    ...(ownWriteAtMs === undefined ? {} : { ownWriteAtMs }),
    atMs: pending?.atMs ?? turn.instantMs,
    storedAtMs: deps.clock.nowMs(),
  };
}

function causeOf(decision: Decision): NonNullable<Intent["cause"]> {
  const clusters = decision.trace.clusters.map(
    ({ cluster, specReplicas }) => [cluster, specReplicas ?? null] as const,
  );
  return { summary: summary(decision), clusters: Object.fromEntries(clusters) };
}

/** Telling people must not keep a scale from being recorded: a fault here is logged, and the next slot tells again. */
async function tell<T>(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("status or event not written; the next slot writes it", {
      ...turn.id,
      fault: error.message,
    });
    return undefined;
  }
}
