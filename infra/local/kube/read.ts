import type { ListQuery } from "#sim/api/api-server";
import { badRequest, methodNotAllowed, pathNotFound } from "#sim/api/failure";
import { SCALES } from "#sim/api/kinds/scale";
import { includedObject } from "./accept.ts";
import { type ApiRequest, selectionOf } from "./api-request.ts";
import { ok, type Reply, refused } from "./reply.ts";
import { type Representation, representList, representObject } from "./represent.ts";

export function representationOf({ type, form, query, nowMs }: ApiRequest): Representation {
  return { type, form, include: includedObject(query), nowMs };
}

/** GET of one object, of its status or of its scale. */
export function getReply(request: ApiRequest): Reply {
  const { server, type, path, nowMs } = request;
  const key = { namespace: path.namespace, name: path.name ?? "" };
  if (path.subresource === "scale") {
    const scale = server.getScale(type, key);
    if (!scale.ok) return refused(scale.status);
    return ok(representObject({ ...representationOf(request), type: SCALES }, scale.value));
  }
  if (path.subresource !== undefined && !(path.subresource === "status" && type.status))
    return refused(pathNotFound());
  const object = server.get(type, key, nowMs);
  return object.ok ? ok(representObject(representationOf(request), object.value)) : refused(object.status);
}

export function listReply(request: ApiRequest): Reply {
  const { server, type, query, nowMs } = request;
  if (!type.verbs.includes("list"))
    return refused(methodNotAllowed(`the server does not allow this method on ${type.resource}`));
  const limit = Number(query.get("limit") ?? 0);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    return refused(
      badRequest(`limit: Invalid value: "${query.get("limit")}": must be a whole number, 0 or more`),
    );
  }
  const listQuery: ListQuery = {
    ...selectionOf(request),
    limit,
    continue: query.get("continue") ?? undefined,
    resourceVersion: query.get("resourceVersion") ?? undefined,
    resourceVersionMatch: query.get("resourceVersionMatch") ?? undefined,
  };
  const list = server.list(type, listQuery, nowMs);
  return list.ok ? ok(representList(representationOf(request), list.value)) : refused(list.status);
}
