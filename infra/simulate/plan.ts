import type { Manifest } from "#app/validate/finding";
import { DEFAULT_POLICY, type Policy } from "#domain/scale/policy";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { parseInstant } from "#domain/units/instant";
import { nextSlot } from "#domain/work/slots";
import type { KubeObject } from "#sim/api/object";
import { Store } from "#sim/api/store";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadOf } from "#sim/load/load";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { completeManifests } from "./complete-manifests.ts";
import { type Demanded, demandOn } from "./demand-curves.ts";
import { type GivenManifests, readGiven } from "./given-manifests.ts";
import type { LoadChoice, ShapeChoice } from "./load-choice.ts";
import { firstLoad, openLoadFeed } from "./load-feed.ts";
import type { SimulationPlan } from "./run.ts";
import { targetKey, targetOf } from "./target.ts";
import type { WorkloadLoad } from "./workload-load.ts";

export interface PlanInput {
  readonly title: string;
  readonly manifests: readonly Manifest[];
  /** Stand in for those of the same kind and name. */
  readonly instead?: readonly Manifest[];
  /** Absent: the Loads of the manifests; where a workload has none, `day`. */
  readonly choice?: LoadChoice;
  /** The loads of the run that this one is compared with. */
  readonly loads?: readonly WorkloadLoad[];
  readonly seed?: string;
  readonly startMs?: number;
  readonly forMs?: number;
  /** Karmada's admission; default on. */
  readonly webhooks?: boolean;
  /** The controller's settings; default Karmada's. */
  readonly policy?: Policy;
}

export type Planned =
  | { readonly ok: true; readonly plan: SimulationPlan; readonly loads: readonly WorkloadLoad[] }
  /** One sentence each. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** A Monday, so that a week begins as weeks do. */
const DEFAULT_START = "2026-03-02T00:00:00Z";
const DEFAULT_SPAN_MS = 24 * 3600 * 1000;
/** Long enough for pods to be up and past their readiness delays. */
const WARM_UP_SECONDS = 900;
const DAY: ShapeChoice = { kind: "shape", name: "day", noisePercent: 0 };
const LONGEST_SPAN_MS = 35 * DEFAULT_SPAN_MS;

/** A fleet with everything that the run needs in it; nothing has been written anywhere else. */
export function planSimulation(input: PlanInput): Planned {
  const { policy = DEFAULT_POLICY } = input;
  const given = readGiven(input.manifests, input.instead);
  const objects = federatedHpasIn(given);
  const faults = [...given.faults, ...objects.flatMap(faultsOf), ...(objects.length === 0 ? [NOTHING] : [])];
  if (faults.length > 0) return { ok: false, faults };
  const completed = completeManifests(given.others, objects, clustersOf(given));
  const span = spanOf(input, given);
  if (!span.ok || completed.faults.length > 0) {
    return { ok: false, faults: [...completed.faults, ...(span.ok ? [] : [span.fault])] };
  }
  const { fromMs, slots } = span;
  const seed = input.seed ?? seedOf(given);
  const demanded = objects.flatMap((object): readonly Demanded[] => {
    if (input.choice === undefined && hasLoad(given, object)) return [];
    const workload = workloadOf(completed.manifests, object);
    const spanSeconds = slots * policy.syncPeriodSeconds;
    const options = { choice: input.choice ?? DAY, fromMs, spanSeconds, seed };
    const own = demandOn(object, workload, options);
    const former = input.loads?.find(({ target }) => targetKey(target) === targetKey(own.load.target));
    return [former === undefined ? own : { load: sameDemand(own.load, former), notes: [] }];
  });
  const loads = demanded.map(({ load }) => load);
  const replaced = new Set(loads.map(({ target }) => targetKey(target)));
  const kept = given.loads.filter((load) => !replaced.has(loadOf(placed(load)).target));
  const documents = [
    scenarioDocument(given, seed, completed.clusters),
    ...completed.manifests,
    ...kept,
    ...loads.map((load) => firstLoad(load, fromMs)),
  ];
  const parsed = parseScenario(documents, { startMs: fromMs, seed });
  if (!parsed.ok) return { ok: false, faults: parsed.faults };
  const loaded = loadScenario(parsed.value, {
    admission: (input.webhooks ?? true) ? KARMADA_WEBHOOKS : [],
    storeOf: () => new Store({ historyLimit: STORED_CHANGES }),
  });
  if (!loaded.ok) return { ok: false, faults: loaded.faults };
  const { fleet } = loaded;
  const plan: SimulationPlan = {
    title: input.title,
    load: loadText(input, loads.length),
    seed,
    policy,
    fromMs,
    slots,
    fleet,
    ...(loads.length === 0 ? {} : { feed: openLoadFeed(fleet.hub, loads, fromMs) }),
    notes: [...given.notes, ...completed.notes, ...demanded.flatMap(({ notes }) => notes)],
  };
  return { ok: true, plan, loads };
}

