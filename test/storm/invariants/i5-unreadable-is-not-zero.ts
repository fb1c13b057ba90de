import { objectPolicy } from "#domain/scale/object-policy";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { Decided, Fact, Story, Violation } from "#test/storm/facts";
import { undisturbed } from "./undisturbed.ts";

/**
 * I5: while a bound cluster could not be read for less than the hold time, no PUT takes replicas away, unless they are
 * above max. What could not be read is told from the answers that the invocation got, not from its snapshot alone.
 */
export function unreadableIsNotZero(story: Story): readonly Violation[] {
  const { facts } = story;
  const { stored } = undisturbed(story);
  const answers = new Map<string, Answer[]>();
  /** Since when clusters are lost: by the object's stored evaluations, and by each evaluation. */
  const lostSince = new Map<string, Map<string, number>>();
  const sinceOf = new Map<Decided, Map<string, number>>();
  const last = new Map<string, Fact & Decided>();
  /** Positions of these decisions among the facts. */
  const decidedAt = new Map<string, number>();
  const violations: Violation[] = [];

  for (const [index, fact] of facts.entries()) {
    if (fact.what === "member-read") {
      const key = `${fact.by} ${fact.cluster}`;
      const former = answers.get(key);
      if (former === undefined) answers.set(key, [{ ...fact, index }]);
      else former.push({ ...fact, index });
    } else if (fact.what === "decided") {
      const key = `${fact.by} ${fact.object}`;
      const lost = clustersUnread(fact, answers, decidedAt.get(key) ?? 0);
      last.set(key, fact);
      decidedAt.set(key, index);
      const former = lostSince.get(fact.object) ?? new Map<string, number>();
      // Where the binding cannot be read, nothing is known of its clusters: those that are lost stay so.
      if (lost === undefined) continue;
      const { instantMs } = fact.snapshot;
      const since = new Map(lost.map((cluster) => [cluster, former.get(cluster) ?? instantMs]));
      sinceOf.set(fact, since);
      // One that was not stored is not remembered: neither who was lost then, nor who was back (seed 191 of 30 minutes).
      if (stored.has(fact)) lostSince.set(fact.object, since);
    } else if (fact.what === "put") {
      for (const [key, decided] of last) {
        if (!key.startsWith(`${fact.by} `) || !isOf(decided, fact.target)) continue;
        const { scale, trace } = decided.decision;
        if (scale?.to !== fact.replicas || scale.to >= scale.from || trace.gate !== undefined) continue;
        const { policy } = objectPolicy(decided.snapshot.object.annotations, DEFAULT_POLICY);
        const since = sinceOf.get(decided) ?? lostSince.get(decided.object) ?? new Map<string, number>();
        const holdMs = policy.lostClusterHoldSeconds * 1000;
        const held = [...since].filter(([, sinceMs]) => decided.snapshot.instantMs - sinceMs < holdMs);
        if (policy.lostCluster === "assume-equal" || held.length === 0) continue;
        const names = held.map(([cluster]) => cluster).join(", ");
        const text = `${fact.by} scales ${fact.target} from ${scale.from} to ${scale.to} while ${names} cannot be read`;
        violations.push({ invariant: "I5", clause: "scale-in", atMs: fact.atMs, text });
      }
    }
  }
  return violations;
}

function isOf({ snapshot }: Decided, target: string): boolean {
  const { namespace, spec } = snapshot.object;
  return `${namespace}/${spec.scaleTargetRef.name}` === target;
}

/** `deployments storm` or `deployments storm/web-1`, and whether it was answered. */
interface Answer {
  readonly index: number;
  readonly read: string;
  readonly ok: boolean;
}

/**
 * The bound clusters of which something could not be read: by the snapshot, or by the answers that the invocation got
 * after its former decision on the object, at `since`: a failure, and no success. What it reads again for another object
 * alone may fail after this one's was answered (seed 827 of 5 minutes).
 */
function clustersUnread(
  { by, snapshot }: Decided,
  answers: ReadonlyMap<string, readonly Answer[]>,
  since: number,
): string[] | undefined {
  const { binding, members, object } = snapshot;
  if (binding === undefined || !binding.ok) return undefined;
  const { namespace, spec } = object;
  const isUnanswered = (cluster: string, resource: string) => {
    const wanted = [`${resource} ${namespace}`, `${resource} ${namespace}/${spec.scaleTargetRef.name}`];
    const own = (answers.get(`${by} ${cluster}`) ?? []).filter(
      ({ index, read }) => index >= since && wanted.includes(read),
    );
    return own.length > 0 && !own.some(({ ok }) => ok);
  };
  return binding.value.clusters
    .map(({ name }) => name)
    .filter((cluster) => {
      const member = members.find((one) => one.cluster === cluster);
      const isGap = !member?.scale.ok || !member.pods.ok || member.samples.some(({ ok }) => !ok);
      return (
        isGap || ["deployments", "pods", "podmetrics"].some((resource) => isUnanswered(cluster, resource))
      );
    });
}
