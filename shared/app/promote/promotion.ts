import { isObject } from "#domain/spec/shape";
import type { KubeObject } from "#ports/kubernetes";
import { FIELD_ANNOTATION } from "#wire/federated-hpa-annotations";
import { mergePatchBetween } from "#wire/merge-patch";
import { SHADOW_ANNOTATION } from "#wire/shadow-spec";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The merge patch that makes a shadow spec a FederatedHPA's own and ends the shadow. What a stock hub would refuse or
 * delete in the spec (External metrics, `minReplicas: 0`, `tolerance`) goes into the annotations that mean the same
 * (D-17); those that the object had for its former spec go.
 */
export function promotion(object: KubeObject, shadowSpec: Fields): Fields {
  const { spec, annotations } = forStockHub(shadowSpec);
  const { resourceVersion } = object.metadata;
  return {
    metadata: { resourceVersion, annotations: { ...annotations, [SHADOW_ANNOTATION]: null } },
    spec: mergePatchBetween(isObject(object.spec) ? object.spec : {}, spec),
  };
}

function forStockHub(spec: Fields): {
  readonly spec: Fields;
  readonly annotations: Readonly<Record<string, string | null>>;
} {
  const { minReplicas, metrics, behavior, ...rest } = spec;
  const all: readonly unknown[] = Array.isArray(metrics) ? metrics : [];
  const external = all.flatMap((metric) => (isExternal(metric) ? [metric.external] : []));
  const others = all.filter((metric) => !isExternal(metric));
  const tolerances = ["scaleUp", "scaleDown"].flatMap((direction) => {
    const rules = isObject(behavior) ? behavior[direction] : undefined;
    return isObject(rules) && rules.tolerance !== undefined ? [`${direction}=${rules.tolerance}`] : [];
  });
  return {
    spec: {
      ...rest,
      ...(minReplicas === undefined || minReplicas === 0 ? {} : { minReplicas }),
      ...(others.length === 0 ? {} : { metrics: others }),
      ...(isObject(behavior) ? { behavior: withoutTolerance(behavior) } : {}),
    },
    annotations: {
      [FIELD_ANNOTATION.minReplicas]: minReplicas === 0 ? "0" : null,
      [FIELD_ANNOTATION.tolerance]: tolerances.length === 0 ? null : tolerances.join(","),
      [FIELD_ANNOTATION.externalMetrics]: external.length === 0 ? null : JSON.stringify(external),
    },
  };
}

function isExternal(metric: unknown): metric is { readonly external: unknown } {
  return isObject(metric) && metric.type === "External";
}

function withoutTolerance(behavior: Fields): Fields {
  return Object.fromEntries(
    Object.entries(behavior).map(([direction, rules]) => {
      if (!isObject(rules)) return [direction, rules];
      const { tolerance: _moved, ...kept } = rules;
      return [direction, kept];
    }),
  );
}
