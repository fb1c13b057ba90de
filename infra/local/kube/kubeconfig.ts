import { stringify } from "yaml";

/** The hub's context, as `hack/local-up-karmada.sh` names it. */
export const HUB_CONTEXT = "karmada-apiserver";

/**
 * A kubeconfig for the fleet at `url`: the hub as current context, and one context per member, which leads through its
 * proxy.
 */
export function kubeconfigOf(url: string, members: Iterable<string>): string {
  const servers = [
    { name: HUB_CONTEXT, server: url },
    ...[...members].map((name) => ({
      name,
      server: `${url}/apis/cluster.karmada.io/v1alpha1/clusters/${name}/proxy`,
    })),
  ];
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": HUB_CONTEXT,
    clusters: servers.map(({ name, server }) => ({ name, cluster: { server } })),
    users: [{ name: "admin", user: {} }],
    contexts: servers.map(({ name }) => ({
      name,
      context: { cluster: name, user: "admin", namespace: "default" },
    })),
  });
}
