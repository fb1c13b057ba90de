import type { Intent } from "#domain/work/intent";
import type { Fact, PutSent, Rescaled, Story } from "#test/storm/facts";
import { isOfCron } from "./by-cron.ts";

/** A PUT that left an invocation, with the intent that announced it. */
export interface Announced extends PutSent {
  readonly atMs: number;
  /** The FederatedHPA, and its uid when it announced. */
  readonly object: string;
  readonly objectUid: string;
  readonly intent: Intent;
}

/** One that changed its target. */
export interface Landed extends Rescaled {
  readonly atMs: number;
  /** Position among the facts. */
  readonly index: number;
  readonly put: Announced;
}

export interface Scales {
  readonly puts: readonly Announced[];
  /** PUTs that no stored intent announced: there must be none. */
  readonly unannounced: readonly (Fact & PutSent)[];
  readonly landed: readonly Landed[];
}

/** Which scales were sent and which happened, told from the hub's own changes. */
export function scalesOf({ facts }: Story): Scales {
  const intents = new Map<string, Pick<Announced, "object" | "objectUid" | "intent">>();
  const puts = new Map<string, Announced>();
  const unannounced: (Fact & PutSent)[] = [];
  const landed: Landed[] = [];
  for (const [index, fact] of facts.entries()) {
    if (fact.what === "state" && fact.state.intent !== undefined) {
      const { intent, uid } = fact.state;
      const [namespace] = fact.object.split("/");
      const key = keyOf(
        `${namespace}/${intent.target.name}`,
        intent.target.uid,
        intent.resourceVersion,
        intent.to,
      );
      intents.set(key, { object: fact.object, objectUid: uid, intent });
    } else if (fact.what === "put" && !isOfCron(fact.by)) {
      const known = intents.get(keyOf(fact.target, fact.uid, fact.resourceVersion, fact.replicas));
      if (known === undefined) unannounced.push(fact);
      else puts.set(fact.call, { ...fact, ...known });
    } else if (fact.what === "rescaled" && fact.call !== undefined) {
      const put = puts.get(fact.call);
      if (put !== undefined) landed.push({ ...fact, index, put });
    }
  }
  return { puts: [...puts.values()], unannounced, landed };
}

function keyOf(target: string, uid: string, resourceVersion: string, to: number): string {
  return `${target} ${uid} ${resourceVersion} ${to}`;
}
