import type { MilliValue } from "#domain/units/milli";

/**
 * A FederatedHPA as the decision sees it: `autoscaling.karmada.io/v1alpha1`, defaulted, quantities parsed.
 * Names are the API's own. Whether it may be acted on at all is `invalid`: faults found on read, empty when sound.
 */
export interface FederatedHpa {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: FederatedHpaSpec;
  readonly status: FederatedHpaStatus;
  readonly invalid: readonly SpecFault[];
}

/** One fault in a spec: `path` as in `spec.metrics[0].resource.target`, `detail` says what is allowed. */
export interface SpecFault {
  readonly code: string;
  readonly path: string;
  readonly detail: string;
}

export interface FederatedHpaSpec {
  readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly metrics: readonly MetricSpec[];
  readonly behavior?: Behavior;
}

export type MetricSpec =
  | ResourceMetric
  | ContainerResourceMetric
  | PodsMetric
  | ObjectMetric
  | ExternalMetric;

export interface ResourceMetric {
  readonly type: "Resource";
  readonly name: string;
  readonly target: MetricTarget;
}
export interface ContainerResourceMetric {
  readonly type: "ContainerResource";
  readonly name: string;
  readonly container: string;
  readonly target: MetricTarget;
}
export interface PodsMetric {
  readonly type: "Pods";
  readonly name: string;
  /** The metric's own selector in text form; empty selects all series. */
  readonly selector: string;
  readonly target: MetricTarget;
}
export interface ObjectMetric {
  readonly type: "Object";
  readonly name: string;
  readonly selector: string;
  readonly describedObject: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly target: MetricTarget;
}
export interface ExternalMetric {
  readonly type: "External";
  readonly name: string;
  readonly selector: string;
  readonly target: MetricTarget;
}

/** The field that is set decides, not `type` (vectors/README, "Also seen"); an Object metric needs both (B16). */
export interface MetricTarget {
  readonly type: string;
  /** Percent of the request, ≥ 1. */
  readonly averageUtilization?: number;
  readonly averageValue?: MilliValue;
  readonly value?: MilliValue;
}

export interface Behavior {
  readonly scaleUp: ScalingRules;
  readonly scaleDown: ScalingRules;
}
export interface ScalingRules {
  /** 0..3600; absent on scaleDown means the controller's downscale stabilization (5 min). */
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy: "Max" | "Min" | "Disabled";
  readonly policies: readonly ScalingPolicy[];
  /** Fraction of the target, e.g. 0.1; absent means the controller's tolerance. */
  readonly tolerance?: number;
}
export interface ScalingPolicy {
  readonly type: "Pods" | "Percent";
  readonly value: number;
  /** 1..1800. */
  readonly periodSeconds: number;
}

export interface FederatedHpaStatus {
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleAtMs?: number;
  readonly observedGeneration?: number;
  readonly conditions: readonly Condition[];
  readonly currentMetrics: readonly MetricStatus[];
}

export interface Condition {
  readonly type: "AbleToScale" | "ScalingActive" | "ScalingLimited" | (string & {});
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  /** Moves only when `status` changes (semantics 4.12). Epoch milliseconds. */
  readonly lastTransitionMs: number;
}

/** One well-formed entry of `status.currentMetrics`: a metric that was computed this time. */
export interface MetricStatus {
  readonly type: MetricSpec["type"];
  readonly name: string;
  readonly container?: string;
  readonly selector?: string;
  readonly describedObject?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly current: {
    readonly averageUtilization?: number;
    readonly averageValue?: MilliValue;
    readonly value?: MilliValue;
  };
}
