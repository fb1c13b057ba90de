import { specFaults } from "#domain/scale/gates";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { isObject } from "#domain/spec/shape";
import { isPortFault } from "#ports/fault";
import type { KubeObject } from "#ports/kubernetes";
import type { ReadYaml } from "#ports/yaml";
import { decodeFederatedHpa } from "./federated-hpa.ts";
import { FIELD_ANNOTATIONS } from "./federated-hpa-annotations.ts";

/** Names a ConfigMap of the object's namespace that holds another spec: decided beside the real one, never applied. */
export const SHADOW_ANNOTATION = "mainsheet.io/shadow";

/** The name that the object's annotation gives; undefined where it has none. */
export function shadowName({ annotations }: Pick<FederatedHpa, "annotations">): string | undefined {
  return annotations[SHADOW_ANNOTATION];
}

export type ShadowSpec =
  | {
      readonly ok: true;
      /** The object as if the other spec were its own. */
      readonly object: FederatedHpa;
      /** As it was written, with the real one's target. */
      readonly spec: Readonly<Record<string, unknown>>;
    }
  /** One sentence. */
  | { readonly ok: false; readonly fault: string };

/**
 * The spec in a ConfigMap: its data has one entry, of any name, whose text is a FederatedHPA's spec, or a FederatedHPA
 * that has it. It may leave `scaleTargetRef` out, and name no other target. Every field that Mainsheet knows counts, also
 * those that a stock hub would refuse in the real object; the real object's annotations in their place do not.
 */
export function decodeShadowSpec(
  object: FederatedHpa,
  configMap: KubeObject,
  readYaml: ReadYaml,
): ShadowSpec {
  const { name = "" } = configMap.metadata;
  const fail = (fault: string) => ({ ok: false as const, fault: `ConfigMap ${name}: ${fault}` });
  const data = isObject(configMap.data) ? Object.entries(configMap.data) : [];
  const [entry] = data;
  if (entry === undefined || data.length > 1) {
    return fail(`data needs one entry with a FederatedHPA's spec, and has ${data.length}`);
  }
  const [key, text] = entry;
  let value: unknown;
  try {
    value = readYaml(String(text));
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return fail(`${key}: ${error.message}`);
  }
  const given = isObject(value) && value.kind === "FederatedHPA" ? value.spec : value;
  if (!isObject(given)) return fail(`${key} is no spec of a FederatedHPA`);
  const { scaleTargetRef } = object.spec;
  const spec = { scaleTargetRef, ...given };
  const decoded = decodeFederatedHpa({
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "FederatedHPA",
    metadata: { namespace: object.namespace, name: object.name, annotations: ownAnnotations(object) },
    spec,
  });
  const shadow = {
    ...object,
    annotations: decoded.annotations,
    spec: decoded.spec,
    invalid: decoded.invalid,
  };
  const [fault] = [...shadow.invalid, ...specFaults(shadow)];
  if (fault !== undefined) return fail(`${key}: ${fault.path}: ${fault.detail}`);
  const ref = decoded.spec.scaleTargetRef;
  const isSame =
    ref.kind === scaleTargetRef.kind &&
    ref.name === scaleTargetRef.name &&
    ref.apiVersion === scaleTargetRef.apiVersion;
  if (isSame) return { ok: true, object: shadow, spec };
  return fail(
    `${key}: scaleTargetRef is ${ref.kind} ${ref.name}, the real one ${scaleTargetRef.kind} ${scaleTargetRef.name}; leave it out`,
  );
}

/** Without those that stand in for fields of the spec, and without the one that names the shadow. */
function ownAnnotations({ annotations }: FederatedHpa): Readonly<Record<string, string>> {
  const others = [...FIELD_ANNOTATIONS, SHADOW_ANNOTATION];
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !others.includes(name)));
}
