import { milliAmountText } from "#domain/scale/amount-text";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import { parseMilli } from "#domain/units/quantity";
import { parseSelector } from "#domain/units/selector-parse";
import type { KubeObject } from "#sim/api/object";
import { requestsOf } from "#sim/workload";
import { amountAt, type LoadChoice, type RecordedLoad, type ShapeChoice } from "./load-choice.ts";
import { type CourseContext, LOAD_SHAPES } from "./load-shapes.ts";
import { targetOf } from "./target.ts";
import type { MetricCurve, WorkloadLoad } from "./workload-load.ts";

/**
 * Without amounts, a shape goes from what would keep 60 % of the fewest replicas at target to what needs 80 % of the
 * most: the object's own bounds are then what is tried out.
 */
const LOW_PART = 0.6;
const HIGH_PART = 0.8;

export interface DemandOptions extends CourseContext {
  readonly choice: LoadChoice;
}

export interface Demanded {
  readonly load: WorkloadLoad;
  readonly notes: readonly string[];
}

/** What a FederatedHPA's workload has to bear, for every metric that the FederatedHPA looks at. */
export function demandOn(object: FederatedHpa, workload: KubeObject, options: DemandOptions): Demanded {
  const notes: string[] = [];
  const say = (text: string) => notes.push(`${object.namespace}/${object.name}: ${text}`);
  const { choice } = options;
  const curves = object.spec.metrics.map((metric): MetricCurve => {
    const milliAt =
      choice.kind === "shape"
        ? shaped(choice, object, metric, workload, options, say)
        : recorded(choice, object, metric, say);
    return { ...placeOf(metric), milliAt };
  });
  const container = object.spec.metrics.find((metric) => metric.type === "ContainerResource")?.container;
  const load = {
    name: object.name,
    target: targetOf(object),
    noisePercent: choice.kind === "shape" ? choice.noisePercent : 0,
    ...(container === undefined ? {} : { container }),
    curves,
  };
  return { load, notes };
}

function placeOf(metric: MetricSpec): Omit<MetricCurve, "milliAt"> {
  const { name } = metric;
  switch (metric.type) {
    case "Resource":
    case "ContainerResource":
      return { metric: name, where: name === "memory" ? "memory" : "cpu" };
    case "Pods":
      return { metric: name, where: "podMetrics", labels: labelsFor(metric.selector) };
    case "Object":
      return {
        metric: name,
        where: "objectMetrics",
        labels: labelsFor(metric.selector),
        object: metric.describedObject,
      };
    case "External":
      return { metric: name, where: "externalMetrics", labels: labelsFor(metric.selector) };
  }
}

/** Labels that the metric's selector takes, where it asks for values. */
function labelsFor(selector: string): Readonly<Record<string, string>> {
  const parsed = parseSelector(selector);
  if (!parsed.ok) return {};
  return Object.fromEntries(
    parsed.value.requirements.flatMap(({ key, operator, values: [first] }) => {
      if (operator === "exists") return [[key, "true"]];
      return first !== undefined && ["=", "==", "in"].includes(operator) ? [[key, first]] : [];
    }),
  );
}

function recorded(
  choice: RecordedLoad,
  object: FederatedHpa,
  metric: MetricSpec,
  say: (text: string) => void,
): MetricCurve["milliAt"] {
  const points = choice.of(object, metric);
  if (points === undefined) say(`${choice.label} says nothing of ${metric.name}, so nothing is asked of it`);
  return (seconds) => (points === undefined ? 0 : amountAt(points, seconds));
}

function shaped(
  { name, lowMilli, highMilli }: ShapeChoice,
  object: FederatedHpa,
  metric: MetricSpec,
  workload: KubeObject,
  context: CourseContext,
  say: (text: string) => void,
): MetricCurve["milliAt"] {
  const course = (LOAD_SHAPES[name] ?? LOAD_SHAPES.steady)?.(context) ?? (() => 0);
  const { metrics, minReplicas, maxReplicas } = object.spec;
  const [first = metric] = metrics;
  const total = metric.target.value;
  if (metric.target.averageValue === undefined && total !== undefined) {
    say(`${metric.name} has a total as its target, which more replicas do not bring down here`);
    return (seconds) => Number(total) * (0.5 + course(seconds));
  }
  const unit = perReplicaMilli(first, workload);
  const low = lowMilli === undefined ? LOW_PART * Math.max(1, minReplicas) : lowMilli / unit;
  const high = highMilli === undefined ? Math.max(low, HIGH_PART * maxReplicas) : highMilli / unit;
  const own = perReplicaMilli(metric, workload);
  if (lowMilli === undefined || highMilli === undefined) {
    const [from, to] = [low, high].map((replicas) =>
      milliAmountText(metric.name, Math.round(own * replicas)),
    );
    say(`${name} goes from ${from} to ${to} of ${metric.name} over all pods, by minReplicas and maxReplicas`);
  }
  return (seconds) => own * (low + (high - low) * course(seconds));
}

/** What one replica bears at the metric's target, in thousandths. */
function perReplicaMilli({ name, target, ...metric }: MetricSpec, workload: KubeObject): number {
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined) return Number(averageValue ?? 1000);
  const container = metric.type === "ContainerResource" ? metric.container : undefined;
  const request =
    container === undefined ? requestsOf(workload)[name] : containerRequest(workload, container, name);
  return (Number(request ?? 0) * averageUtilization) / 100 || 1000;
}

function containerRequest(workload: KubeObject, container: string, resource: string): number {
  const { spec } = (workload.spec?.template ?? {}) as {
    readonly spec?: { readonly containers?: readonly Container[] };
  };
  const { requests = {}, limits = {} } =
    (spec?.containers ?? []).find(({ name }) => name === container)?.resources ?? {};
  return Number(parseMilli(String(requests[resource] ?? limits[resource] ?? "0")) ?? 0);
}

interface Container {
  readonly name: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
}
