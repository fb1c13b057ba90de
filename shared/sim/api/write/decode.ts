import type { FieldFault } from "#domain/spec/field-fault";
import { objectMetaFaults } from "#domain/spec/object-meta";
import type { WriteOptions } from "#sim/api/api-server";
import type { Catalogue } from "#sim/api/catalogue";
import { badRequest, invalid, type Outcome, refuse, type Status, type StatusCause } from "#sim/api/failure";
import { isJsonObject, type KubeObject } from "#sim/api/object";
import { notePassed } from "#sim/api/passed-parts";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import { check } from "#sim/api/schema-check";
import { prune } from "#sim/api/schema-prune";

/**
 * A request body as an object of its type: group, version and kind filled in, unknown fields dropped (or refused, by
 * `fieldValidation`). Defaults are left to `completed`, since an applied configuration owns only what it says.
 */
export function decoded(
  type: ResourceType,
  body: unknown,
  catalogue: Catalogue,
  fieldValidation: WriteOptions["fieldValidation"],
): Outcome<KubeObject> {
  if (!isJsonObject(body))
    return refuse(badRequest(`the request body is no JSON object of kind ${type.kind}`));
  const apiVersion = apiVersionOf(type);
  if (body.apiVersion !== undefined && body.apiVersion !== apiVersion) {
    return refuse(
      badRequest(
        `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${apiVersion})`,
      ),
    );
  }
  if (body.kind !== undefined && body.kind !== type.kind) {
    return refuse(
      badRequest(
        `the kind in the data (${String(body.kind)}) does not match the expected kind (${type.kind})`,
      ),
    );
  }
  const metadata = isJsonObject(body.metadata) ? body.metadata : {};
  const object = { ...body, apiVersion, kind: type.kind, metadata } as KubeObject;
  if (type.schema === undefined) return { ok: true, value: object };
  const { value, unknown } = prune(object, type.schema, catalogue.definitions, { defaults: false });
  const complaints = unknown.map((path) => `unknown field "${path}"`);
  if (complaints.length === 0 || fieldValidation === "Ignore") return { ok: true, value };
  if (fieldValidation === "Strict") return refuse(badRequest(strictError(type, complaints)));
  return { ok: true, value, warnings: complaints };
}

function strictError(type: ResourceType, complaints: readonly string[]): string {
  const error = `strict decoding error: ${complaints.join(", ")}`;
  if (type.custom) return error;
  return `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${error}`;
}

/**
 * The object with every default filled in, when it fits its schema; else the 422 (or for Go types the 400). Metadata
 * that are still those of the object before are not checked again.
 */
export function completed(
  type: ResourceType,
  object: KubeObject,
  catalogue: Catalogue,
  before?: KubeObject,
): Outcome<KubeObject> {
  const { schema } = type;
  const { definitions } = catalogue;
  const settled = object.metadata === before?.metadata ? object.metadata : undefined;
  const pruned = schema === undefined ? object : prune(object, schema, definitions, { settled }).value;
  const value = type.defaults?.(pruned) ?? pruned;
  const causes = [
    ...(value.metadata === settled ? [] : metadataCauses(type, value)),
    ...(schema === undefined ? [] : check(value, schema, definitions, settled)),
  ];
  if (causes.length === 0) {
    if (schema !== undefined && value === pruned) notePassed(value, schema, definitions);
    return { ok: true, value };
  }
  return refuse(undecodable(type, causes) ?? invalid(type, value.metadata.name ?? "", causes));
}

function metadataCauses(type: ResourceType, { metadata }: KubeObject): readonly StatusCause[] {
  const faults = objectMetaFaults(metadata as Parameters<typeof objectMetaFaults>[0], "metadata");
  return faults.filter(({ path }) => type.namespaced || path !== "metadata.namespace").map(causeOf);
}

export function causeOf({ code, path, message }: FieldFault): StatusCause {
  return { reason: code, field: path, message: message.slice(path.length + 2) };
}

/** A built-in kind with a value of a wrong type fails where Go decodes it, before any validation. */
function undecodable(type: ResourceType, causes: readonly StatusCause[]): Status | undefined {
  const wrong = causes.find(({ reason }) => reason === "FieldValueTypeInvalid");
  if (type.custom || wrong === undefined) return undefined;
  const [, wanted = "", actual = ""] = /must be of type (\S+): "(.*)"$/.exec(wrong.message) ?? [];
  return badRequest(
    `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal ${actual} ` +
      `into Go struct field ${type.kind}.${wrong.field} of type ${wanted}`,
  );
}
