import {
  decodeFederatedHpaObject,
  type FederatedHpaSpecObject,
  type MetricSpecObject,
  type ScalingRulesObject,
} from "./federated-hpa-object.ts";
import type { FieldFault } from "./field-fault.ts";
import { isObject } from "./shape.ts";

const DEFAULT_METRICS: readonly MetricSpecObject[] = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
];

const DEFAULT_SCALE_UP: ScalingRulesObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

/** The window is left open: the controller's own downscale stabilization stands in for it (5 min, B38). */
const DEFAULT_SCALE_DOWN: ScalingRulesObject = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

export type Defaulted =
  | { readonly ok: true; readonly object: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

/**
 * The object with a defaulted spec, or the fields that do not fit Karmada's types. Follows Karmada f8fdd02
 * pkg/util/lifted/federatedhpa.go (semantics 4.3). Differs: D-17, `behavior.*.tolerance` is kept, which the webhook
 * deletes. Unknown fields of the spec go, quantities become canonical, metadata and status stay as they are.
 */
export function defaultFederatedHpa(raw: unknown): Defaulted {
  const { value: object, faults } = decodeFederatedHpaObject(raw);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, object: { ...(isObject(raw) ? raw : {}), spec: defaultSpec(object.spec) } };
}

/** min 1; metrics cpu at 80 %; behavior only where there is one. */
export function defaultSpec(spec: FederatedHpaSpecObject): FederatedHpaSpecObject {
  const { behavior, metrics = [] } = spec;
  return {
    ...spec,
    minReplicas: spec.minReplicas ?? 1,
    metrics: metrics.length === 0 ? DEFAULT_METRICS : metrics,
    ...(behavior === undefined
      ? {}
      : {
          behavior: {
            scaleUp: defaultRules(behavior.scaleUp, DEFAULT_SCALE_UP),
            scaleDown: defaultRules(behavior.scaleDown, DEFAULT_SCALE_DOWN),
          },
        }),
  };
}

/** An empty list of policies is not defaulted, so that it is refused; it leaves no field behind, as in Go. */
function defaultRules(
  rules: ScalingRulesObject | undefined,
  defaults: ScalingRulesObject,
): ScalingRulesObject {
  const { policies, ...rest } = { ...defaults, ...rules };
  return policies === undefined || policies.length === 0 ? rest : { ...rest, policies };
}
