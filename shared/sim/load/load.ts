import { parseInstant } from "#domain/units/instant";
import { parseMilli } from "#domain/units/quantity";
import type { KubeObject } from "#sim/api/object";
import { refKey } from "#sim/key";
import { createdMs } from "#sim/member/pod-state";
import type { Shape } from "./shape.ts";

/**
 * A `Load` (mainsheet.io/v1alpha1): what a workload has to bear. It is stored on the hub like any object, so a load
 * can be watched and changed with kubectl while the fleet runs.
 */
export interface Load {
  /** The workload, as a `refKey`. */
  readonly target: string;
  /** Where the shapes' seconds count from. */
  readonly sinceMs: number;
  readonly cpu: Demand;
  readonly memory: Demand;
  /** Which container bears it; absent: the first. */
  readonly container: string | undefined;
  /** Each pod's part differs by up to so many percent, up or down, from sample to sample. */
  readonly noisePercent: number;
  /** How many pods bore it when, oldest first: the fleet's own record. */
  readonly serving: readonly ServingRun[];
}

export interface Demand {
  /** Shared by the pods that serve. */
  readonly shape: Shape;
  /** What each pod uses in any case, in thousandths. */
  readonly idleMilli: number;
}

export interface ServingRun {
  readonly sinceMs: number;
  readonly pods: number;
}

/** `spec` and `status` as they are written. Amounts are quantities. */
export interface LoadSpec {
  readonly target: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
  readonly since?: string;
  readonly container?: string;
  readonly cpu?: ShapeJson;
  readonly memory?: ShapeJson;
  readonly noisePercent?: number;
}

export interface LoadStatus {
  readonly serving?: readonly { readonly since: string; readonly pods: number }[];
}

type Amount = string | number;

/** One of the shapes; with none of them only `idle` is used. */
export interface ShapeJson {
  readonly idle?: Amount;
  readonly constant?: Amount;
  readonly steps?: readonly { readonly afterSeconds: number; readonly demand: Amount }[];
  readonly ramp?: {
    readonly from: Amount;
    readonly to: Amount;
    readonly afterSeconds?: number;
    readonly overSeconds: number;
  };
  readonly sine?: {
    readonly mean: Amount;
    readonly amplitude: Amount;
    readonly periodSeconds: number;
    readonly phaseSeconds?: number;
  };
  readonly spike?: {
    readonly base: Amount;
    readonly peak: Amount;
    readonly afterSeconds: number;
    readonly riseSeconds?: number;
    readonly holdSeconds: number;
    readonly fallSeconds?: number;
  };
}

const IDLE_MEMORY_MILLI = 20 * 1024 * 1024 * 1000;
const NOTHING: Shape = { kind: "constant", milli: 0 };

/** What pods use without a load. */
export const IDLE: Pick<Load, "cpu" | "memory" | "container" | "noisePercent" | "serving" | "sinceMs"> = {
  sinceMs: 0,
  cpu: { shape: NOTHING, idleMilli: 0 },
  memory: { shape: NOTHING, idleMilli: IDLE_MEMORY_MILLI },
  container: undefined,
  noisePercent: 0,
  serving: [],
};

const read = new WeakMap<KubeObject, Load>();

/** The load that an object states. Amounts that are no quantities count as 0: the object is checked where it is written. */
export function loadOf(object: KubeObject): Load {
  const known = read.get(object);
  if (known !== undefined) return known;
  const spec = (object.spec ?? {}) as unknown as LoadSpec;
  const { target = { kind: "", name: "" }, since, container, noisePercent = 0 } = spec;
  const { serving = [] } = (object.status ?? {}) as LoadStatus;
  const load: Load = {
    target: refKey(target.apiVersion ?? "apps/v1", target.kind, object.metadata.namespace, target.name),
    sinceMs: parseInstant(since ?? "") ?? createdMs(object),
    cpu: demandOf(spec.cpu, 0),
    memory: demandOf(spec.memory, IDLE_MEMORY_MILLI),
    container,
    noisePercent,
    serving: serving.map((run) => ({ sinceMs: parseInstant(run.since) ?? 0, pods: run.pods })),
  };
  read.set(object, load);
  return load;
}

export function demandOf(json: ShapeJson | undefined, idleMilli: number): Demand {
  if (json === undefined) return { shape: NOTHING, idleMilli };
  return { shape: shapeOf(json), idleMilli: json.idle === undefined ? idleMilli : milli(json.idle) };
}

function shapeOf({ constant, steps, ramp, sine, spike }: ShapeJson): Shape {
  if (constant !== undefined) return { kind: "constant", milli: milli(constant) };
  if (steps !== undefined) {
    return {
      kind: "steps",
      steps: steps.map(({ afterSeconds, demand }) => ({ afterSeconds, milli: milli(demand) })),
    };
  }
  if (ramp !== undefined) {
    const { from, to, afterSeconds = 0, overSeconds } = ramp;
    return { kind: "ramp", fromMilli: milli(from), toMilli: milli(to), afterSeconds, overSeconds };
  }
  if (sine !== undefined) {
    const { mean, amplitude, periodSeconds, phaseSeconds = 0 } = sine;
    return {
      kind: "sine",
      meanMilli: milli(mean),
      amplitudeMilli: milli(amplitude),
      periodSeconds,
      phaseSeconds,
    };
  }
  if (spike !== undefined) {
    const { base, peak, afterSeconds, riseSeconds = 0, holdSeconds, fallSeconds = 0 } = spike;
    const times = { afterSeconds, riseSeconds, holdSeconds, fallSeconds };
    return { kind: "spike", baseMilli: milli(base), peakMilli: milli(peak), ...times };
  }
  return NOTHING;
}

function milli(amount: Amount): number {
  return Number(parseMilli(String(amount)) ?? 0);
}
