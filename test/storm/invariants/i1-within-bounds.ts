import type { Decided, Fact, Story, Violation } from "#test/storm/facts";
import { isOfCron } from "./by-cron.ts";

/**
 * I1 (for what cron writes, see I4): every PUT of a scale carries what a decision of the same invocation wanted for that target, and that lies within
 * the min and max of the snapshot decided from.
 */
export function withinBounds({ facts }: Story): readonly Violation[] {
  const last = new Map<string, (Fact & Decided)[]>();
  return facts.flatMap((fact): Violation[] => {
    if (fact.what === "decided") {
      const key = `${fact.by} ${fact.snapshot.object.namespace}/${fact.snapshot.object.spec.scaleTargetRef.name}`;
      const { instantMs } = fact.snapshot;
      const others = (last.get(key) ?? []).filter(
        ({ object, snapshot }) => object !== fact.object || snapshot.instantMs !== instantMs,
      );
      last.set(key, [...others, fact]);
    }
    if (fact.what !== "put" || isOfCron(fact.by)) return [];
    const decisions = last.get(`${fact.by} ${fact.target}`) ?? [];
    const what = `${fact.by} writes ${fact.replicas} replicas of ${fact.target}`;
    const say = (clause: string, text: string) => [
      { invariant: "I1", clause, atMs: fact.atMs, text: `${what}, ${text}` },
    ];
    const meant = decisions.find(({ decision }) => decision.scale?.to === fact.replicas);
    if (meant === undefined) return say("undecided", "which its decision did not ask for");
    const { minReplicas, maxReplicas } = meant.snapshot.object.spec;
    if (fact.replicas >= minReplicas && fact.replicas <= maxReplicas) return [];
    return say("out-of-bounds", `outside ${minReplicas}..${maxReplicas}`);
  });
}
