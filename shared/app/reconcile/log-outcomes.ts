import { figuresOf } from "#domain/scale/figures";
import { summary } from "#domain/scale/summary";
import type { ReconcileDeps } from "./deps.ts";
import type { ReconcileWork } from "./open-reconcile.ts";
import type { Outcome, ShadowOutcome } from "./outcome.ts";
import type { ShardOutcome } from "./reconcile-shard.ts";
import { shadowText } from "./shadow.ts";

/** A line for each scale, condition change and failure (or each decision, where asked), and one for the message. */
export function logOutcomes(
  deps: ReconcileDeps,
  message: ReconcileWork,
  outcomes: ShardOutcome,
  startMs: number,
): void {
  const { hub, dueAtMs } = message;
  const counts: Record<string, number> = {};
  const isForAll = deps.logDecisions === "all";
  for (const [object, outcome] of typeof outcomes === "string" ? [] : outcomes) {
    counts[outcome.result] = (counts[outcome.result] ?? 0) + 1;
    if (isForAll || isNews(outcome)) {
      const fields = { hub, object, ...instantOf(outcome, dueAtMs), ...fieldsOf(outcome) };
      deps.log[levelOf(outcome)]("decision", { ...fields, ...(isForAll ? figuresIn(outcome) : {}) });
    }
  }
  deps.log.info("reconciled", {
    hub,
    work: message.kind === "shard" ? message.shard : "object",
    atMs: dueAtMs,
    ...(message.kind === "object" && message.event ? { event: message.event.id } : {}),
    ...(typeof outcomes === "string" ? { [outcomes]: true } : counts),
    ms: deps.clock.nowMs() - startMs,
  });
}

/** `dueAtMs` where the message came so late that a newer slot was evaluated. */
function instantOf(outcome: Outcome, dueAtMs: number): { readonly atMs: number; readonly dueAtMs?: number } {
  const atMs = "decision" in outcome ? outcome.decision.instantMs : dueAtMs;
  return atMs === dueAtMs ? { atMs } : { atMs, dueAtMs };
}

function isNews(outcome: Outcome): boolean {
  switch (outcome.result) {
    case "unchanged":
    case "held":
    case "would-scale":
      return outcome.conditionsChanged || outcome.result === "would-scale";
    case "gone":
    case "stale":
    case "elsewhere":
    case "quarantined":
      return false;
    default:
      return true;
  }
}

function levelOf(outcome: Outcome): "info" | "warn" {
  return ["failed", "out-of-time", "refused", "unknown"].includes(outcome.result) ? "warn" : "info";
}

function fieldsOf(outcome: Outcome): object {
  if (!("decision" in outcome))
    return { result: outcome.result, ...("message" in outcome ? { why: outcome.message } : {}) };
  const { decision, result } = outcome;
  return {
    result,
    from: decision.currentReplicas,
    to: decision.desiredReplicas,
    clusters: Object.fromEntries(
      decision.trace.clusters.map(({ cluster, specReplicas }) => [cluster, specReplicas ?? null]),
    ),
    why: outcome.message ?? summary(decision),
    ...(outcome.shadow === undefined ? {} : { shadow: shadowFields(outcome.shadow) }),
  };
}

/** Whoever follows every decision may want to draw it. */
function figuresIn(outcome: Outcome): object {
  return "decision" in outcome ? { figures: figuresOf(outcome.decision) } : {};
}

/** What the other spec would have wanted. */
function shadowFields(shadow: ShadowOutcome): object {
  const to = "decision" in shadow ? shadow.decision.desiredReplicas : undefined;
  return { configMap: shadow.configMap, ...(to === undefined ? {} : { to }), why: shadowText(shadow) };
}
