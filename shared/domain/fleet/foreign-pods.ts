import type { VisibleMember } from "#domain/fleet/survey";

/** The kinds whose pods name their owner in a way that is known. */
const OWNING_KINDS = new Set(["Deployment", "StatefulSet", "ReplicaSet", "DaemonSet"]);

const EXAMPLES = 3;

export interface ForeignPods {
  readonly count: number;
  /** The first few, as `cluster/pod`. */
  readonly examples: readonly string[];
}

/**
 * Pods that the target's selector matches but another workload owns: they are counted, as the selector says, but they
 * bend the average (B26). Undefined if there are none, or the target's kind does not tell. Pods without an owner are
 * not suspected.
 */
export function findForeignPods(
  visible: readonly VisibleMember[],
  target: { readonly kind: string; readonly name: string },
): ForeignPods | undefined {
  if (!OWNING_KINDS.has(target.kind)) return undefined;
  const examples: string[] = [];
  let count = 0;
  let lastOwn: string | undefined;
  for (const { cluster, pods } of visible) {
    for (const { name, owner } of pods) {
      if (owner === undefined || owner === lastOwn) continue;
      if (isOwn(owner, target)) {
        lastOwn = owner;
        continue;
      }
      count += 1;
      if (examples.length < EXAMPLES) examples.push(`${cluster}/${name}`);
    }
  }
  return count === 0 ? undefined : { count, examples };
}

/** A Deployment owns its pods through `ReplicaSet/<name>-<hash>`, whose hash has no hyphen. */
function isOwn(owner: string, { kind, name }: { readonly kind: string; readonly name: string }): boolean {
  if (kind !== "Deployment") return owner === `${kind}/${name}`;
  const prefix = `ReplicaSet/${name}-`;
  return owner.startsWith(prefix) && !owner.includes("-", prefix.length);
}
