import { eksKubeconfig } from "#adapters/eks/kubeconfig";
import { hubExternalMetrics } from "#adapters/kubernetes/external-metrics";
import { fromKubeconfig, type KubernetesHub } from "#adapters/kubernetes/hub";
import type { KubeconfigSource } from "#adapters/kubernetes/kubeconfig";
import { readSecret } from "#adapters/secrets-manager/secret";
import { hubCache } from "#app/load/context";
import type { ExternalSources } from "#app/load/external-metrics";
import type { Hub } from "#app/reconcile/deps";
import { hubs } from "#lambda/environment";
import type { HubSettings } from "#lambda/hub-settings";

/**
 * The hubs of MAINSHEET_HUBS, each with the connections and the cache that this environment keeps. External metrics come
 * from the hub's own API, and from `external`.
 */
export function hubPorts(
  env: NodeJS.ProcessEnv,
  external: ExternalSources = {},
): Readonly<Record<string, Hub>> {
  return Object.fromEntries(
    hubs(env).map((settings) => {
      const { name, mode, activeNamespaces = [] } = settings;
      const port = hubConnection(settings, env);
      const sources = { ...external, hub: hubExternalMetrics(port) };
      return [name, { port, cache: hubCache(port), external: sources, mode, activeNamespaces }];
    }),
  );
}

export function hubConnection(
  { kubeconfig, context }: Pick<HubSettings, "kubeconfig" | "context">,
  env: NodeJS.ProcessEnv,
): KubernetesHub {
  return fromKubeconfig(sourceOf(kubeconfig, env), context);
}

function sourceOf(kubeconfig: HubSettings["kubeconfig"], env: NodeJS.ProcessEnv): KubeconfigSource {
  if ("path" in kubeconfig) return kubeconfig.path;
  if ("secret" in kubeconfig) return () => readSecret(kubeconfig.secret);
  return async () => eksKubeconfig(kubeconfig.eks, env, Date.now());
}
