import type { Pod, PodSample } from "#domain/fleet/pod";
import type {
  Binding,
  Member,
  MetricReading,
  Read,
  ReadFaultCode,
  Snapshot,
  Target,
} from "#domain/fleet/snapshot";
import type { FederatedHpaStatus } from "#domain/spec/federated-hpa";
import { milliValue } from "#domain/units/milli";
import { matches } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { bindsTarget, decodeBinding } from "#wire/kubernetes/binding";
import { decodePod } from "#wire/kubernetes/pod";

export interface ReconcileInput {
  readonly start: string;
  readonly controller: {
    readonly tolerance: number;
    readonly cpuInitializationPeriodSeconds: number;
    readonly initialReadinessDelaySeconds: number;
    readonly downscaleStabilisationSeconds: number;
  };
  readonly fhpa: VectorObject;
  readonly podDefaults: {
    readonly metadata: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
    readonly spec: object;
  };
  readonly otherFederatedHPAs?: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly selector: string;
  }[];
  readonly steps: readonly VectorStep[];
}

export interface VectorObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface VectorStep {
  readonly advanceSeconds: number;
  readonly template?: VectorObject;
  readonly bindings?: readonly VectorObject[];
  readonly bindingClusters?: Readonly<Record<string, readonly object[]>>;
  readonly clusters?: Readonly<Record<string, { readonly ready: boolean }>>;
  readonly scales?: Readonly<Record<string, VectorScale>>;
  readonly pods?: Readonly<
    Record<string, { readonly set?: readonly VectorPodObject[]; readonly removed?: readonly string[] }>
  >;
  readonly metrics?: readonly VectorMetric[];
  readonly scaleUpdateError?: string;
}

export interface VectorScale {
  readonly specReplicas?: number;
  readonly statusReplicas?: number;
  readonly selector?: string;
  readonly error?: string;
  readonly clientError?: string;
}
export interface VectorPodObject {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: object;
  readonly status: object;
}
export interface VectorMetric {
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  readonly values?: Readonly<Record<string, number | string>>;
  readonly milliValue?: number | string;
  readonly error?: string;
}

/** The world of a trajectory, changed step by step as the vectors say, and read as a loader would read it. */
export class World {
  nowMs: number;
  /** Replicas of the template; undefined while it does not exist. */
  templateReplicas: number | undefined;
  readonly input: ReconcileInput;
  template: VectorObject | undefined;
  bindings: readonly VectorObject[] = [];
  readonly clusters = new Map<string, { readonly ready: boolean }>();
  readonly scales = new Map<string, VectorScale>();
  metrics: readonly VectorMetric[] = [];
  readonly #pods = new Map<string, Map<string, VectorPodObject>>();

  constructor(input: ReconcileInput) {
    this.input = input;
    this.nowMs = Date.parse(input.start);
  }

  change(step: VectorStep): void {
    this.nowMs += Math.round(step.advanceSeconds * 1000);
    if (step.template !== undefined) {
      this.template = step.template;
      this.templateReplicas = Number(step.template.spec.replicas ?? 0);
    }
    this.bindings = step.bindings ?? this.bindings;
    for (const [key, clusters] of Object.entries(step.bindingClusters ?? {})) {
      this.bindings = this.bindings.map((binding) =>
        keyOf(binding) === key ? { ...binding, spec: { ...binding.spec, clusters } } : binding,
      );
    }
    for (const [name, cluster] of Object.entries(step.clusters ?? {})) this.clusters.set(name, cluster);
    for (const [name, scale] of Object.entries(step.scales ?? {})) this.scales.set(name, scale);
    for (const [name, { set = [], removed = [] }] of Object.entries(step.pods ?? {})) {
      const pods = this.#pods.get(name) ?? new Map<string, VectorPodObject>();
      for (const pod of set) pods.set(pod.metadata.name, pod);
      for (const pod of removed) pods.delete(pod);
      this.#pods.set(name, pods);
    }
    this.metrics = step.metrics ?? this.metrics;
  }

  snapshot(status: FederatedHpaStatus): Snapshot {
    const { metadata, ...fhpa } = this.input.fhpa;
    const object = { ...decodeFederatedHpa({ ...fhpa, metadata }), status };
    const target = this.#target(object.spec.scaleTargetRef);
    const binding = target.ok ? this.#binding(metadata.namespace) : undefined;
    const members = binding?.ok ? binding.value.clusters.map(({ name }) => this.#member(name)) : [];
    return {
      hub: "vectors",
      instantMs: this.nowMs,
      object,
      target,
      ...(binding === undefined ? {} : { binding }),
      members,
      metrics: this.metrics.map(readingOf),
      ambiguousWith: this.#ambiguousWith(members),
    };
  }

  #target(ref: { readonly apiVersion: string; readonly kind: string; readonly name: string }): Read<Target> {
    if (ref.apiVersion.split("/").length > 2) {
      return fault("target-version-invalid", `unexpected GroupVersion string: ${ref.apiVersion}`);
    }
    const template = this.template;
    const { kind, apiVersion } = template ?? {};
    if (template?.metadata.name !== ref.name || kind !== ref.kind || apiVersion !== ref.apiVersion) {
      return fault("target-missing", `${ref.kind} ${ref.name} not found`);
    }
    const versions = { uid: "uid", generation: 1, resourceVersion: "1" };
    return {
      ok: true,
      value: {
        apiVersion: ref.apiVersion,
        kind: ref.kind,
        ...versions,
        replicas: this.templateReplicas ?? 0,
      },
    };
  }

