import {
  type ExternalSource,
  externalSource,
  type FederatedHpaSpecObject,
} from "#domain/spec/federated-hpa-object";
import { type FieldFault, invalidValue } from "#domain/spec/field-fault";
import { externalSourceFaults } from "#domain/spec/metric-faults";
import { decodeAs, list } from "#domain/spec/shape";
import { selectorFaults } from "#domain/spec/stored-spec-faults";
import { parseQuantity, quantitySign } from "#domain/units/quantity";
import { quantityText } from "#domain/units/quantity-text";
import { MAX_REPLICAS } from "#domain/units/replicas";

/**
 * What a stock hub's webhooks refuse or delete can stand in annotations instead (D-17). An annotation means what its
 * field would mean:
 *
 * - `mainsheet.io/min-replicas: "0"` stands in for `spec.minReplicas`, which the webhook defaults to 1.
 * - `mainsheet.io/tolerance: "0.05"`, or `scaleUp=0.05,scaleDown=0.2`, is `behavior.scaleUp/scaleDown.tolerance` where
 *   the behavior has none. As with the field, an absent behavior is defaulted then.
 * - `mainsheet.io/external-metrics` is a JSON list of what stands under `external:` in `spec.metrics`, and is added
 *   to them: `[{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"30"}}]`.
 */
const MIN_REPLICAS = "mainsheet.io/min-replicas";
const TOLERANCE = "mainsheet.io/tolerance";
const EXTERNAL_METRICS = "mainsheet.io/external-metrics";

/** All of them, by the field that each stands in for. */
export const FIELD_ANNOTATION = {
  minReplicas: MIN_REPLICAS,
  tolerance: TOLERANCE,
  externalMetrics: EXTERNAL_METRICS,
} as const;
export const FIELD_ANNOTATIONS: readonly string[] = Object.values(FIELD_ANNOTATION);

/** The spec as if its annotations were fields, before defaults. A faulty annotation is a fault and changes nothing. */
export function withAnnotations(
  spec: FederatedHpaSpecObject,
  annotations: Readonly<Record<string, string>>,
): { readonly spec: FederatedHpaSpecObject; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const minReplicas = readMinReplicas(annotations[MIN_REPLICAS], faults);
  const tolerance = readTolerance(annotations[TOLERANCE], faults);
  const external = readExternalMetrics(annotations[EXTERNAL_METRICS], faults);
  const behavior = tolerance === undefined ? spec.behavior : withTolerance(spec.behavior, tolerance);
  return {
    spec: {
      ...spec,
      ...(minReplicas === undefined ? {} : { minReplicas }),
      ...(external.length === 0
        ? {}
        : {
            metrics: [
              ...(spec.metrics ?? []),
              ...external.map((source) => ({ type: "External", external: source })),
            ],
          }),
      ...(behavior === undefined ? {} : { behavior }),
    },
    faults,
  };
}

function readMinReplicas(text: string | undefined, faults: FieldFault[]): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MAX_REPLICAS) return count;
  faults.push(invalid(MIN_REPLICAS, text, `must be a whole number from 0 to ${MAX_REPLICAS}`));
  return undefined;
}

interface Tolerances {
  readonly scaleUp?: string;
  readonly scaleDown?: string;
}

const DIRECTIONS = /^(scaleUp|scaleDown)=([^,=]+)$/;

function readTolerance(text: string | undefined, faults: FieldFault[]): Tolerances | undefined {
  if (text === undefined) return undefined;
  const both = readAmount(text);
  if (both !== undefined) return { scaleUp: both, scaleDown: both };
  const parts = text.split(",").map((part) => DIRECTIONS.exec(part.trim()));
  const read = parts.map((part) => [part?.[1], readAmount(part?.[2] ?? "")] as const);
  const names = new Set(read.map(([name]) => name));
  if (names.size === read.length && read.every(([name, amount]) => name && amount !== undefined)) {
    return Object.fromEntries(read);
  }
  const detail = "must be an amount of 0 or more such as 0.05, or scaleUp=0.05,scaleDown=0.2";
  faults.push(invalid(TOLERANCE, text, detail));
  return undefined;
}

function readAmount(text: string): string | undefined {
  const parsed = parseQuantity(text.trim());
  return parsed.ok && quantitySign(parsed.value) !== -1 ? quantityText(parsed.value) : undefined;
}

function withTolerance(
  behavior: FederatedHpaSpecObject["behavior"],
  { scaleUp, scaleDown }: Tolerances,
): FederatedHpaSpecObject["behavior"] {
  return {
    ...behavior,
    ...(scaleUp === undefined ? {} : { scaleUp: { tolerance: scaleUp, ...behavior?.scaleUp } }),
    ...(scaleDown === undefined ? {} : { scaleDown: { tolerance: scaleDown, ...behavior?.scaleDown } }),
  };
}

function readExternalMetrics(text: string | undefined, faults: FieldFault[]): readonly ExternalSource[] {
  if (text === undefined) return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  if (!Array.isArray(json)) {
    const detail =
      'must be a JSON list such as [{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"30"}}]';
    faults.push(invalid(EXTERNAL_METRICS, text, detail));
    return [];
  }
  const path = pathOf(EXTERNAL_METRICS);
  const decoded = decodeAs(list(externalSource, "v2.ExternalMetricSource"), json, "annotation", path);
  const found =
    decoded.faults.length > 0
      ? decoded.faults
      : decoded.value.flatMap((source, index) => [
          ...externalSourceFaults(source, `${path}[${index}]`),
          ...selectorFaults(source.metric, `${path}[${index}].metric`),
        ]);
  faults.push(...found);
  return found.length === 0 ? decoded.value : [];
}

const pathOf = (annotation: string): string => `metadata.annotations[${annotation}]`;

function invalid(annotation: string, text: string, detail: string): FieldFault {
  return invalidValue(pathOf(annotation), text, detail);
}
