import { utf8Length } from "#domain/units/utf8";
import { type FieldFault, invalidValue, requiredValue, tooLongValue } from "./field-fault.ts";
import {
  generateNameFaults,
  labelNameFaults,
  labelValueFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from "./kubernetes-names.ts";
import {
  always,
  bool,
  int64,
  list,
  type Of,
  pointer,
  raw,
  struct,
  text,
  textMap,
  time,
  unlessZero,
} from "./shape.ts";

const ownerReference = struct("OwnerReference", {
  apiVersion: always(text),
  kind: always(text),
  name: always(text),
  uid: always(text),
  controller: pointer(bool),
  blockOwnerDeletion: pointer(bool),
});

const managedFieldsEntry = struct("ManagedFieldsEntry", {
  manager: unlessZero(text),
  operation: unlessZero(text),
  apiVersion: unlessZero(text),
  time: pointer(time),
  fieldsType: unlessZero(text),
  fieldsV1: pointer(raw),
  subresource: unlessZero(text),
});

/** meta/v1 ObjectMeta. */
export const objectMeta = struct("ObjectMeta", {
  name: unlessZero(text),
  generateName: unlessZero(text),
  namespace: unlessZero(text),
  uid: unlessZero(text),
  resourceVersion: unlessZero(text),
  generation: unlessZero(int64),
  creationTimestamp: pointer(time),
  deletionTimestamp: pointer(time),
  deletionGracePeriodSeconds: pointer(int64),
  labels: unlessZero(textMap),
  annotations: unlessZero(textMap),
  ownerReferences: unlessZero(list(ownerReference, "v1.OwnerReference")),
  finalizers: unlessZero(list(text, "string")),
  managedFields: unlessZero(list(managedFieldsEntry, "v1.ManagedFieldsEntry")),
});
export type ObjectMeta = Of<typeof objectMeta>;

const ANNOTATIONS_LIMIT_BYTES = 256 * 1024;
const SUBRESOURCE_LIMIT_BYTES = 256;
const MANAGER_LIMIT_BYTES = 128;
const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * What is wrong with the metadata of a namespaced object. Follows k8s.io/apimachinery v0.36 api/validation,
 * ValidateObjectMeta with NameIsDNSSubdomain. Paths name the map (`metadata.labels`), not its key, as there.
 */
export function objectMetaFaults(meta: ObjectMeta, path: string): FieldFault[] {
  const { generateName = "", name = "", namespace = "", generation = 0 } = meta;
  return [
    ...(generateName === ""
      ? []
      : all(generateNameFaults(generateName), `${path}.generateName`, generateName)),
    ...(name === ""
      ? [requiredValue(`${path}.name`, "name or generateName is required")]
      : all(subdomainFaults(name), `${path}.name`, name)),
    ...(namespace === ""
      ? [requiredValue(`${path}.namespace`)]
      : all(labelNameFaults(namespace), `${path}.namespace`, namespace)),
    ...(generation < 0 ? all(["must be greater than or equal to 0"], `${path}.generation`, generation) : []),
    ...labelFaults(meta.labels ?? {}, `${path}.labels`),
    ...annotationFaults(meta.annotations ?? {}, `${path}.annotations`),
    ...ownerFaults(meta.ownerReferences ?? [], `${path}.ownerReferences`),
    ...finalizerFaults(meta.finalizers ?? [], `${path}.finalizers`),
    ...managedFieldsFaults(meta.managedFields ?? [], `${path}.managedFields`),
  ];
}

function labelFaults(labels: Readonly<Record<string, string>>, path: string): FieldFault[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...all(qualifiedNameFaults(key), path, key),
    ...all(labelValueFaults(value), path, value),
  ]);
}

function annotationFaults(annotations: Readonly<Record<string, string>>, path: string): FieldFault[] {
  const entries = Object.entries(annotations);
  const faults = entries.flatMap(([key]) => all(qualifiedNameFaults(key.toLowerCase()), path, key));
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  return bytes > ANNOTATIONS_LIMIT_BYTES ? [...faults, tooLongValue(path, ANNOTATIONS_LIMIT_BYTES)] : faults;
}

function ownerFaults(owners: NonNullable<ObjectMeta["ownerReferences"]>, path: string): FieldFault[] {
  const faults = owners.flatMap((owner) => {
    const version = owner.apiVersion.split("/").at(-1) ?? "";
    const wrong: FieldFault[] = [];
    if (version === "") {
      wrong.push(invalidValue(`${path}.apiVersion`, owner.apiVersion, "version must not be empty"));
    }
    for (const field of ["kind", "name", "uid"] as const) {
      if (owner[field] === "") wrong.push(invalidValue(`${path}.${field}`, "", "must not be empty"));
    }
    if (owner.apiVersion === "v1" && owner.kind === "Event") {
      wrong.push(invalidValue(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    return wrong;
  });
  const controllers = owners.filter((owner) => owner.controller === true);
  if (controllers.length < 2) return faults;
  const names = controllers.map(({ kind, name }) => `${kind}/${name}`).join(" and ");
  return [
    ...faults,
    invalidValue(
      path,
      owners,
      `Only one reference can have Controller set to true. Found "true" in ${names}`,
    ),
  ];
}

function finalizerFaults(finalizers: readonly string[], path: string): FieldFault[] {
  const faults = finalizers.flatMap((finalizer) => all(qualifiedNameFaults(finalizer), path, finalizer));
  if (!finalizers.includes(ORPHAN) || !finalizers.includes(FOREGROUND)) return faults;
  return [
    ...faults,
    invalidValue(path, finalizers, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`),
  ];
}

function managedFieldsFaults(entries: NonNullable<ObjectMeta["managedFields"]>, path: string): FieldFault[] {
  return entries.flatMap((entry, index) => {
    const at = `${path}[${index}]`;
    const { operation = "", fieldsType = "", manager = "", subresource = "" } = entry;
    const faults: FieldFault[] = [];
    if (operation !== "Apply" && operation !== "Update") {
      faults.push(invalidValue(`${at}.operation`, operation, "must be `Apply` or `Update`"));
    }
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      faults.push(invalidValue(`${at}.fieldsType`, fieldsType, "must be `FieldsV1`"));
    }
    if (utf8Length(manager) > MANAGER_LIMIT_BYTES) {
      faults.push(tooLongValue(`${at}.manager`, MANAGER_LIMIT_BYTES));
    }
    if (utf8Length(subresource) > SUBRESOURCE_LIMIT_BYTES) {
      faults.push(tooLongValue(`${at}.subresource`, SUBRESOURCE_LIMIT_BYTES));
    }
    return faults;
  });
}

function all(details: readonly string[], path: string, value: unknown): FieldFault[] {
  return details.map((detail) => invalidValue(path, value, detail));
}
