import type { KubernetesPort } from "#ports/kubernetes";

/**
 * The hub's port, but for these members, whose lists and watches go to ports of their own: a relay that runs in a member
 * asks it without the way round over the hub.
 */
export function besideHub(
  hub: KubernetesPort,
  members: Readonly<Record<string, KubernetesPort>>,
): KubernetesPort {
  const directly = (at: Parameters<KubernetesPort["list"]>[0]) =>
    at === "hub" ? undefined : members[at.member];
  return {
    ...hub,
    list: (at, ...rest) => directly(at)?.list("hub", ...rest) ?? hub.list(at, ...rest),
    watch: (at, ...rest) => directly(at)?.watch("hub", ...rest) ?? hub.watch(at, ...rest),
  };
}
