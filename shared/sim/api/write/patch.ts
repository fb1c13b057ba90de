import jsonPatch, { type Operation } from "fast-json-patch";
import type { Patch, WriteOptions } from "#sim/api/api-server";
import {
  badRequest,
  invalid,
  notFound,
  type Outcome,
  refuse,
  unprocessable,
  unsupportedMediaType,
} from "#sim/api/failure";
import { isJsonObject, type KubeObject, type ObjectKey } from "#sim/api/object";
import { applied } from "#sim/api/ownership/apply";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import type { Definitions } from "#sim/api/schema";
import { createDecoded } from "./create.ts";
import { decoded } from "./decode.ts";
import { mergePatch } from "./merge-patch.ts";
import type { ServerContext } from "./server-context.ts";
import { strategicPatch } from "./strategic-patch.ts";
import { replaceObject } from "./update.ts";

/** PATCH of an object or of its status. Only an apply makes an object that is missing. */
export function patchObject(
  context: ServerContext,
  type: ResourceType,
  key: ObjectKey,
  patch: Patch,
  write: WriteOptions,
): Outcome<KubeObject> {
  if (patch.type === "apply") return applyObject(context, type, key, patch.body, write);
  const before = context.store.get(type, key.namespace, key.name);
  if (before === undefined) return refuse(notFound(type, key.name));
  const patched = patchedValue(type, before, key.name, patch, context.catalogue.definitions);
  if (!patched.ok) return patched;
  const after = decoded(type, patched.value, context.catalogue, write.fieldValidation);
  if (!after.ok) return after;
  return replaceObject(context, { type, before, after: after.value, write, warnings: after.warnings });
}

/** The value with a patch of any type but apply carried out on it. */
export function patchedValue(
  type: ResourceType,
  before: KubeObject,
  name: string,
  patch: Patch,
  definitions: Definitions,
): Outcome<unknown> {
  const { body } = patch;
  if (patch.type === "json") return jsonPatched(type, before, name, body);
  if (!isJsonObject(body)) return refuse(badRequest(`a ${patch.type} patch is a JSON object`));
  if (patch.type === "merge") return { ok: true, value: mergePatch(before, body) };
  if (type.custom) return refuse(unsupportedMediaType(NO_STRATEGIC_PATCH));
  return { ok: true, value: strategicPatch(before, body, type.schema ?? {}, definitions) };
}

const NO_STRATEGIC_PATCH =
  "the body of the request was in an unknown format - accepted media types include: " +
  "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

function jsonPatched(type: ResourceType, before: KubeObject, name: string, body: unknown): Outcome<unknown> {
  if (!Array.isArray(body)) return refuse(badRequest("a JSON patch is a list of operations"));
  try {
    const { newDocument } = jsonPatch.applyPatch(before, body as Operation[], true, false);
    return { ok: true, value: newDocument };
  } catch (error) {
    return refuse(
      unprocessable(
        type,
        name,
        error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
      ),
    );
  }
}

function applyObject(
  context: ServerContext,
  type: ResourceType,
  key: ObjectKey,
  body: unknown,
  write: WriteOptions,
): Outcome<KubeObject> {
  const manager = write.fieldManager ?? "";
  if (manager === "") {
    const message = "Required value: is required for apply patch";
    return refuse(
      invalid({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [
        { reason: "FieldValueRequired", message, field: "fieldManager" },
      ]),
    );
  }
  const config = decoded(type, body, context.catalogue, write.fieldValidation);
  if (!config.ok) return config;
  if (config.value.metadata.managedFields !== undefined) {
    return refuse(badRequest("metadata.managedFields must be nil"));
  }
  const { name, namespace } = config.value.metadata;
  if ((name ?? key.name) !== key.name || (namespace ?? key.namespace) !== key.namespace) {
    return refuse(
      badRequest(`the name of the object (${name}) does not match the name on the URL (${key.name})`),
    );
  }
  const identity = { ...(key.namespace === undefined ? {} : { namespace: key.namespace }), name: key.name };
  const before = context.store.get(type, key.namespace, key.name);
  const wanted = throughDoor(type, config.value, write.subresource);
  const live = before ?? { apiVersion: wanted.apiVersion, kind: wanted.kind, metadata: identity };
  const writer = {
    manager,
    operation: "Apply" as const,
    apiVersion: apiVersionOf(type),
    subresource: write.subresource,
  };
  const result = applied({
    live,
    config: wanted,
    writer,
    force: write.force ?? false,
    nowMs: write.nowMs,
    schema: type.schema ?? {},
    definitions: context.catalogue.definitions,
  });
  if (!result.ok) return result;
  const { managedFields } = result.value.metadata;
  const { warnings } = config;
  if (before === undefined) {
    if (write.subresource === "status") return refuse(notFound(type, key.name));
    return createDecoded(context, type, result.value, write, managedFields, warnings);
  }
  const { resourceVersion = before.metadata.resourceVersion, uid = before.metadata.uid } =
    config.value.metadata;
  const metadata = { ...result.value.metadata, resourceVersion, uid } as KubeObject["metadata"];
  return replaceObject(context, {
    type,
    before,
    after: { ...result.value, metadata },
    write,
    managedFields,
    warnings,
  });
}

/** The part of a configuration that its door lets through: all but the status, or the status alone. */
function throughDoor(type: ResourceType, config: KubeObject, subresource: "status" | undefined): KubeObject {
  const { apiVersion, kind, status, ...rest } = config;
  if (!type.status) return config;
  if (subresource !== "status") return { apiVersion, kind, ...rest };
  return { apiVersion, kind, metadata: {}, ...(status === undefined ? {} : { status }) };
}
