import { formatInstant } from "#domain/units/instant";
import { isJsonObject, type KubeObject, type ManagedFieldsEntry } from "#sim/api/object";
import type { Definitions, Schema } from "#sim/api/schema";
import {
  differenceOf,
  type FieldSet,
  fromFieldsV1,
  isEmptySet,
  NO_FIELDS,
  toFieldsV1,
  unionOf,
} from "./field-set.ts";
import { type FieldChanges, fieldChanges } from "./field-walk.ts";

/** Who writes, and through which door. */
export interface Writer {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

/** One manager's fields. Appliers keep their identity over versions, updaters do not. */
export interface ManagedSet extends Writer {
  readonly fields: FieldSet;
  readonly time?: string | undefined;
}

export function readManagers(entries: readonly ManagedFieldsEntry[] | undefined): readonly ManagedSet[] {
  return (entries ?? [])
    .filter((entry) => isJsonObject(entry.fieldsV1))
    .map(({ manager, operation, apiVersion, subresource, time, fieldsV1 }) => ({
      manager,
      operation,
      apiVersion,
      subresource,
      time,
      fields: fromFieldsV1(fieldsV1),
    }));
}

/** The entries in the API server's order: appliers first, then by time and name. Managers without fields are left out. */
export function writeManagers(managers: readonly ManagedSet[]): readonly ManagedFieldsEntry[] {
  return managers
    .filter(({ fields }) => !isEmptySet(fields))
    .map(({ manager, operation, apiVersion, subresource, time, fields }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: "FieldsV1" as const,
      fieldsV1: toFieldsV1(fields),
      ...(subresource === undefined ? {} : { subresource }),
    }))
    .sort(
      (a, b) => compare(a.operation, b.operation) || compare(a.time, b.time) || compare(a.manager, b.manager),
    );
}

/**
 * The managers after an update: the writer owns what it changed, everyone else loses it, and removed fields are
 * nobody's. The managers of the written object count when it carries some (a client may edit them), else the old ones.
 */
export function managersAfterUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Writer,
  nowMs: number,
  schema: Schema | undefined,
  definitions: Definitions,
): readonly ManagedFieldsEntry[] {
  const given = after.metadata.managedFields;
  const entries = given !== undefined && given.length > 0 ? given : before?.metadata.managedFields;
  const changes = fieldChanges(ownable(before), ownable(after), schema, definitions);
  if (isEmptySet(changes.changed) && isEmptySet(changes.removed)) return entries ?? [];
  return writeManagers(afterChanges(readManagers(entries), writer, changes, nowMs));
}

function afterChanges(
  managers: readonly ManagedSet[],
  writer: Writer,
  { changed, removed }: FieldChanges,
  nowMs: number,
): readonly ManagedSet[] {
  const own = managers.find((manager) => isSameWriter(manager, writer));
  const others = managers
    .filter((manager) => manager !== own)
    .map((manager) => ({ ...manager, fields: differenceOf(differenceOf(manager.fields, changed), removed) }));
  const fields = differenceOf(unionOf(own?.fields ?? NO_FIELDS, changed), removed);
  return [...others, { ...writer, fields, time: formatInstant(nowMs) }];
}

export function isSameWriter(manager: Writer, writer: Writer): boolean {
  return (
    manager.manager === writer.manager &&
    manager.operation === writer.operation &&
    manager.subresource === writer.subresource &&
    (writer.operation === "Apply" || manager.apiVersion === writer.apiVersion)
  );
}

/** The object without what belongs to the server and to nobody else. */
export function ownable(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  if (object === undefined) return {};
  const { apiVersion, kind, metadata, ...body } = object;
  const {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    managedFields,
    selfLink,
    ...owned
  } = metadata;
  return Object.keys(owned).length === 0 ? body : { metadata: owned, ...body };
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
