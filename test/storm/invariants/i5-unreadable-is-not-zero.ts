import { objectPolicy } from "#domain/scale/object-policy";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { Decided, Fact, Story, Violation } from "#test/storm/facts";

/**
 * I5: while a bound cluster could not be read for less than the hold time, no PUT takes replicas away, unless they are
 * above max. What could not be read is told from the answers that the invocation got, not from its snapshot alone.
 */
export function unreadableIsNotZero({ facts }: Story): readonly Violation[] {
  const answers = new Map<string, Answer[]>();
  const lostSince = new Map<string, Map<string, number>>();
  const last = new Map<string, Fact & Decided>();
  const violations: Violation[] = [];

  for (const fact of facts) {
    if (fact.what === "member-read") {
      const key = `${fact.by} ${fact.cluster}`;
      answers.set(key, [...(answers.get(key) ?? []), fact]);
    } else if (fact.what === "decided") {
      last.set(`${fact.by} ${fact.object}`, fact);
      const former = lostSince.get(fact.object);
      const lost = clustersUnread(fact, answers);
      // Where the binding cannot be read, nothing is known of its clusters: those that are lost stay so.
      if (lost === undefined) continue;
      const { instantMs } = fact.snapshot;
      lostSince.set(
        fact.object,
        new Map(lost.map((cluster) => [cluster, former?.get(cluster) ?? instantMs])),
      );
    } else if (fact.what === "put") {
      for (const [key, decided] of last) {
        if (!key.startsWith(`${fact.by} `) || !isOf(decided, fact.target)) continue;
        const { scale, trace } = decided.decision;
        if (scale?.to !== fact.replicas || scale.to >= scale.from || trace.gate !== undefined) continue;
        const { policy } = objectPolicy(decided.snapshot.object.annotations, DEFAULT_POLICY);
        const since = lostSince.get(decided.object) ?? new Map<string, number>();
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
  readonly read: string;
  readonly ok: boolean;
}

/** The bound clusters of which something could not be read: by the snapshot, or by the invocation's own last answers. */
function clustersUnread(
  { by, snapshot }: Decided,
  answers: ReadonlyMap<string, readonly Answer[]>,
): string[] | undefined {
  const { binding, members, object } = snapshot;
  if (binding === undefined || !binding.ok) return undefined;
  const { namespace, spec } = object;
  const isUnanswered = (cluster: string, resource: string) => {
    const wanted = [`${resource} ${namespace}`, `${resource} ${namespace}/${spec.scaleTargetRef.name}`];
    return answers.get(`${by} ${cluster}`)?.findLast(({ read }) => wanted.includes(read))?.ok === false;
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
