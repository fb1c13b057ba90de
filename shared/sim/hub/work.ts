import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { isWorkload } from "#sim/workload";
import { ANNOTATION, bindingNameOf, LABEL } from "./karmada.ts";

/**
 * What a template becomes in one member: its labels, annotations and spec, with the member's replicas, and Karmada's
 * marks. Server-set metadata and status stay behind.
 */
export function manifestFor(template: KubeObject, replicas: number | undefined): KubeObject {
  const { status: _status, metadata, ...rest } = template;
  const { name = "", namespace, labels, uid = "", generation } = metadata;
  const { "kubectl.kubernetes.io/last-applied-configuration": _applied, ...annotations } =
    metadata.annotations ?? {};
  const spec = isWorkload(template) && replicas !== undefined ? { spec: { ...template.spec, replicas } } : {};
  return {
    ...rest,
    ...spec,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [LABEL.managed]: "true" },
      annotations: {
        ...annotations,
        [ANNOTATION.bindingName]: bindingNameOf(template.kind, name),
        ...(namespace === undefined ? {} : { [ANNOTATION.bindingNamespace]: namespace }),
        [ANNOTATION.templateUid]: uid,
        ...(generation === undefined ? {} : { [ANNOTATION.templateGeneration]: String(generation) }),
      },
    },
  };
}

/** Whether Karmada put this object into the member for that binding. */
export function isManagedBy(object: KubeObject, bindingName: string): boolean {
  return (
    object.metadata.labels?.[LABEL.managed] === "true" &&
    object.metadata.annotations?.[ANNOTATION.bindingName] === bindingName
  );
}

/**
 * The member's object brought in line with its manifest; the same object where it is already. A template labelled
 * retain-replicas leaves the member's count alone (semantics 4.11, "Retain").
 */
export function appliedOver(observed: KubeObject, manifest: KubeObject): KubeObject {
  const retains = manifest.metadata.labels?.[LABEL.retainReplicas] === "true";
  const replicas = observed.spec?.replicas;
  const spec: JsonObject | undefined =
    retains && replicas !== undefined ? { ...manifest.spec, replicas } : manifest.spec;
  const { status: _status, spec: _spec, metadata: _metadata, ...rest } = manifest;
  const { labels, annotations } = manifest.metadata;
  const metadata = withFields(observed.metadata, {
    labels: withFields(observed.metadata.labels, labels),
    annotations: withFields(observed.metadata.annotations, annotations),
  });
  return withFields(observed, {
    ...rest,
    ...(spec === undefined ? {} : { spec: withFields(observed.spec, spec) }),
    metadata,
  });
}

/** The object with these fields; the same object where it has them all. */
function withFields<T extends JsonObject>(object: T | undefined, fields: JsonObject = {}): T {
  const has = (field: string) => object !== undefined && sameJson(object[field], fields[field]);
  return object !== undefined && Object.keys(fields).every(has) ? object : ({ ...object, ...fields } as T);
}
