import type { ReadFault, ReadFaultCode } from "#domain/fleet/snapshot";
import { isPortFault } from "#ports/fault";
import type { ApiResource, KubeObject, KubernetesPort, ResourceRef, Server } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { ReadYaml } from "#ports/yaml";
import { CLUSTERS } from "#wire/kubernetes/resources";
import type { ExternalSources } from "./external-metrics.ts";
import { groupVersion } from "./kinds.ts";

/** What lives as long as the execution environment: Clusters, discovery and CRDs, kept for 60 s. */
export interface HubCache {
  clusters(nowMs: number): Promise<readonly KubeObject[]>;
  resources(at: Server, nowMs: number): Promise<readonly ApiResource[]>;
  /** One more thing about a server, by name. */
  object<T>(at: Server, name: string, nowMs: number, load: () => Promise<T>): Promise<T>;
  /** Drops a server's discovery, so that it is read anew; false when it was only just read. */
  forget(at: Server, nowMs: number): boolean;
}

const KEEP_MS = 60_000;

export function hubCache(port: KubernetesPort): HubCache {
  const kept = new Map<string, { readonly atMs: number; readonly value: Promise<unknown> }>();
  function keep<T>(key: string, nowMs: number, load: () => Promise<T>): Promise<T> {
    const found = kept.get(key);
    if (found && nowMs - found.atMs < KEEP_MS && nowMs >= found.atMs) return found.value as Promise<T>;
    const value = load();
    kept.set(key, { atMs: nowMs, value });
    value.catch(() => kept.delete(key));
    return value;
  }
  return {
    clusters: (nowMs) => keep("clusters", nowMs, async () => (await port.list("hub", CLUSTERS)).items),
    resources: (at, nowMs) => keep(serverName(at), nowMs, () => port.discover(at)),
    object: (at, name, nowMs, load) => keep(`${serverName(at)} ${name}`, nowMs, load),
    forget(at, nowMs) {
      const found = kept.get(serverName(at));
      return found !== undefined && nowMs > found.atMs && kept.delete(serverName(at));
    },
  };
}

/** The reads of one invocation on one hub. */
export interface LoadContext {
  readonly hub: string;
  readonly port: KubernetesPort & MetricsApiPort;
  readonly cache: HubCache;
  /** Absent: External metrics cannot be read. */
  readonly external?: ExternalSources;
  /** Absent: every cluster is asked. */
  readonly gate?: ClusterGate;
  /** Absent: no shadow specs are read. */
  readonly readYaml?: ReadYaml;
  readonly nowMs: number;
}

/** Knows which clusters fail again and again, so that they are not asked every time. */
export interface ClusterGate {
  skips(cluster: string): Promise<boolean>;
  note(cluster: string, answered: boolean): void;
}

export function serverName(at: Server): string {
  return at === "hub" ? "the hub" : `cluster ${at.member}`;
}

/**
 * These objects of a namespace by name: one GET for a single one, else one LIST for all. The items of a list carry no
 * kind of their own, so it is put on them.
 */
export async function readNamed(
  { port }: LoadContext,
  at: Server,
  resource: ResourceRef,
  kind: string,
  namespace: string,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KubeObject>> {
  const [single] = names;
  if (single === undefined) return new Map();
  if (names.size > 1) {
    const { items } = await port.list(at, resource, { namespace });
    const apiVersion = groupVersion(resource);
    return new Map(items.map((item) => [item.metadata.name ?? "", { apiVersion, kind, ...item }]));
  }
  try {
    return new Map([[single, await port.get(at, resource, { namespace, name: single })]]);
  } catch (error) {
    if (isPortFault(error, "missing")) return new Map();
    throw error;
  }
}

/** Longer selectors are not sent: a list of everything beats a URL that a proxy cuts. */
export const MAX_SELECTOR_LENGTH = 4_000;

/** A port's fault as data of the snapshot. `throttled` is no data: it ends the object's turn (design 1, "Read less"). */
export function faultOf(error: unknown, code: ReadFaultCode): ReadFault {
  if (!isPortFault(error) || error.kind === "throttled") throw error;
  return { code, message: error.message };
}

export function readFault(
  code: ReadFaultCode,
  message: string,
): { readonly ok: false; readonly fault: ReadFault } {
  return { ok: false, fault: { code, message } };
}
