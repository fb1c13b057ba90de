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
    .map(entryOf)
    .sort(inOrder);
}

function entryOf(set: ManagedSet): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, fields } = set;
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: toFieldsV1(fields),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

function inOrder(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return compare(a.operation, b.operation) || compare(a.time, b.time) || compare(a.manager, b.manager);
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
  return afterChanges(entries ?? [], writer, changes, nowMs);
}

/** The entries of those who lose nothing stay as they are. */
function afterChanges(
  entries: readonly ManagedFieldsEntry[],
  writer: Writer,
  { changed, removed }: FieldChanges,
  nowMs: number,
): readonly ManagedFieldsEntry[] {
  const after: ManagedFieldsEntry[] = [];
  let own = NO_FIELDS;
  for (const entry of entries) {
    if (!isJsonObject(entry.fieldsV1)) continue;
    const fields = fromFieldsV1(entry.fieldsV1);
    if (isSameWriter(entry, writer)) {
      own = fields;
      continue;
    }
    const left = differenceOf(differenceOf(fields, changed), removed);
    if (left === fields) after.push(entry);
    else if (!isEmptySet(left)) after.push({ ...entry, fieldsV1: toFieldsV1(left) });
  }
  const fields = differenceOf(unionOf(own, changed), removed);
  if (!isEmptySet(fields)) after.push(entryOf({ ...writer, fields, time: formatInstant(nowMs) }));
  return after.sort(inOrder);
}

export function isSameWriter(manager: Writer, writer: Writer): boolean {
  return (
    manager.manager === writer.manager &&
    manager.operation === writer.operation &&
    manager.subresource === writer.subresource &&
    (writer.operation === "Apply" || manager.apiVersion === writer.apiVersion)
  );
}

const SERVERS_OWN = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
]);

/** The object without what belongs to the server and to nobody else. */
export function ownable(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  if (object === undefined) return {};
  let owned: Record<string, unknown> | undefined;
  for (const field in object.metadata) {
    if (SERVERS_OWN.has(field)) continue;
    owned ??= {};
    owned[field] = object.metadata[field];
  }
  const result: Record<string, unknown> = owned === undefined ? {} : { metadata: owned };
  for (const field in object) {
    if (field !== "apiVersion" && field !== "kind" && field !== "metadata") result[field] = object[field];
  }
  return result;
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
