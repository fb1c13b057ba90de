import { formatInstant } from "#domain/units/instant";
import { sameJson } from "#sim/api/equal";
import { type Outcome, refuse } from "#sim/api/failure";
import type { KubeObject } from "#sim/api/object";
import { type Definitions, resolved, type Schema } from "#sim/api/schema";
import { conflictStatus, type FieldConflict } from "./apply-conflict.ts";
import { mergedConfig } from "./apply-merge.ts";
import {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  NO_FIELDS,
  toFieldsV1,
  unionOf,
  withParents,
} from "./field-set.ts";
import { fieldChanges, fieldsOf, withoutFields } from "./field-walk.ts";
import { fieldsOfLastApplied } from "./last-applied.ts";
import {
  isSameWriter,
  type ManagedSet,
  ownable,
  readManagers,
  type Writer,
  writeManagers,
} from "./managed-fields.ts";

/** Only kubectl itself moves an object from client-side to server-side apply without asking. */
const UPGRADING_MANAGER = "kubectl";

export interface Application {
  readonly live: KubeObject;
  readonly config: KubeObject;
  readonly writer: Writer;
  /** Takes over the fields that others own. */
  readonly force: boolean;
  readonly nowMs: number;
  readonly schema: Schema;
  readonly definitions: Definitions;
}

/**
 * Server-side apply: the object with the configuration merged in, and its managers. Fields that the manager applied
 * before and leaves out now are removed, unless others own them. A field that another manager owns with another value
 * is a conflict (409), or with `force` changes its owner.
 */
export function applied(application: Application): Outcome<KubeObject> {
  const { live, config, writer, nowMs, definitions } = application;
  const schema = resolved(application.schema, definitions);
  const managers = readManagers(live.metadata.managedFields);
  const own = managers.find((manager) => isSameWriter(manager, writer));
  const others = managers.filter((manager) => manager !== own);
  const wanted = fieldsOf(ownable(config), schema, definitions);
  const merged = mergedConfig(live, { metadata: {}, ...ownable(config) }, schema, definitions);
  const abandoned = differenceOf(own?.fields ?? NO_FIELDS, withParents(wanted));
  const kept = others.reduce((set, manager) => unionOf(set, manager.fields), NO_FIELDS);
  const result = withoutFields(merged, abandoned, kept, schema, definitions) as KubeObject;
  const { changed } = fieldChanges(ownable(live), ownable(result), schema, definitions);
  const conflicts = application.force ? [] : conflictsOf(application, others, changed);
  if (conflicts.length > 0) return refuse(conflictStatus(conflicts));
  const remaining = others.map((manager) => ({ ...manager, fields: differenceOf(manager.fields, changed) }));
  const isSameSet = own !== undefined && sameJson(toFieldsV1(own.fields), toFieldsV1(wanted));
  const time = isSameSet && isEmptySet(changed) ? own.time : formatInstant(nowMs);
  const managedFields = writeManagers([...remaining, { ...writer, fields: wanted, time }]);
  return { ok: true, value: { ...result, metadata: { ...result.metadata, managedFields } } };
}

function conflictsOf(
  { live, writer, schema, definitions }: Application,
  others: readonly ManagedSet[],
  changed: FieldSet,
): readonly FieldConflict[] {
  const upgradable =
    writer.manager === UPGRADING_MANAGER
      ? fieldsOfLastApplied(live, resolved(schema, definitions), definitions)
      : NO_FIELDS;
  return others
    .map((manager) => ({
      manager,
      fields: differenceOf(intersectionOf(manager.fields, changed), upgradable),
    }))
    .filter(({ fields }) => !isEmptySet(fields));
}
