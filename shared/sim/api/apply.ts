import { formatInstant } from "#domain/units/instant";
import { sameJson } from "./equal.ts";
import { applyConflict, type Outcome, refuse, type StatusCause } from "./failure.ts";
import {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  NO_FIELDS,
  pathsOf,
  toFieldsV1,
  unionOf,
} from "./field-set.ts";
import { fieldChanges, fieldsOf, granularityOf, itemEdge, withoutFields } from "./field-walk.ts";
import {
  isSameWriter,
  type ManagedSet,
  ownable,
  readManagers,
  type Writer,
  writeManagers,
} from "./managed-fields.ts";
import { isJsonObject, type KubeObject } from "./object.ts";
import { type Definitions, fieldSchema, resolved, type Schema } from "./schema.ts";

/**
 * Server-side apply: the object with the configuration merged in, and its managers. Fields that the manager applied
 * before and leaves out now are removed, unless others own them. A field that another manager owns with another value
 * is a conflict (409), or with `force` changes its owner.
 */
export function applied(
  live: KubeObject,
  config: KubeObject,
  writer: Writer,
  force: boolean,
  nowMs: number,
  declared: Schema,
  definitions: Definitions,
): Outcome<KubeObject> {
  const schema = resolved(declared, definitions);
  const wanted = fieldsOf(ownable(config), schema, definitions);
  const managers = readManagers(live.metadata.managedFields);
  const own = managers.find((manager) => isSameWriter(manager, writer));
  const others = managers.filter((manager) => manager !== own);
  const kept = others.reduce((set, manager) => unionOf(set, manager.fields), NO_FIELDS);
  const abandoned = differenceOf(own?.fields ?? NO_FIELDS, wanted);
  const { metadata, ...body } = ownable(config);
  const whole = { ...body, metadata: { ...(isJsonObject(metadata) ? metadata : {}) } };
  const merged = withoutFields(merge(live, whole, schema, definitions), abandoned, kept, schema, definitions);
  const result = merged as KubeObject;
  const { changed } = fieldChanges(ownable(live), ownable(result), schema, definitions);
  const conflicts = others
    .map((manager) => ({ manager, fields: intersectionOf(manager.fields, changed) }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (conflicts.length > 0 && !force) return refuse(conflictStatus(conflicts));
  const remaining = others.map((manager) => ({ ...manager, fields: differenceOf(manager.fields, changed) }));
  const isSameSet = own !== undefined && sameJson(toFieldsV1(own.fields), toFieldsV1(wanted));
  const time = isSameSet && isEmptySet(changed) ? own.time : formatInstant(nowMs);
  const managedFields = writeManagers([...remaining, { ...writer, fields: wanted, time }]);
  return { ok: true, value: { ...result, metadata: { ...result.metadata, managedFields } } };
}

function merge(
  live: unknown,
  config: unknown,
  schema: Schema | undefined,
  definitions: Definitions,
): unknown {
  const how = granularityOf(config, schema);
  if (how === "whole" || granularityOf(live, schema) !== how) return config;
  if (isJsonObject(config) && isJsonObject(live)) {
    const result: Record<string, unknown> = { ...live };
    for (const [field, value] of Object.entries(config)) {
      result[field] = merge(live[field], value, fieldSchema(schema, field, definitions), definitions);
    }
    return result;
  }
  return mergedItems(live as readonly unknown[], config as readonly unknown[], schema, definitions);
}

/** Items of both, the live ones in their order, then the new ones. */
function mergedItems(
  live: readonly unknown[],
  config: readonly unknown[],
  schema: Schema | undefined,
  definitions: Definitions,
): readonly unknown[] {
  const itemSchema = resolved(schema?.items, definitions);
  const pending = new Map(config.map((item) => [itemEdge(item, schema, definitions), item]));
  const result = live.map((item) => {
    const edge = itemEdge(item, schema, definitions);
    const wanted = pending.get(edge);
    pending.delete(edge);
    return wanted === undefined ? item : merge(item, wanted, itemSchema, definitions);
  });
  return [...result, ...pending.values()];
}

interface FieldConflict {
  readonly manager: ManagedSet;
  readonly fields: FieldSet;
}

function conflictStatus(conflicts: readonly FieldConflict[]) {
  const found = conflicts.map(({ manager, fields }) => ({ who: described(manager), paths: pathsOf(fields) }));
  const causes: StatusCause[] = found.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  if (causes.length === 1) {
    return applyConflict(`Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`, causes);
  }
  const lines = found.map(({ who, paths }) =>
    [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join("\n"),
  );
  return applyConflict(`Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`, causes);
}

/** `"kubectl-client-side-apply" using apps/v1`; appliers by name alone. */
function described({ manager, operation, apiVersion, subresource }: ManagedSet): string {
  const name =
    JSON.stringify(manager) + (subresource === undefined ? "" : ` with subresource "${subresource}"`);
  return operation === "Apply" ? name : `${name} using ${apiVersion}`;
}
