import { parseQuantity, quantitySign } from "#domain/units/quantity";
import type {
  ContainerResourceSource,
  ExternalSource,
  MetricIdentifier,
  MetricSpecObject,
  MetricTargetObject,
  ObjectSource,
  PodsSource,
  ResourceSource,
} from "./federated-hpa-object.ts";
import {
  type FieldFault,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from "./field-fault.ts";
import { labelNameFaults, pathSegmentFaults } from "./kubernetes-names.ts";
import { objectReferenceFaults } from "./object-reference.ts";
import { containerResourceNameFaults } from "./resource-name.ts";

/**
 * What is wrong with one entry of `spec.metrics`. Follows Karmada f8fdd02 pkg/util/lifted/validatingfhpa.go,
 * validateMetricSpec (itself from Kubernetes release-1.27), fault for fault: an unknown type is named twice there, and
 * of several sources only the first is looked into.
 *
 * `allowExternal` adds External to the types (D-17), with the rules that Kubernetes has for it.
 */
export function metricFaults(metric: MetricSpecObject, path: string, allowExternal: boolean): FieldFault[] {
  const sources = allowExternal ? [...SOURCES, EXTERNAL] : SOURCES;
  const known = sources.find((source) => source.type === metric.type);
  const present = sources.filter(({ field }) => metric[field] !== undefined);
  const [first] = present;

  const unknownType = () =>
    unsupportedValue(`${path}.type`, metric.type, sources.map(({ type }) => type).sort());
  const faults: FieldFault[] = [];
  if (metric.type === "") faults.push(requiredValue(`${path}.type`, "must specify a metric source type"));
  if (known === undefined) faults.push(unknownType());
  if (first !== undefined) faults.push(...first.faults(metric, `${path}.${first.field}`));
  if (known === undefined) {
    faults.push(unknownType());
  } else if (metric[known.field] === undefined) {
    faults.push(
      requiredValue(`${path}.${known.field}`, "must populate information for the given metric source"),
    );
  }
  if (present.length === 1) return faults;
  const surplus = present.filter((source) => source !== known);
  return [
    ...faults,
    ...surplus.map(({ field }) =>
      forbiddenValue(`${path}.${field}`, "must populate the given metric source only"),
    ),
  ];
}

interface Source {
  readonly type: string;
  readonly field: "object" | "pods" | "resource" | "containerResource" | "external";
  readonly faults: (metric: MetricSpecObject, path: string) => FieldFault[];
}

const SOURCES: readonly Source[] = [
  { type: "Object", field: "object", faults: ({ object }, path) => ifPresent(object, objectFaults, path) },
  { type: "Pods", field: "pods", faults: ({ pods }, path) => ifPresent(pods, podsFaults, path) },
  {
    type: "Resource",
    field: "resource",
    faults: ({ resource }, path) => ifPresent(resource, resourceFaults, path),
  },
  {
    type: "ContainerResource",
    field: "containerResource",
    faults: ({ containerResource }, path) => ifPresent(containerResource, containerResourceFaults, path),
  },
];

const EXTERNAL: Source = {
  type: "External",
  field: "external",
  faults: ({ external }, path) => ifPresent(external, externalSourceFaults, path),
};

/** The types of metrics that can be followed at all. */
export const METRIC_TYPES: readonly string[] = [...SOURCES, EXTERNAL].map(({ type }) => type);

function ifPresent<T>(
  source: T | undefined,
  faults: (source: T, path: string) => FieldFault[],
  path: string,
): FieldFault[] {
  return source === undefined ? [] : faults(source, path);
}

function objectFaults({ describedObject, metric, target }: ObjectSource, path: string): FieldFault[] {
  const faults = [
    ...objectReferenceFaults(describedObject, `${path}.describedObject`),
    ...identifierFaults(metric, `${path}.metric`),
    ...targetFaults(target, `${path}.target`),
  ];
  if (target.value !== undefined || target.averageValue !== undefined) return faults;
  return [
    ...faults,
    requiredValue(`${path}.target.averageValue`, "must set either a target value or averageValue"),
  ];
}

function podsFaults({ metric, target }: PodsSource, path: string): FieldFault[] {
  const faults = [...identifierFaults(metric, `${path}.metric`), ...targetFaults(target, `${path}.target`)];
  if (target.averageValue !== undefined) return faults;
  return [
    ...faults,
    requiredValue(`${path}.target.averageValue`, "must specify a positive target averageValue"),
  ];
}

function resourceFaults({ name, target }: ResourceSource, path: string): FieldFault[] {
  return [
    ...(name === "" ? [requiredValue(`${path}.name`, "must specify a resource name")] : []),
    ...resourceTargetFaults(target, `${path}.target`),
  ];
}

function containerResourceFaults(source: ContainerResourceSource, path: string): FieldFault[] {
  const { name, container, target } = source;
  return [
    ...(name === ""
      ? [requiredValue(`${path}.name`, "must specify a resource name")]
      : containerResourceNameFaults(name).map((detail) => invalidValue(`${path}.name`, name, detail))),
    ...(container === ""
      ? [requiredValue(`${path}.container`, "must specify a container")]
      : labelNameFaults(container).map((detail) => invalidValue(`${path}.container`, container, detail))),
    ...resourceTargetFaults(target, `${path}.target`),
  ];
}

function resourceTargetFaults(target: MetricTargetObject, path: string): FieldFault[] {
  const faults = targetFaults(target, path);
  const utilization = target.averageUtilization !== undefined;
  const amount = target.averageValue !== undefined;
  if (!utilization && !amount) {
    faults.push(
      requiredValue(
        `${path}.averageUtilization`,
        "must set either a target raw value or a target utilization",
      ),
    );
  }
  if (utilization && amount) {
    faults.push(
      forbiddenValue(`${path}.averageValue`, "may not set both a target raw value and a target utilization"),
    );
  }
  return faults;
}

/** Follows Kubernetes release-1.27, validateExternalSource; Karmada's webhook refuses the type as a whole. */
export function externalSourceFaults({ metric, target }: ExternalSource, path: string): FieldFault[] {
  const faults = [...identifierFaults(metric, `${path}.metric`), ...targetFaults(target, `${path}.target`)];
  const total = target.value !== undefined;
  const average = target.averageValue !== undefined;
  if (!total && !average) {
    const detail = "must set either a target value for metric or a per-pod target";
    faults.push(requiredValue(`${path}.target.averageValue`, detail));
  }
  if (total && average) {
    const detail = "may not set both a target value for metric and a per-pod target";
    faults.push(forbiddenValue(`${path}.target.value`, detail));
  }
  return faults;
}

const TARGET_TYPES = ["Utilization", "Value", "AverageValue"];

function targetFaults(target: MetricTargetObject, path: string): FieldFault[] {
  const faults: FieldFault[] = [];
  if (target.type === "") faults.push(requiredValue(`${path}.type`, "must specify a metric target type"));
  if (!TARGET_TYPES.includes(target.type)) {
    faults.push(
      invalidValue(`${path}.type`, target.type, "must be either Utilization, Value, or AverageValue"),
    );
  }
  for (const field of ["value", "averageValue"] as const) {
    const amount = target[field];
    if (amount !== undefined && !isPositive(amount)) {
      faults.push(invalidValue(`${path}.${field}`, amount, "must be positive"));
    }
  }
  const { averageUtilization } = target;
  if (averageUtilization !== undefined && averageUtilization < 1) {
    faults.push(invalidValue(`${path}.averageUtilization`, averageUtilization, "must be greater than 0"));
  }
  return faults;
}

function identifierFaults({ name }: MetricIdentifier, path: string): FieldFault[] {
  if (name === "") return [requiredValue(`${path}.name`, "must specify a metric name")];
  return pathSegmentFaults(name).map((detail) => invalidValue(`${path}.name`, name, detail));
}

function isPositive(amount: string): boolean {
  const parsed = parseQuantity(amount);
  return parsed.ok && quantitySign(parsed.value) === 1;
}
