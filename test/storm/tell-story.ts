import type { Fact, Story } from "./facts.ts";
import { START_MS } from "./plan.ts";

/** A storm in lines for people: those that concern an object (`namespace/name`), or all. */
export function tellStory({ facts }: Story, object?: string): readonly string[] {
  const by = new Set(
    facts.filter((fact) => concerns(fact, object)).flatMap((fact) => ("by" in fact ? [fact.by] : [])),
  );
  return facts
    .filter((fact) => concerns(fact, object) || (isFrame(fact) && by.has(fact.by)))
    .map((fact) => `${((fact.atMs - START_MS) / 1000).toFixed(3).padStart(9)} ${line(fact)}`);
}

function concerns(fact: Fact, object: string | undefined): boolean {
  if (object === undefined) return true;
  switch (fact.what) {
    case "decided":
    case "state":
    case "record":
    case "born":
    case "gone":
      return fact.object === object;
    case "put":
    case "rescaled":
      return fact.target === object;
    case "log":
      return fact.fields.object === object;
    default:
      return false;
  }
}

/** What belongs to an invocation rather than to one object. */
function isFrame(fact: Fact): fact is Fact & { readonly by: string } {
  return (
    ["began", "ended", "fault", "beat"].includes(fact.what) || (fact.what === "log" && fact.level !== "info")
  );
}

function line(fact: Fact): string {
  const { what, atMs: _atMs, ...rest } = fact;
  switch (fact.what) {
    case "decided": {
      const { decision, history } = fact;
      const wants = `${decision.currentReplicas} → ${decision.desiredReplicas} (${JSON.stringify(decision.trace.limits)})`;
      const at = secondsOf(decision.instantMs);
      return `${fact.by} decides ${fact.object} for ${at}: ${wants} ${decision.failure?.message ?? ""} from ${JSON.stringify(timed(history))}`;
    }
    case "state": {
      const { version, lastInstantMs, beatShard, intent, history, quarantine } = fact.state;
      const kept = {
        version,
        last: secondsOf(lastInstantMs),
        beatShard,
        intent,
        quarantine,
        history: timed(history),
      };
      return `${fact.by} stores ${fact.object}: ${JSON.stringify(kept)}`;
    }
    case "beat":
      return `${fact.by} beats ${fact.shard}: ${JSON.stringify(timed(fact.beat))}`;
    case "log": {
      const { error } = fact.fields;
      const fields = error instanceof Error ? { ...fact.fields, error: error.message } : fact.fields;
      return `${fact.by} ${fact.level}: ${fact.message} ${JSON.stringify(fields)}`;
    }
    default:
      return `${what} ${JSON.stringify(rest)}`;
  }
}

function secondsOf(ms: number): number {
  return (ms - START_MS) / 1000;
}

/** With instants in seconds from the storm's start. */
function timed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inner) =>
    typeof inner === "number" && inner > 1e12 ? secondsOf(inner) : inner,
  );
}