  #binding(namespace: string): Read<Binding> {
    const labels = this.template?.metadata.labels ?? {};
    if (Object.keys(labels).length === 0)
      return fault("binding-label-missing", "target resource has no label");
    const id = PERMANENT_IDS.find((key) => labels[key] !== undefined);
    if (id === undefined) return fault("binding-label-missing", "no label of policy permanent-id found");
    const found = this.bindings.find(
      (binding) =>
        binding.metadata.labels?.[id] === labels[id] && bindsTarget(binding, this.template, namespace),
    );
    if (found === undefined) return fault("binding-missing", "no binding matches the target resource");
    const binding = decodeBinding(found);
    if (!binding.ok) return binding;
    if (binding.value.clusters.length === 0)
      return fault("clusters-none", "binding has no schedulable clusters");
    const unknown = binding.value.clusters.find(({ name }) => !this.clusters.has(name));
    if (unknown !== undefined) return fault("clusters-unreadable", `cluster ${unknown.name} not found`);
    return binding;
  }

  #member(cluster: string): Member {
    return {
      cluster,
      scale: this.#scale(cluster),
      pods: { ok: true, value: this.podsOf(cluster).map(decoded) },
      samples: this.metrics.map(({ values = {}, timestamp = "", windowSeconds = 0 }) => {
        const prefix = `${cluster}/`;
        const samples = Object.entries(values).flatMap(([key, value]): PodSample[] =>
          key.startsWith(prefix)
            ? [
                {
                  pod: key.slice(prefix.length),
                  milliValue: milliValue(BigInt(value)),
                  timestampMs: Date.parse(timestamp),
                  windowSeconds,
                },
              ]
            : [],
        );
        return { ok: true, value: samples };
      }),
    };
  }

  #scale(cluster: string): Member["scale"] {
    if (!this.clusters.get(cluster)?.ready) return fault("cluster-not-ready", "the cluster is not ready");
    const scale = this.scales.get(cluster);
    const {
      error,
      clientError,
      specReplicas = 0,
      statusReplicas = 0,
      selector = "",
    } = scale ?? { error: "not found" };
    const message = clientError ?? error;
    if (message !== undefined) return fault("scale-unreadable", message);
    return { ok: true, value: { specReplicas, statusReplicas, selector } };
  }

  /** The pods of a cluster as the API has them, in the order of their names. */
  podsOf(cluster: string): readonly VectorPodObject[] {
    const { metadata, spec } = this.input.podDefaults;
    return [...(this.#pods.get(cluster)?.values() ?? [])]
      .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1))
      .map((pod) => ({ spec, ...pod, metadata: { ...metadata, ...pod.metadata } }));
  }

  #ambiguousWith(members: readonly Member[]): string[] {
    const { otherFederatedHPAs = [], fhpa } = this.input;
    const pods = members.flatMap(({ scale, pods: list }) => {
      if (!scale.ok || !list.ok || scale.value.selector === "") return [];
      const own = parseSelector(scale.value.selector);
      return own.ok ? list.value.filter(({ labels }) => matches(own.value, labels)) : [];
    });
    return otherFederatedHPAs.flatMap(({ namespace, name, selector }) => {
      const other = parseSelector(selector);
      const overlaps = other.ok && pods.some(({ labels }) => matches(other.value, labels));
      return namespace === fhpa.metadata.namespace && overlaps ? [`${namespace}/${name}`] : [];
    });
  }
}

export const PERMANENT_IDS = [
  "propagationpolicy.karmada.io/permanent-id",
  "clusterpropagationpolicy.karmada.io/permanent-id",
];

function keyOf({ metadata }: VectorObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function readingOf({ values, milliValue: value, error, timestamp }: VectorMetric): MetricReading {
  if (error !== undefined) return { kind: "fault", fault: { code: "metric-unreadable", message: error } };
  if (value === undefined || values !== undefined) return { kind: "per-pod" };
  return {
    kind: "value",
    milliValue: milliValue(BigInt(value)),
    timestampMs: Date.parse(timestamp ?? "") || 0,
  };
}

function decoded(pod: VectorPodObject): Pod {
  const read = decodePod(pod);
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

function fault(code: ReadFaultCode, message: string): Read<never> {
  return { ok: false, fault: { code, message } };
}
