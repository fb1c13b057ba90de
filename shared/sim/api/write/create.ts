import { formatInstant } from "#domain/units/instant";
import type { WriteOptions } from "#sim/api/api-server";
import { alreadyExists, badRequest, notFound, type Outcome, refuse } from "#sim/api/failure";
import type { KubeObject, ManagedFieldsEntry } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { admitted, commit } from "./commit.ts";
import { completed, decoded } from "./decode.ts";
import type { ServerContext } from "./server-context.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
/** Kubernetes gives up on a generated name after eight collisions. */
const NAME_ATTEMPTS = 8;

/** POST: 409 when the name is taken, 404 when the namespace is missing. The status is dropped where it is a subresource. */
export function createObject(
  context: ServerContext,
  type: ResourceType,
  body: unknown,
  write: WriteOptions,
): Outcome<KubeObject> {
  if (write.trusted) return createDecoded(context, type, body as KubeObject, write, undefined);
  const object = decoded(type, body, context.catalogue, write.fieldValidation);
  if (!object.ok) return object;
  return createDecoded(context, type, object.value, write, undefined, object.warnings);
}

/** `managedFields` comes from an apply that found no object. */
export function createDecoded(
  context: ServerContext,
  type: ResourceType,
  object: KubeObject,
  write: WriteOptions,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  warnings: readonly string[] = [],
): Outcome<KubeObject> {
  const { store, catalogue } = context;
  const { namespace } = object.metadata;
  if (type.namespaced && (namespace ?? "") === "") {
    return refuse(badRequest("an empty namespace may not be set during creation"));
  }
  if (!type.namespaced && namespace !== undefined) {
    return refuse(badRequest("namespace may not be set for a resource that is not namespaced"));
  }
  if (
    type.namespaced &&
    catalogue.find("v1", "namespaces") &&
    !store.get(NAMESPACES, undefined, namespace ?? "")
  ) {
    return refuse(notFound(NAMESPACES, namespace ?? ""));
  }
  const name = nameFor(context, type, object);
  if (name !== undefined && store.get(type, namespace, name) !== undefined)
    return refuse(alreadyExists(type, name));
  const { status, ...withoutStatus } = object;
  const stamped = {
    ...(type.status && !write.trusted ? withoutStatus : object),
    metadata: newMetadata(context, object, name, write.nowMs),
  } as KubeObject;
  if (write.trusted) return commit(context, { type, after: stamped, write, managedFields });
  const complete = completed(type, stamped, catalogue);
  if (!complete.ok) return complete;
  const request = { type, operation: "CREATE", object: complete.value, nowMs: write.nowMs } as const;
  const allowed = admitted(context, request);
  if (!allowed.ok) return allowed;
  return commit(context, {
    type,
    after: allowed.value,
    write,
    managedFields,
    warnings: [...warnings, ...(allowed.warnings ?? [])],
  });
}

function nameFor(context: ServerContext, type: ResourceType, { metadata }: KubeObject): string | undefined {
  const { name, namespace, generateName } = metadata;
  if (name !== undefined || generateName === undefined) return name;
  let generated = generateName;
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    generated = generateName + context.ids.suffix(context.store.resourceVersion + 1, attempt);
    if (context.store.get(type, namespace, generated) === undefined) return generated;
  }
  return generated;
}

function newMetadata(
  { ids, store }: ServerContext,
  { metadata }: KubeObject,
  name: string | undefined,
  nowMs: number,
): KubeObject["metadata"] {
  const { resourceVersion, generation, deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...given } =
    metadata;
  return {
    ...given,
    ...(name === undefined ? {} : { name }),
    uid: ids.uid(store.resourceVersion + 1),
    creationTimestamp: formatInstant(nowMs),
  };
}
