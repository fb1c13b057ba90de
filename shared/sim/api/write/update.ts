import type { WriteOptions } from "#sim/api/api-server";
import {
  badRequest,
  conflict,
  invalid,
  notFound,
  type Outcome,
  refuse,
  type Status,
  staleVersion,
} from "#sim/api/failure";
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { admitted, commit, type PlannedWrite } from "./commit.ts";
import { completed, decoded } from "./decode.ts";
import type { ServerContext } from "./server-context.ts";

/** PUT of an object or of its status. */
export function updateObject(
  context: ServerContext,
  type: ResourceType,
  body: unknown,
  write: WriteOptions,
): Outcome<KubeObject> {
  const object = write.trusted
    ? { ok: true as const, value: body as KubeObject, warnings: undefined }
    : decoded(type, body, context.catalogue, write.fieldValidation);
  if (!object.ok) return object;
  const { name = "", namespace, resourceVersion = "" } = object.value.metadata;
  const before = context.store.get(type, namespace, name);
  if (before === undefined) return refuse(notFound(type, name));
  if (type.custom && resourceVersion === "") {
    const message = "Invalid value: 0x0: must be specified for an update";
    return refuse(
      invalid(type, name, [{ reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" }]),
    );
  }
  return replaceObject(context, { type, before, after: object.value, write, warnings: object.warnings });
}

/** What an update and every patch end in: `before` becomes `after`, as far as the door it came through allows. */
export function replaceObject(
  context: ServerContext,
  planned: Omit<PlannedWrite, "before" | "subresource"> & { readonly before: KubeObject },
): Outcome<KubeObject> {
  const { type, before, write, after, warnings = [] } = planned;
  const refusal = preconditionFailure(type, before, after);
  if (refusal !== undefined) return refuse(refusal);
  const carried =
    write.subresource === "status" ? onlyStatus(before, after) : allButStatus(type, before, after);
  if (write.trusted) return commit(context, { ...planned, after: carried, subresource: write.subresource });
  const complete = completed(type, carried, context.catalogue, before);
  if (!complete.ok) return complete;
  if (write.subresource === "status") {
    return commit(context, { ...planned, after: complete.value, subresource: "status" });
  }
  const request = {
    type,
    operation: "UPDATE",
    object: complete.value,
    oldObject: before,
    nowMs: write.nowMs,
  } as const;
  const allowed = admitted(context, request);
  if (!allowed.ok) return allowed;
  return commit(context, {
    ...planned,
    after: allowed.value,
    warnings: [...warnings, ...(allowed.warnings ?? [])],
  });
}

function preconditionFailure(type: ResourceType, before: KubeObject, after: KubeObject): Status | undefined {
  const name = before.metadata.name ?? "";
  const { resourceVersion = "", uid = "" } = after.metadata;
  if (after.metadata.name !== name) {
    return badRequest(
      `the name of the object (${after.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  if (uid !== "" && uid !== before.metadata.uid) return uidConflict(type, name, uid, before.metadata.uid);
  if (resourceVersion !== "" && resourceVersion !== before.metadata.resourceVersion)
    return staleVersion(type, name);
  return undefined;
}

export function uidConflict(
  type: ResourceType,
  name: string,
  wanted: string,
  actual: string | undefined,
): Status {
  return conflict(
    type,
    name,
    `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`,
  );
}

function onlyStatus(before: KubeObject, after: KubeObject): KubeObject {
  const metadata = withManagedFields(before.metadata, after.metadata.managedFields);
  if (after.status !== undefined) return { ...before, status: after.status, metadata };
  const { status: _old, ...rest } = before;
  return { ...rest, metadata };
}

function allButStatus(type: ResourceType, before: KubeObject, after: KubeObject): KubeObject {
  const metadata = withServersOwn(before.metadata, after.metadata);
  if (!type.status || before.status === after.status) {
    return metadata === after.metadata ? after : { ...after, metadata };
  }
  const { status: _given, ...rest } = after;
  return {
    ...rest,
    ...(before.status === undefined ? {} : { status: before.status }),
    metadata,
  } as KubeObject;
}

/** The metadata of a write with what only the server sets; the same where the write leaves the metadata alone. */
function withServersOwn(before: ObjectMeta, after: ObjectMeta): ObjectMeta {
  if (before === after) return after;
  const {
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
  } = before;
  return {
    ...after,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
  } as ObjectMeta;
}

function withManagedFields(
  metadata: ObjectMeta,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): ObjectMeta {
  if (managedFields === undefined || managedFields === metadata.managedFields) return metadata;
  return { ...metadata, managedFields };
}
