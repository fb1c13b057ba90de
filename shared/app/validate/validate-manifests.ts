import { decodeCronFederatedHpaObject } from "#domain/spec/cron-federated-hpa-object";
import type { SpecFault } from "#domain/spec/federated-hpa";
import { decodeFederatedHpaObject } from "#domain/spec/federated-hpa-object";
import { isObject } from "#domain/spec/shape";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";
import { annotationRemarks } from "./annotation-remarks.ts";
import { federatedHpaRemarks } from "./federated-hpa-remarks.ts";
import { type Finding, faultRemark, type Manifest, type Remark } from "./finding.ts";
import { listItems } from "./list-items.ts";
import { type Scaler, sharedTargetWarnings } from "./shared-targets.ts";

export interface ValidateOptions {
  /** The namespace of objects that name none, as for kubectl. */
  readonly namespace: string;
  readonly hubSchema: (kind: Scaler["kind"], object: unknown) => SchemaJudgement;
}

/** What the hub's schema of a kind (its CustomResourceDefinition) says of an object. */
export interface SchemaJudgement {
  /** Paths of fields that it does not have. */
  readonly unknown: readonly string[];
  readonly faults: readonly SpecFault[];
}

export interface Report {
  /** FederatedHPAs and CronFederatedHPAs that were looked at. */
  readonly checked: number;
  /** Objects of other kinds. */
  readonly passedOver: number;
  /** Object by object, in the order of the documents. */
  readonly findings: readonly Finding[];
}

const API_VERSION = "autoscaling.karmada.io/v1alpha1";

/** Checks every FederatedHPA and CronFederatedHPA among the documents, each on its own and against the others. */
export function validateManifests(manifests: readonly Manifest[], options: ValidateOptions): Report {
  const documents = manifests.flatMap(listItems);
  const objects = documents.flatMap((document) => scalerIn(document, options) ?? []);
  const shared = sharedTargetWarnings(objects.map(({ scaler }) => scaler));
  const findings = objects.flatMap(({ file, raw, annotations, scaler }, index) => {
    const object = `${scaler.kind} ${scaler.namespace}/${scaler.name}`;
    const remarks = [
      ...remarksOn(scaler.kind, raw, options),
      ...annotationRemarks(scaler.kind, annotations),
      ...(shared.get(index) ?? []),
    ];
    return remarks.map((remark): Finding => ({ ...remark, file, object }));
  });
  const misfits = documents.flatMap(misfit);
  return {
    checked: objects.length,
    passedOver: documents.length - objects.length - misfits.length,
    findings: [...misfits, ...findings],
  };
}

/** A document that is no Kubernetes object at all. */
function misfit({ file, value }: Manifest): readonly Finding[] {
  if (isObject(value) && typeof value.kind === "string" && typeof value.apiVersion === "string") return [];
  const detail = "not a Kubernetes object: it needs apiVersion and kind";
  return [{ level: "fault", file, object: "document", path: "", code: "document-form", detail }];
}

interface ScalerObject {
  readonly file: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly scaler: Scaler;
}

function scalerIn({ file, value }: Manifest, { namespace }: ValidateOptions): ScalerObject | undefined {
  if (!isObject(value) || typeof value.apiVersion !== "string") return undefined;
  const { kind } = value;
  if (kind !== "FederatedHPA" && kind !== "CronFederatedHPA") return undefined;
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const raw = { ...value, metadata: { ...metadata, namespace: metadata.namespace || namespace } };
  const { value: object } =
    kind === "FederatedHPA" ? decodeFederatedHpaObject(raw) : decodeCronFederatedHpaObject(raw);
  const { name = "", namespace: own = "", annotations = {} } = object.metadata;
  const { apiVersion = "", ...target } = object.spec.scaleTargetRef;
  return {
    file,
    raw,
    annotations,
    scaler: { kind, namespace: own, name, target: { apiVersion, ...target } },
  };
}

function remarksOn(
  kind: Scaler["kind"],
  raw: Readonly<Record<string, unknown>>,
  { hubSchema }: ValidateOptions,
): readonly Remark[] {
  if (raw.apiVersion !== API_VERSION) {
    const detail = `"${raw.apiVersion}" is not served; write ${API_VERSION}`;
    return [{ level: "fault", path: "apiVersion", code: "FieldValueNotSupported", detail }];
  }
  const own =
    kind === "FederatedHPA"
      ? federatedHpaRemarks(raw)
      : validateCronFederatedHpa(raw).faults.map(faultRemark);
  const { unknown, faults } = hubSchema(kind, raw);
  const detail = "the hub has no such field; correct its name or place";
  const strangers = unknown.map((path): Remark => ({ level: "fault", code: "field-unknown", path, detail }));
  return [...strangers, ...merged(faults.map(faultRemark), own)];
}

/**
 * The schema's faults and ours, each field once: what is missing is the schema's to say, since we would judge the zero
 * that stands for it; everything else is ours.
 */
function merged(schema: readonly Remark[], own: readonly Remark[]): readonly Remark[] {
  const missing = schema.filter(({ code }) => code === "FieldValueRequired").map(({ path }) => path);
  const kept = own.filter(
    ({ path, level }) => level === "warning" || !missing.some((at) => isWithin(path, at)),
  );
  const paths = new Set(kept.map(({ path }) => path));
  return [...schema.filter(({ path }) => !paths.has(path)), ...kept];
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
