import type { Clock } from "#ports/clock";
import { PortFault, type PortFaultKind } from "#ports/fault";
import type {
  ApiResource,
  KubeList,
  KubeObject,
  KubernetesPort,
  ListQuery,
  ObjectName,
  ResourceRef,
  Scale,
  Server,
  WatchEvent,
} from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { ApiServer } from "#sim/api/api-server";
import { type Outcome, pathNotFound, type Status } from "#sim/api/failure";
import type { KubeObject as StoredObject } from "#sim/api/object";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import type { Fleet } from "#sim/fleet";
import { followChanges } from "./kubernetes-watch.ts";

/** One call as a hook sees it. */
export interface KubernetesCall {
  readonly verb:
    | "list"
    | "listMetadata"
    | "get"
    | "getScale"
    | "updateScale"
    | "mergePatch"
    | "create"
    | "discover"
    | "watch"
    | "versionsOf"
    | "metricValues";
  readonly at: Server;
  /** Absent for `discover`. */
  readonly resource?: ResourceRef;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** Where a test makes a call fail. What a hook throws is what the caller gets. */
export interface KubernetesHooks {
  /** Before the call reaches the API server: nothing happens. */
  readonly before?: (call: KubernetesCall) => void | Promise<void>;
  /** After it was served: a write has happened, its answer is lost. */
  readonly after?: (call: KubernetesCall) => void | Promise<void>;
}

/** A call that takes longer than this is `unavailable`; the fleet's time stands still meanwhile. */
const DEADLINE_MS = 5_000;

/**
 * The reference of the Kubernetes port: straight to a fleet's API servers, without HTTP. The fleet is brought up to
 * the clock's instant before each call, so what a call sees is what the instant holds.
 */
export function memoryKubernetes(
  fleet: Fleet,
  clock: Clock,
  hooks: KubernetesHooks = {},
): KubernetesPort & MetricsApiPort {
  async function call<T>(about: KubernetesCall, serve: (server: ApiServer, nowMs: number) => T): Promise<T> {
    await hooks.before?.(about);
    const nowMs = clock.nowMs();
    fleet.step(nowMs);
    const value = serve(serverFor(fleet, about), nowMs);
    await hooks.after?.(about);
    return value;
  }

  function listed(about: KubernetesCall, query: ListQuery): Promise<KubeList<KubeObject>> {
    return call(about, (server, nowMs) => {
      const type = typeFor(server, about);
      const { items, resourceVersion } = answer(about, server.list(type, query, nowMs));
      return { items: items as readonly KubeObject[], resourceVersion };
    });
  }

  return {
    async list<T extends KubeObject>(at: Server, resource: ResourceRef, query: ListQuery = {}) {
      return (await listed({ verb: "list", at, resource, ...named(query) }, query)) as KubeList<T>;
    },
    async listMetadata(at, resource, query = {}) {
      const { items, resourceVersion } = await listed(
        { verb: "listMetadata", at, resource, ...named(query) },
        query,
      );
      return { items: items.map(metadataOf), resourceVersion };
    },
    async get<T extends KubeObject>(at: Server, resource: ResourceRef, name: ObjectName) {
      const about: KubernetesCall = { verb: "get", at, resource, ...name };
      return call(about, (server, nowMs) => {
        const object = answer(about, server.get(typeFor(server, about), name, nowMs));
        return object as KubeObject as T;
      });
    },
    async getScale(at, resource, name) {
      const about: KubernetesCall = { verb: "getScale", at, resource, ...name, subresource: "scale" };
      return call(about, (server) => scaleOf(answer(about, server.getScale(typeFor(server, about), name))));
    },
    async updateScale(resource, scale, { fieldManager }) {
      const { namespace, name } = scale;
      const about: KubernetesCall = {
        verb: "updateScale",
        at: "hub",
        resource,
        namespace,
        name,
        subresource: "scale",
      };
      return call(about, (server, nowMs) => {
        const write = { nowMs, fieldManager };
        return scaleOf(
          answer(about, server.updateScale(typeFor(server, about), scaleBody(about, scale), write)),
        );
      });
    },
    async mergePatch(resource, name, patch, { fieldManager, subresource, dryRun }) {
      const about: KubernetesCall = {
        verb: "mergePatch",
        at: "hub",
        resource,
        ...name,
        ...(subresource === undefined ? {} : { subresource }),
      };
      return call(about, (server, nowMs) => {
        const type = typeFor(server, about);
        const body = { type: "merge", body: patch } as const;
        const trial = dryRun === true ? ({ dryRun, fieldValidation: "Strict" } as const) : {};
        const outcome =
          subresource === "scale"
            ? server.patchScale(type, name, body, { nowMs, fieldManager, ...trial })
            : server.patch(type, name, body, { nowMs, fieldManager, subresource, ...trial });
        return answer(about, outcome);
      });
    },
    async create(resource, object, { fieldManager }) {
      const { namespace, name = "" } = object.metadata;
      const about: KubernetesCall = { verb: "create", at: "hub", resource, ...named({ namespace }), name };
      return call(about, (server, nowMs) =>
        answer(about, server.create(typeFor(server, about), object as StoredObject, { nowMs, fieldManager })),
      );
    },
    async discover(at) {
      return call({ verb: "discover", at }, (server) => server.catalogue.all().map(apiResourceOf));
    },
    async versionsOf(at, group) {
      const resource = { group, version: "", resource: "" };
      return call({ verb: "versionsOf", at, resource }, ({ catalogue }) => {
        const versions = [...catalogue.metricApis(), ...catalogue.all().map(asVersions)];
        return [...new Set(versions.filter((api) => api.group === group).flatMap((api) => api.versions))];
      });
    },
    async metricValues(at, query) {
      const { group, version, namespace, described, metric } = query;
      const about: KubernetesCall = {
        verb: "metricValues",
        at,
        resource: { group, version, resource: described?.resource ?? metric },
        namespace,
        ...(described?.name === undefined ? {} : { name: described.name }),
        ...(described === undefined ? {} : { subresource: metric }),
      };
      return call(about, ({ catalogue }, nowMs) => {
        const found = catalogue.findMetricApi(`${group}/${version}`);
        if (found === undefined) throw faultOf(about, pathNotFound());
        return answer(about, found.api.values(version, query, nowMs));
      });
    },
    async *watch(at, resource, query): AsyncGenerator<WatchEvent> {
      const about: KubernetesCall = { verb: "watch", at, resource, ...named(query) };
      const { server, type, missed, means } = await call(about, (server) => {
        const type = typeFor(server, about);
        const missed = answer(about, server.changes(type, query, Number(query.resourceVersion)));
        return { server, type, missed, means: answer(about, server.watched(type, query)) };
      });
      if (!type.verbs.includes("watch"))
        throw new PortFault("invalid", `${textOf(about)}: 405 cannot be watched`);
      yield* followChanges(server.store, missed, means, query);
    },
  };
}

function named({ namespace }: { readonly namespace?: string | undefined }): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

/** The server a call goes to, unless something stands in between. */
function serverFor(fleet: Fleet, about: KubernetesCall): ApiServer {
  if (about.at === "hub") return fleet.hub;
  const { refusal, delayMs } = fleet.access(about.at.member, about.resource?.group ?? "");
  if (delayMs > DEADLINE_MS) {
    throw new PortFault("unavailable", `${textOf(about)}: no answer within ${DEADLINE_MS / 1000} s`);
  }
  if (refusal !== undefined) throw faultOf(about, refusal);
  const member = fleet.members.get(about.at.member);
  if (member === undefined) throw new PortFault("missing", `${textOf(about)}: no such cluster`);
  return member;
}

function typeFor(server: ApiServer, about: KubernetesCall): ResourceType {
  const { resource } = about;
  const type = resource && server.catalogue.find(apiVersionOf(resource), resource.resource);
  if (type !== undefined) return type;
  throw new PortFault("missing", `${textOf(about)}: 404 the server could not find the requested resource`);
}

function answer<T>(about: KubernetesCall, outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw faultOf(about, outcome.status);
}

function faultOf(about: KubernetesCall, status: Status): PortFault {
  const retryAfter = status.details?.retryAfterSeconds;
  return new PortFault(kindOf(status.code), `${textOf(about)}: ${status.code} ${status.message}`, {
    cause: status,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }),
  });
}

