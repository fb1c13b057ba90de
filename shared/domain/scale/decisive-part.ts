import type { Pod } from "#domain/fleet/pod";
import type { Member, Snapshot } from "#domain/fleet/snapshot";
import { POLICY_ANNOTATIONS } from "#domain/scale/object-policy";
import { parseSelector } from "#domain/units/selector-parse";

type Labels = Readonly<Record<string, string>>;

/**
 * The snapshot without what no decision looks at: annotations that set no policy, and pods' labels that the selector
 * does not name. It decides to the same bytes, and holds nothing that people keep in labels and annotations.
 */
export function decisivePart(snapshot: Snapshot): Snapshot {
  const { object, members } = snapshot;
  return {
    ...snapshot,
    object: { ...object, annotations: only(object.annotations, POLICY_ANNOTATIONS) },
    members: members.map(decisiveMember),
  };
}

function decisiveMember(member: Member): Member {
  const { scale, pods } = member;
  if (!pods.ok) return member;
  const selector = parseSelector(scale.ok ? scale.value.selector : "");
  const keys = selector.ok ? [...new Set(selector.value.requirements.map(({ key }) => key))].sort() : [];
  const value = pods.value.map((pod): Pod => ({ ...pod, labels: only(pod.labels, keys) }));
  return { ...member, pods: { ok: true, value } };
}

function only(labels: Labels, keys: readonly string[]): Labels {
  return Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(labels, key) ? [[key, labels[key] as string]] : [])),
  );
}
