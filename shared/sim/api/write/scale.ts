import { MAX_REPLICAS } from "#domain/units/replicas";
import type { Patch, WriteOptions } from "#sim/api/api-server";
import {
  badRequest,
  internalError,
  invalid,
  notFound,
  type Outcome,
  pathNotFound,
  refuse,
  staleVersion,
} from "#sim/api/failure";
import { isJsonObject, type KubeObject, type ObjectKey } from "#sim/api/object";
import { selectorTextAt, valueAt, withValueAt } from "#sim/api/path";
import type { ResourceType } from "#sim/api/resource-type";
import { commit } from "./commit.ts";
import { patchedValue } from "./patch.ts";
import type { ServerContext } from "./server-context.ts";
import { uidConflict } from "./update.ts";

const SCALE_KIND = { group: "autoscaling", kind: "Scale" };

/**
 * The autoscaling/v1 Scale of an object. At 0 replicas `spec` has no `replicas`, as Go's omitempty leaves it (B61).
 */
export function getScale({ store }: ServerContext, type: ResourceType, key: ObjectKey): Outcome<KubeObject> {
  const object = store.get(type, key.namespace, key.name);
  return object === undefined ? refuse(notFound(type, key.name)) : scaleOf(type, object);
}

function scaleOf(type: ResourceType, object: KubeObject): Outcome<KubeObject> {
  const { scale } = type;
  if (scale === undefined) return refuse(pathNotFound());
  const replicas = valueAt(object, scale.specReplicas);
  if (type.custom && replicas === undefined) {
    return refuse(internalError(`the spec replicas field ".${scale.specReplicas.join(".")}" does not exist`));
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const text = scale.selector === undefined ? "" : selectorTextAt(object, scale.selector);
  return {
    ok: true,
    value: {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as KubeObject["metadata"],
      spec: replicas === 0 ? {} : { replicas: replicas ?? 1 },
      status: {
        replicas: valueAt(object, scale.statusReplicas) ?? 0,
        ...(text === "" ? {} : { selector: text }),
      },
    },
  };
}

/** PUT of a scale: 409 on a stale resourceVersion; without one it is unconditional. What comes back is the new scale. */
export function updateScale(
  context: ServerContext,
  type: ResourceType,
  body: unknown,
  write: WriteOptions,
): Outcome<KubeObject> {
  if (type.scale === undefined) return refuse(pathNotFound());
  if (!isJsonObject(body) || !isJsonObject(body.metadata))
    return refuse(badRequest("the request body is no Scale"));
  const { metadata, spec } = body as unknown as KubeObject;
  const name = metadata.name ?? "";
  const before = context.store.get(type, metadata.namespace, name);
  if (before === undefined) return refuse(notFound(type, name));
  const { uid = "", resourceVersion = "" } = metadata;
  if (uid !== "" && uid !== before.metadata.uid)
    return refuse(uidConflict(type, name, uid, before.metadata.uid));
  if (resourceVersion !== "" && resourceVersion !== before.metadata.resourceVersion) {
    return refuse(staleVersion(type, name));
  }
  const replicas = spec?.replicas ?? 0;
  if (typeof replicas !== "number" || !Number.isInteger(replicas) || replicas > MAX_REPLICAS) {
    return refuse(
      badRequest(
        `Scale in version "v1" cannot be handled as a Scale: spec.replicas is no int32: ${replicas}`,
      ),
    );
  }
  if (replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
    return refuse(
      invalid(SCALE_KIND, name, [{ reason: "FieldValueInvalid", message, field: "spec.replicas" }]),
    );
  }
  const after = withValueAt(before, type.scale.specReplicas, replicas);
  const written = commit(context, { type, before, after, write, subresource: "scale" });
  return written.ok ? scaleOf(type, written.value) : written;
}

export function patchScale(
  context: ServerContext,
  type: ResourceType,
  key: ObjectKey,
  patch: Patch,
  write: WriteOptions,
): Outcome<KubeObject> {
  const scale = getScale(context, type, key);
  if (!scale.ok) return scale;
  const patched = patchedValue({ ...type, custom: false }, scale.value, key.name, patch, new Map());
  return patched.ok ? updateScale(context, type, patched.value, write) : patched;
}
