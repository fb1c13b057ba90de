import type { AdmissionRequest, WriteOptions } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import { denied, type Outcome, refuse } from "#sim/api/failure";
import type { KubeObject, ManagedFieldsEntry } from "#sim/api/object";
import { managersAfterUpdate } from "#sim/api/ownership/managed-fields";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import { resolved } from "#sim/api/schema";
import type { ServerContext } from "./server-context.ts";

/** A write that has been decided on: what was there, what shall be, and by whom. */
export interface PlannedWrite {
  readonly type: ResourceType;
  readonly before?: KubeObject | undefined;
  readonly after: KubeObject;
  readonly write: WriteOptions;
  readonly subresource?: "status" | "scale" | undefined;
  /** Set by server-side apply, which keeps its own account. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/**
 * The last steps of every write: generation, managed fields, and the store. A write that changes nothing leaves the
 * object and its resourceVersion alone; a dry run comes back with what would have been stored.
 */
export function commit(context: ServerContext, planned: PlannedWrite): Outcome<KubeObject> {
  const { before, write, type } = planned;
  const counted =
    planned.subresource === "status" ? planned.after : withGeneration(type, before, planned.after);
  const managedFields = planned.managedFields ?? managersOf(context, planned, counted);
  const after = withManagers(counted, managedFields);
  const warnings = planned.warnings === undefined ? {} : { warnings: planned.warnings };
  if (before !== undefined && sameJson(before, after)) return { ok: true, value: before, ...warnings };
  if (write.dryRun) return { ok: true, value: after, ...warnings };
  if (isReleased(before, after)) return { ok: true, value: context.store.remove(type, after), ...warnings };
  return { ok: true, value: context.store.put(type, after), ...warnings };
}

function withGeneration(type: ResourceType, before: KubeObject | undefined, after: KubeObject): KubeObject {
  if (!type.generation) return after;
  const previous = before?.metadata.generation ?? 0;
  const generation = before !== undefined && isSameSpec(type, before, after) ? previous : previous + 1;
  if (generation === after.metadata.generation) return after;
  return { ...after, metadata: { ...after.metadata, generation } };
}

/** Of what `generation` counts the changes: everything but metadata and, where it is a subresource, the status. */
function isSameSpec(type: ResourceType, before: KubeObject, after: KubeObject): boolean {
  const isCounted = (field: string) => field !== "metadata" && !(type.status && field === "status");
  for (const field in after) if (isCounted(field) && !sameJson(before[field], after[field])) return false;
  for (const field in before) {
    if (isCounted(field) && before[field] !== undefined && after[field] === undefined) return false;
  }
  return true;
}

function managersOf(
  context: ServerContext,
  { type, before, write, subresource }: PlannedWrite,
  after: KubeObject,
): readonly ManagedFieldsEntry[] {
  if (write.fieldManager === undefined) return before?.metadata.managedFields ?? [];
  const { definitions } = context.catalogue;
  const writer = {
    manager: write.fieldManager,
    operation: "Update" as const,
    apiVersion: apiVersionOf(type),
    subresource,
  };
  return managersAfterUpdate(
    before,
    after,
    writer,
    write.nowMs,
    resolved(type.schema, definitions),
    definitions,
  );
}

function withManagers(object: KubeObject, managedFields: readonly ManagedFieldsEntry[]): KubeObject {
  if (managedFields === object.metadata.managedFields) return object;
  if (managedFields.length === 0 && object.metadata.managedFields === undefined) return object;
  const { managedFields: _given, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
}

/** The last finalizer of a deleted object went: it goes too. */
function isReleased(before: KubeObject | undefined, after: KubeObject): boolean {
  const held = (before?.metadata.finalizers ?? []).length > 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = after.metadata;
  return (
    held && deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0
  );
}

/** What the admission hooks make of a write, one after the other; the first denial ends it. */
export function admitted(context: ServerContext, request: AdmissionRequest): Outcome<KubeObject> {
  let { object } = request;
  const warnings: string[] = [];
  for (const hook of context.admission) {
    if (!hook.matches(request.type, request.operation)) continue;
    const answer = hook.admit({ ...request, object });
    if (!answer.allowed) return refuse(denied(answer.webhook, answer.message, answer.code));
    object = answer.object;
    warnings.push(...(answer.warnings ?? []));
  }
  return { ok: true, value: object, warnings };
}