function kindOf(code: number): PortFaultKind {
  if (code === 401 || code === 403) return "denied";
  if (code === 404 || code === 410) return "missing";
  if (code === 409 || code === 412) return "conflict";
  if (code === 429) return "throttled";
  return code >= 500 ? "unavailable" : "invalid";
}

/** `getScale deployments.apps shop/web in cluster member1`. */
function textOf({ verb, at, resource, namespace, name }: KubernetesCall): string {
  const kind =
    resource === undefined ? "" : ` ${resource.resource}${resource.group === "" ? "" : `.${resource.group}`}`;
  const object = [namespace, name].filter((part) => part !== undefined).join("/");
  const where = at === "hub" ? "" : ` in cluster ${at.member}`;
  return `${verb}${kind}${object === "" ? "" : ` ${object}`}${where}`;
}

function metadataOf({ metadata }: KubeObject): KubeObject {
  return { metadata };
}

function scaleOf({ metadata, spec = {}, status = {} }: StoredObject): Scale {
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    replicas: Number(spec.replicas ?? 0),
    statusReplicas: Number(status.replicas ?? 0),
    selector: String(status.selector ?? ""),
  };
}

function scaleBody(about: KubernetesCall, scale: Scale): StoredObject {
  const { namespace, name, uid, resourceVersion, replicas } = scale;
  if (resourceVersion === "") {
    throw new PortFault(
      "invalid",
      `${textOf(about)}: no resourceVersion to write against; read the scale first`,
    );
  }
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { namespace, name, resourceVersion, ...(uid === "" ? {} : { uid }) },
    spec: { replicas },
  };
}

function asVersions({ group, version }: ResourceType) {
  return { group, versions: [version] };
}

function apiResourceOf({ group, version, resource, kind, namespaced, scale }: ResourceType): ApiResource {
  return { group, version, resource, kind, namespaced, scalable: scale !== undefined };
}
