import type { MemberScale, Read, Target } from "#domain/fleet/snapshot";
import { selectorText } from "#domain/units/selector";
import { type LabelSelector, readLabelSelector } from "#domain/units/selector-object";
import {
  type JsonObject,
  outcome,
  readArray,
  readCount,
  readInteger,
  readObject,
  readString,
  requireString,
  wrong,
} from "./reading.ts";

/**
 * Where a kind keeps what its `scale` subresource shows: paths as a CRD names them, without the leading dot.
 * `selector` may hold the text form or a LabelSelector; absent where the scale has none.
 */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly selector?: string;
}

const BUILT_IN: ScalePaths = {
  specReplicas: "spec.replicas",
  statusReplicas: "status.replicas",
  selector: "spec.selector",
};
const KRUISE: ScalePaths = { ...BUILT_IN, selector: "status.labelSelector" };
const GENERIC: ScalePaths = { ...BUILT_IN, selector: "status.selector" };

const KNOWN: Readonly<Record<string, ScalePaths>> = {
  "apps/Deployment": BUILT_IN,
  "apps/StatefulSet": BUILT_IN,
  "apps/ReplicaSet": BUILT_IN,
  "apps.kruise.io/CloneSet": KRUISE,
  "apps.kruise.io/StatefulSet": KRUISE,
};

/** The paths of a kind that is known here, whatever its version. */
export function knownScalePaths(apiVersion: string, kind: string): ScalePaths | undefined {
  const [group = ""] = apiVersion.split("/");
  return KNOWN[`${group}/${kind}`];
}

/** The scale paths that a CustomResourceDefinition declares for a version; undefined where it declares none. */
export function decodeScalePaths(crd: unknown, version: string): ScalePaths | undefined {
  const unread: string[] = [];
  const spec = readObject(readObject(crd, "crd", unread).spec, "spec", unread);
  const versions = Array.from(readArray(spec.versions, "spec.versions", unread), (entry) =>
    readObject(entry, "spec.versions[]", unread),
  );
  const served = versions.find(({ name }) => name === version);
  const subresources = readObject(served?.subresources, "subresources", unread);
  const scale = readObject(subresources.scale, "scale", unread);
  const [specReplicas, statusReplicas, selector] = [
    scale.specReplicasPath,
    scale.statusReplicasPath,
    scale.labelSelectorPath,
  ].map((path) => (typeof path === "string" ? path.replace(/^\./, "") : undefined));
  if (specReplicas === undefined || statusReplicas === undefined) return undefined;
  return { specReplicas, statusReplicas, ...(selector === undefined ? {} : { selector }) };
}

/** The scale target on the hub. A missing replica count is 0, as in its scale (D-07, B61); a wrong one is a fault. */
export function decodeTarget(object: unknown, paths?: ScalePaths): Read<Target> {
  const faults: string[] = [];
  const workload = readObject(object, "target", faults);
  const metadata = readObject(workload.metadata, "metadata", faults);
  const apiVersion = requireString(workload.apiVersion, "apiVersion", faults);
  const kind = requireString(workload.kind, "kind", faults);
  const { specReplicas } = paths ?? knownScalePaths(apiVersion, kind) ?? GENERIC;
  const target: Target = {
    apiVersion,
    kind,
    uid: readString(metadata.uid, "metadata.uid", faults) ?? "",
    generation: readInteger(metadata.generation, "metadata.generation", faults) ?? 0,
    resourceVersion: readString(metadata.resourceVersion, "metadata.resourceVersion", faults) ?? "",
    replicas: readCount(valueAt(workload, specReplicas), specReplicas, faults) ?? 0,
  };
  return outcome(target, faults, "target-unreadable", `${kind || "target"} ${nameOf(metadata)}`);
}

/**
 * The scale of a member's workload, taken from the workload itself. Missing counts are 0, a missing selector is "";
 * a selector that cannot be read is a fault, never "everything".
 */
export function decodeMemberScale(object: unknown, paths?: ScalePaths): Read<MemberScale> {
  const faults: string[] = [];
  const workload = readObject(object, "workload", faults);
  const metadata = readObject(workload.metadata, "metadata", faults);
  const kind = readString(workload.kind, "kind", faults) ?? "";
  const apiVersion = readString(workload.apiVersion, "apiVersion", faults) ?? "";
  const { specReplicas, statusReplicas, selector } = paths ?? knownScalePaths(apiVersion, kind) ?? GENERIC;
  const selectorFaults: string[] = [];
  const scale: MemberScale = {
    specReplicas: readCount(valueAt(workload, specReplicas), specReplicas, faults) ?? 0,
    statusReplicas: readCount(valueAt(workload, statusReplicas), statusReplicas, faults) ?? 0,
    selector:
      selector === undefined ? "" : readSelector(valueAt(workload, selector), selector, selectorFaults),
  };
  const what = `${kind || "workload"} ${nameOf(metadata)}`;
  const read = outcome(scale, faults, "scale-unreadable", what);
  return read.ok ? outcome(scale, selectorFaults, "selector-invalid", what) : read;
}

function readSelector(value: unknown, path: string, faults: string[]): string {
  if (typeof value === "string") return value;
  const object = readObject(value, path, faults);
  const labels = readObject(object.matchLabels, `${path}.matchLabels`, faults);
  const expressions = Array.from(readArray(object.matchExpressions, `${path}.matchExpressions`, faults));
  if (!areTexts(labels) || !expressions.every(isRequirement)) {
    faults.push(wrong(path, value, "a label selector"));
    return "";
  }
  const { selector, faults: found } = readLabelSelector({
    matchLabels: labels,
    matchExpressions: expressions,
  });
  faults.push(...found.map((fault) => `${path}.${fault.path}: ${fault.detail}`));
  return selectorText(selector);
}

function areTexts(labels: JsonObject): labels is Readonly<Record<string, string>> {
  return Object.values(labels).every((value) => typeof value === "string");
}

function isRequirement(value: unknown): value is NonNullable<LabelSelector["matchExpressions"]>[number] {
  const { key, operator, values } = readObject(value, "", []);
  const listed = values === undefined || values === null || Array.isArray(values);
  return (
    typeof key === "string" &&
    typeof operator === "string" &&
    listed &&
    Array.from(values ?? []).every((text: unknown) => typeof text === "string")
  );
}

function valueAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

function nameOf({ namespace, name }: JsonObject): string {
  return [namespace, name].filter((part) => typeof part === "string").join("/");
}
