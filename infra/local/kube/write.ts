import type { DeleteOptions, Patch, WriteOptions } from "#sim/api/api-server";
import { badRequest, methodNotAllowed, type Outcome, pathNotFound, refuse } from "#sim/api/failure";
import { isJsonObject, type KubeObject, keyOf, type ObjectKey } from "#sim/api/object";
import {
  type ApiRequest,
  decodeBody,
  patchTypeOf,
  type RequestVerb,
  selectionOf,
  writeOptionsOf,
} from "./api-request.ts";
import { representationOf } from "./read.ts";
import { ok, type Reply, refused } from "./reply.ts";
import { representObject } from "./represent.ts";

/** Every request with a body, and DELETE. */
export function writeReply(request: ApiRequest, verb: RequestVerb, rawBody: Buffer): Reply {
  const { type, path, headers } = request;
  if (!type.verbs.includes(verb as (typeof type.verbs)[number])) {
    return refused(methodNotAllowed(`the server does not allow this method on ${type.resource}`));
  }
  if (!hasDoor(request)) return refused(pathNotFound());
  const body = decodeBody(rawBody, headers["content-type"]);
  if (!body.ok) return refused(body.status);
  const write = writeOptionsOf(request);
  if (!write.ok) return refused(write.status);
  switch (verb) {
    case "create":
      return createReply(request, body.value, write.value);
    case "update":
      return updateReply(request, body.value, write.value);
    case "patch":
      return patchReply(request, body.value, write.value);
    case "delete":
      return deleteReply(
        request,
        { namespace: path.namespace, name: path.name ?? "" },
        body.value,
        write.value,
      );
    default:
      return deleteCollectionReply(request, body.value, write.value);
  }
}

function hasDoor({ type, path }: ApiRequest): boolean {
  if (path.subresource === undefined) return true;
  if (path.subresource === "status") return type.status;
  return path.subresource === "scale" && type.scale !== undefined;
}

function createReply(request: ApiRequest, body: unknown, write: WriteOptions): Reply {
  const { server, type, path } = request;
  if (path.name !== undefined)
    return refused(methodNotAllowed("the server does not allow POST on one object"));
  const object = placed(body, request);
  if (!object.ok) return refused(object.status);
  return reply(request, server.create(type, object.value, write), 201);
}

function updateReply(request: ApiRequest, body: unknown, write: WriteOptions): Reply {
  const { server, type, path } = request;
  const object = placed(body, request);
  if (!object.ok) return refused(object.status);
  if (path.subresource === "scale") return reply(request, server.updateScale(type, object.value, write));
  return reply(request, server.update(type, object.value, write));
}

function patchReply(request: ApiRequest, body: unknown, write: WriteOptions): Reply {
  const { server, type, path, headers } = request;
  const patchType = patchTypeOf(headers["content-type"]);
  if (!patchType.ok) return refused(patchType.status);
  const key = { namespace: path.namespace, name: path.name ?? "" };
  const patch: Patch = { type: patchType.value, body };
  if (path.subresource === "scale") return reply(request, server.patchScale(type, key, patch, write));
  const existed = server.store.get(type, key.namespace, key.name) !== undefined;
  return reply(request, server.patch(type, key, patch, write), existed ? 200 : 201);
}

function reply(request: ApiRequest, outcome: Outcome<KubeObject>, code = 200): Reply {
  if (!outcome.ok) return refused(outcome.status);
  const body =
    request.path.subresource === "scale"
      ? outcome.value
      : representObject(representationOf(request), outcome.value);
  return { code, body, warnings: outcome.warnings };
}

/** The body with the namespace and name of the URL, which it may leave out but not contradict. */
function placed(body: unknown, { path, type }: ApiRequest): Outcome<KubeObject> {
  if (!isJsonObject(body))
    return refuse(badRequest(`the request body is no JSON object of kind ${type.kind}`));
  const metadata = isJsonObject(body.metadata) ? body.metadata : {};
  const { namespace = path.namespace, name = path.name } = metadata;
  if ((namespace || undefined) !== path.namespace) {
    return refuse(
      badRequest("the namespace of the provided object does not match the namespace sent on the request"),
    );
  }
  if (path.name !== undefined && name !== path.name) {
    return refuse(
      badRequest(
        `the name of the object (${String(name)}) does not match the name on the URL (${path.name})`,
      ),
    );
  }
  const place = {
    ...(path.namespace === undefined ? {} : { namespace: path.namespace }),
    ...(name ? { name } : {}),
  };
  return { ok: true, value: { ...body, metadata: { ...metadata, ...place } } as KubeObject };
}

function deleteReply(request: ApiRequest, key: ObjectKey, body: unknown, write: WriteOptions): Reply {
  const { server, type } = request;
  const deleted = server.delete(type, key, deleteOptionsOf(request, body, write));
  if (!deleted.ok) return refused(deleted.status);
  const isGone = !write.dryRun && server.store.get(type, key.namespace, key.name) === undefined;
  return ok(isGone ? deletedStatus(request, deleted.value) : deleted.value);
}

function deletedStatus({ type }: ApiRequest, { metadata }: KubeObject): object {
  const group = type.group === "" ? {} : { group: type.group };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: metadata.name, ...group, kind: type.resource, uid: metadata.uid },
  };
}

function deleteCollectionReply(request: ApiRequest, body: unknown, write: WriteOptions): Reply {
  const { server, type, nowMs } = request;
  const list = server.list(type, selectionOf(request), nowMs);
  if (!list.ok) return refused(list.status);
  for (const object of list.value.items) {
    const deleted = server.delete(type, keyOf(object), deleteOptionsOf(request, body, write));
    if (!deleted.ok) return refused(deleted.status);
  }
  return ok({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" });
}

function deleteOptionsOf(
  { query }: ApiRequest,
  body: unknown,
  { nowMs, dryRun }: WriteOptions,
): DeleteOptions {
  const given = (isJsonObject(body) ? body : {}) as Partial<DeleteOptions> & { readonly dryRun?: unknown };
  const grace = query.get("gracePeriodSeconds");
  return {
    nowMs,
    dryRun: dryRun || (Array.isArray(given.dryRun) && given.dryRun.includes("All")),
    gracePeriodSeconds: grace === null ? given.gracePeriodSeconds : Number(grace),
    preconditions: given.preconditions,
    propagationPolicy: given.propagationPolicy,
  };
}