const NOTHING = "there is no FederatedHPA among the files; give at least one to simulate";
/** Nobody watches a simulated hub. */
const STORED_CHANGES = 100;

function federatedHpasIn({ others }: GivenManifests): readonly FederatedHpa[] {
  return others
    .filter(({ kind }) => kind === "FederatedHPA")
    .map((object) => decodeFederatedHpa(placed(object)));
}

function faultsOf({ namespace, name, invalid }: FederatedHpa): readonly string[] {
  return invalid.map(({ path, detail }) => `FederatedHPA ${namespace}/${name}: ${path}: ${detail}`);
}

function clustersOf({ scenario }: GivenManifests): readonly string[] | undefined {
  const { clusters } = (scenario?.spec ?? {}) as {
    readonly clusters?: readonly { readonly name?: string }[];
  };
  return Array.isArray(clusters) ? clusters.map(({ name = "" }) => name) : undefined;
}

function seedOf({ scenario }: GivenManifests): string {
  const { seed } = (scenario?.spec ?? {}) as { readonly seed?: string | number };
  return String(seed ?? 1);
}

type Span =
  | { readonly ok: true; readonly fromMs: number; readonly slots: number }
  | { readonly ok: false; readonly fault: string };

/** From the first slot at or after the start, for the whole slots of the span. */
function spanOf({ startMs, forMs, choice, policy }: PlanInput, { scenario }: GivenManifests): Span {
  const recorded = choice?.kind === "recorded" ? choice : undefined;
  const { start } = (scenario?.spec ?? {}) as { readonly start?: string };
  const begin =
    startMs ??
    recorded?.startMs ??
    parseInstant(String(start ?? "")) ??
    (parseInstant(DEFAULT_START) as number);
  const { syncPeriodSeconds } = policy ?? DEFAULT_POLICY;
  const fromMs = nextSlot(begin, syncPeriodSeconds);
  const spanMs = forMs ?? (recorded === undefined ? DEFAULT_SPAN_MS : recorded.spanSeconds * 1000);
  const slots = Math.floor(spanMs / 1000 / syncPeriodSeconds);
  if (slots < 1)
    return { ok: false, fault: `the span is shorter than one slot of ${syncPeriodSeconds} s; ask for more` };
  if (spanMs > LONGEST_SPAN_MS) return { ok: false, fault: "the span is longer than 35 days; ask for less" };
  return { ok: true, fromMs, slots };
}

function hasLoad({ loads }: GivenManifests, object: FederatedHpa): boolean {
  const key = targetKey(targetOf(object));
  return loads.some((load) => loadOf(placed(load)).target === key);
}

function workloadOf(manifests: readonly KubeObject[], object: FederatedHpa): KubeObject {
  const { kind, namespace, name } = targetOf(object);
  const found = manifests.find(
    (one) => one.kind === kind && one.metadata.name === name && placed(one).metadata.namespace === namespace,
  );
  return found ?? { apiVersion: "", kind, metadata: { name } };
}

/** The demand of the other run on each metric that it knows too. */
function sameDemand(own: WorkloadLoad, former: WorkloadLoad): WorkloadLoad {
  const curves = own.curves.map((curve) => {
    const same = former.curves.find(({ metric, where }) => metric === curve.metric && where === curve.where);
    return same === undefined ? curve : { ...curve, milliAt: same.milliAt };
  });
  return { ...own, noisePercent: former.noisePercent, curves };
}

/** The given Scenario, or one with nothing but clusters. */
function scenarioDocument({ scenario }: GivenManifests, seed: string, clusters: readonly string[]) {
  if (scenario !== undefined) return scenario;
  const spec = {
    seed,
    start: DEFAULT_START,
    warmUpSeconds: WARM_UP_SECONDS,
    clusters: clusters.map((name) => ({ name })),
  };
  return { apiVersion: "mainsheet.io/v1alpha1", kind: "Scenario", metadata: { name: "simulated" }, spec };
}

function loadText({ choice }: PlanInput, made: number): string {
  if (choice === undefined) return made === 0 ? "given in the files" : DAY.name;
  return choice.kind === "shape" ? choice.name : choice.label;
}

/** With the namespace that it will have. */
function placed(object: KubeObject): KubeObject {
  if (object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: "default" } };
}
