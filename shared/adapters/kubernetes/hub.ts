import { PortFault } from "#ports/fault";
import type {
  KubeList,
  KubeObject,
  KubernetesPort,
  ListQuery,
  ObjectName,
  ResourceRef,
  Server,
} from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import { objectIn } from "./answer.ts";
import { type Call, type CallOptions, callOf, nameParts, selectors } from "./call.ts";
import { type DeadlineClock, WALL } from "./deadline.ts";
import { discoverAll } from "./discovery.ts";
import { type KubeconfigSource, readAccess } from "./kubeconfig.ts";
import { isKubeObject, listAll } from "./list.ts";
import { metricsApi } from "./metrics-api.ts";
import { scaleBody, scaleIn } from "./scale.ts";
import { type Transport, transport } from "./transport.ts";
import { watchAll } from "./watch.ts";

/** The port over HTTP. Make one per hub and keep it: its connections are reused for as long as it lives (B101). */
export interface KubernetesHub extends KubernetesPort, MetricsApiPort {
  /** The same hub and connections for one invocation: no request of it goes on when `signal` aborts. */
  within(signal: AbortSignal): KubernetesHub;
  close(): Promise<void>;
}

export interface HubOptions {
  /** Per request, from when it is sent to the last byte of its answer. Default 5 s. */
  readonly deadlineMs?: number;
  /** Objects per page of a list. Default 1,000. */
  readonly pageSize?: number;
  /** A watch that is silent for so long is cut. Default 75 s. */
  readonly watchIdleMs?: number;
  /** What a watch's deadlines are measured by. Default: the wall's. */
  readonly clock?: DeadlineClock;
}

const DEFAULTS = { deadlineMs: 5_000, pageSize: 1_000, watchIdleMs: 75_000, clock: WALL };
const USER_AGENT = "mainsheet";

const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/** Also fields that the kind does not have are refused then, since this is the only answer that says so. */
const TRIAL = { dryRun: "All", fieldValidation: "Strict" };
const MERGE_PATCH = "application/merge-patch+json";

/**
 * The hub that a kubeconfig's context names (its current one unless said). Nothing is read before the first request;
 * what is wrong with the source then is an `invalid` fault that names the place.
 */
export function fromKubeconfig(
  source: KubeconfigSource,
  context?: string,
  options: HubOptions = {},
): KubernetesHub {
  const settings = { ...DEFAULTS, ...options };
  const requests = transport(() => readAccess(source, context), {
    deadlineMs: settings.deadlineMs,
    userAgent: USER_AGENT,
  });
  return hubOver(requests, settings);
}

/** The port over what sends its requests. */
export function hubOver(transport: Transport, options: HubOptions = {}, signal?: AbortSignal): KubernetesHub {
  const settings = { ...DEFAULTS, ...options };
  const { deadlineMs, pageSize, watchIdleMs: idleMs, clock } = settings;

  async function object(call: Call): Promise<Record<string, unknown>> {
    return objectIn(call, await transport.send(call, signal));
  }

  async function kubeObject<T extends KubeObject>(options: CallOptions): Promise<T> {
    const call = callOf(options);
    const body = await object(call);
    if (!isKubeObject(body)) {
      throw new PortFault("unavailable", `${call.what}: the answer is not a Kubernetes object`);
    }
    return body as T;
  }

  function list<T extends KubeObject>(
    options: { at: Server; resource: ResourceRef; accept?: string },
    query: ListQuery,
    project: (item: KubeObject) => T,
  ): Promise<KubeList<T>> {
    const { namespace } = query;
    const call = { ...options, verb: "list" as const, namespace, query: selectors(query) };
    return listAll(transport, call, pageSize, project, signal);
  }

  return {
    ...metricsApi(transport, signal),

    list: <T extends KubeObject>(at: Server, resource: ResourceRef, query: ListQuery = {}) =>
      list({ at, resource }, query, (item) => item as T),

    // A server that does not know the form answers whole objects, of which only the metadata is kept.
    listMetadata: (at, resource, query = {}) =>
      list({ at, resource, accept: METADATA_ONLY }, query, ({ metadata }) => ({ metadata })),

    get: <T extends KubeObject>(at: Server, resource: ResourceRef, name: ObjectName) =>
      kubeObject<T>({ at, verb: "get", resource, ...nameParts(name) }),

    async getScale(at, resource, name) {
      const call = callOf({ at, verb: "get", resource, ...nameParts(name), subresource: "scale" });
      return scaleIn(call, await object(call));
    },

    async updateScale(resource, scale, { fieldManager }) {
      const put = { at: "hub", verb: "update", resource, ...nameParts(scale), subresource: "scale" } as const;
      const body = scaleBody(callOf(put).what, scale);
      const call = callOf({ ...put, query: { fieldManager }, body });
      return scaleIn(call, await object(call));
    },

    mergePatch: (resource, name, patch, { fieldManager, subresource, dryRun }) =>
      kubeObject({
        at: "hub",
        verb: "patch",
        resource,
        ...nameParts(name),
        subresource,
        query: { fieldManager, ...(dryRun === true ? TRIAL : {}) },
        contentType: MERGE_PATCH,
        body: patch,
      }),

    create: (resource, created, { fieldManager }) =>
      kubeObject({
        at: "hub",
        verb: "create",
        resource,
        namespace: created.metadata.namespace,
        query: { fieldManager },
        body: created,
      }),

    discover: (at) => discoverAll(transport, at, signal),

    watch: (at, resource, { timeoutSeconds, resourceVersion, signal: stop, ...query }) =>
      watchAll(
        transport,
        {
          at,
          verb: "watch",
          resource,
          namespace: query.namespace,
          query: {
            ...selectors(query),
            watch: true,
            allowWatchBookmarks: true,
            resourceVersion,
            timeoutSeconds,
          },
        },
        { timeoutSeconds, deadlineMs, idleMs, clock },
        stop,
        signal,
      ),

    within: (until) => hubOver(transport, settings, until),
    close: () => transport.close(),
  };
}
