import { isJsonObject, type KubeObject } from "#sim/api/object";
import type { Definitions, Schema } from "#sim/api/schema";
import { mergedConfig } from "./apply-merge.ts";
import { differenceOf, type FieldSet, NO_FIELDS } from "./field-set.ts";
import { fieldChanges, fieldsOf } from "./field-walk.ts";
import { ownable } from "./managed-fields.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The fields that `kubectl apply --server-side` may take over without a conflict: those that a client-side apply set
 * before, by its annotation, and that are still as it set them. Ref: apimachinery v0.36 managedfields,
 * lastappliedmanager.go.
 */
export function fieldsOfLastApplied(
  live: KubeObject,
  schema: Schema | undefined,
  definitions: Definitions,
): FieldSet {
  const config = parsed(live.metadata.annotations?.[ANNOTATION]);
  if (config === undefined) return NO_FIELDS;
  const given = ownable(config);
  const { changed } = fieldChanges(
    ownable(live),
    mergedConfig(ownable(live), given, schema, definitions),
    schema,
    definitions,
  );
  return differenceOf(fieldsOf(given, schema, definitions), changed);
}

function parsed(annotation: string | undefined): KubeObject | undefined {
  if (annotation === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(annotation);
    return isJsonObject(value) && isJsonObject(value.metadata) ? (value as unknown as KubeObject) : undefined;
  } catch {
    return undefined;
  }
}
