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
 * The member's object brought in line with its manifest. A template labelled retain-replicas leaves the member's
 * count alone (semantics 4.11, "Retain").
 */
export function appliedOver(observed: KubeObject, manifest: KubeObject): KubeObject {
  const retains = manifest.metadata.labels?.[LABEL.retainReplicas] === "true";
  const replicas = observed.spec?.replicas;
  const spec: JsonObject | undefined =
    retains && replicas !== undefined ? { ...manifest.spec, replicas } : manifest.spec;
  const { status: _status, spec: _spec, metadata: _metadata, ...rest } = manifest;
  return {
    ...observed,
    ...rest,
    ...(spec === undefined ? {} : { spec: { ...observed.spec, ...spec } }),
    metadata: {
      ...observed.metadata,
      labels: { ...observed.metadata.labels, ...manifest.metadata.labels },
      annotations: { ...observed.metadata.annotations, ...manifest.metadata.annotations },
    },
  };
}
