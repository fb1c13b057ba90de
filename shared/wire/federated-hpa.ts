import { defaultSpec } from "#domain/spec/default-federated-hpa";
import type {
  Behavior,
  FederatedHpa,
  FederatedHpaSpec,
  FederatedHpaStatus,
  ScalingPolicy,
  ScalingRules,
} from "#domain/spec/federated-hpa";
import {
  decodeFederatedHpaObject,
  type FederatedHpaSpecObject,
  type ScalingRulesObject,
} from "#domain/spec/federated-hpa-object";
import { type FieldFault, requiredValue } from "#domain/spec/field-fault";
import { readMetricSources } from "#domain/spec/metric-sources";
import { isObject } from "#domain/spec/shape";
import { storedSpecFaults } from "#domain/spec/stored-spec-faults";
import { parseQuantity } from "#domain/units/quantity";
import { externalQueryFaults } from "./external-query.ts";
import { withAnnotations } from "./federated-hpa-annotations.ts";
import { decodeStatus, encodeStatus } from "./federated-hpa-status.ts";
import { sameJson } from "./json.ts";
import { decodeMetricSpec, decodeReference } from "./metric-spec.ts";

/**
 * The FederatedHPA of an object of the API: annotations read as fields (D-17), defaults filled in, quantities and
 * instants parsed. Never throws: what is wrong is in `invalid`, and with faults there the rest is only what could be
 * made of it. What cannot be read of a status is no fault; it is left out.
 */
export function decodeFederatedHpa(raw: unknown): FederatedHpa {
  if (!isObject(raw)) return decoded(raw);
  const known = read.get(raw);
  if (known !== undefined) return known;
  const object = decoded(raw);
  read.set(raw, object);
  return object;
}

/** A hub in this process hands out the same object until it is changed. */
const read = new WeakMap<object, FederatedHpa>();

function decoded(raw: unknown): FederatedHpa {
  const { value: object, faults } = decodeFederatedHpaObject(raw);
  const { metadata, status } = object;
  const { namespace = "", name = "", annotations = {} } = metadata;
  const annotated = withAnnotations(object.spec, annotations);
  const spec = defaultSpec(annotated.spec);
  const undecodable = faults.filter(({ path }) => !path.startsWith("status"));
  return {
    namespace,
    name,
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? "",
    annotations,
    spec: decodeSpec(spec),
    status: decodeStatus(status),
    invalid: [
      ...undecodable,
      ...missingIdentity(namespace, name),
      ...annotated.faults,
      ...readMetricSources(annotations).faults,
      ...externalQueryFaults(annotated.spec, annotations),
      ...(undecodable.length === 0 ? storedSpecFaults(spec) : []),
    ],
  };
}

function missingIdentity(namespace: string, name: string): FieldFault[] {
  return [
    ...(namespace === "" ? [requiredValue("metadata.namespace")] : []),
    ...(name === "" ? [requiredValue("metadata.name")] : []),
  ];
}

function decodeSpec(spec: FederatedHpaSpecObject): FederatedHpaSpec {
  const { behavior, metrics = [], minReplicas = 1, maxReplicas } = spec;
  return {
    scaleTargetRef: decodeReference(spec.scaleTargetRef),
    minReplicas,
    maxReplicas,
    metrics: metrics.flatMap((metric) => decodeMetricSpec(metric) ?? []),
    ...(behavior === undefined ? {} : { behavior: decodeBehavior(behavior) }),
  };
}

function decodeBehavior({ scaleUp, scaleDown }: NonNullable<FederatedHpaSpecObject["behavior"]>): Behavior {
  return { scaleUp: decodeRules(scaleUp ?? {}), scaleDown: decodeRules(scaleDown ?? {}) };
}

function decodeRules(rules: ScalingRulesObject): ScalingRules {
  const { stabilizationWindowSeconds, selectPolicy, policies = [], tolerance } = rules;
  const fraction = tolerance === undefined ? undefined : decodeFraction(tolerance);
  return {
    ...(stabilizationWindowSeconds === undefined ? {} : { stabilizationWindowSeconds }),
    selectPolicy: selectPolicy === "Min" || selectPolicy === "Disabled" ? selectPolicy : "Max",
    policies: policies.filter(isScalingPolicy),
    ...(fraction === undefined ? {} : { tolerance: fraction }),
  };
}

function isScalingPolicy(policy: { readonly type: string }): policy is ScalingPolicy {
  return policy.type === "Pods" || policy.type === "Percent";
}

/** The double nearest to the quantity. */
function decodeFraction(text: string): number | undefined {
  const parsed = parseQuantity(text);
  return parsed.ok ? Number(parsed.value.nano) / 1e9 : undefined;
}

/** A merge patch of the status subresource. A list replaces the former as a whole; null removes a member. */
export interface StatusPatch {
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What turns `before` into `after`: the members that changed, and always `desiredReplicas`, which the CRD requires,
 * and `currentMetrics`, so that null or entries without a type which another controller left go away (B107).
 * Undefined when nothing changed.
 */
export function statusPatch(before: FederatedHpaStatus, after: FederatedHpaStatus): StatusPatch | undefined {
  const changed = changedMembers(before, after);
  if (changed.length === 0) return undefined;
  const next = encodeStatus(after);
  const members = new Set([...changed, "desiredReplicas", "currentMetrics"] as const);
  return { status: Object.fromEntries([...members].map((member) => [member, next[member] ?? null])) };
}

/**
 * Whether the two differ in nothing but numbers of currentMetrics: the same metrics in the same order, with the same
 * kinds of numbers. False when nothing differs at all.
 */
export function isNumbersOnly(before: FederatedHpaStatus, after: FederatedHpaStatus): boolean {
  const [only, ...others] = changedMembers(before, after);
  if (only !== "currentMetrics" || others.length > 0) return false;
  return sameJson(withoutNumbers(before), withoutNumbers(after));
}

const STATUS_MEMBERS = [
  "observedGeneration",
  "lastScaleTime",
  "currentReplicas",
  "desiredReplicas",
  "currentMetrics",
  "conditions",
] as const;

function changedMembers(before: FederatedHpaStatus, after: FederatedHpaStatus) {
  const former = encodeStatus(before);
  const next = encodeStatus(after);
  return STATUS_MEMBERS.filter((member) => !sameJson(former[member], next[member]));
}

function withoutNumbers({ currentMetrics }: FederatedHpaStatus): unknown {
  return currentMetrics.map(({ current, ...metric }) => ({ ...metric, kinds: Object.keys(current).sort() }));
}
