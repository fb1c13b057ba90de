import * as z from "zod/mini";
import { formatInstant, parseInstant } from "#domain/units/instant";
import { isJsonObject, type KubeObject } from "#sim/api/object";
import { DEFAULT_SETTINGS, type Settings } from "#sim/settings";
import { type Copies, expandCopies } from "./copies.ts";
import type { Entry } from "./entry.ts";
import {
  type ClusterSpec,
  type EntrySpec,
  manifestSchema,
  type ScenarioSpec,
  scenarioSpec,
} from "./spec-schema.ts";

/** A fleet's beginning and what happens to it: Kubernetes manifests and one Scenario document, read and checked. */
export interface Scenario {
  readonly name: string;
  readonly settings: Settings;
  /** When the scenario starts; seconds of its timeline and of its loads count from here. */
  readonly startMs: number;
  /** When its objects are made: so much earlier that what they make has settled. */
  readonly madeMs: number;
  readonly clusters: readonly ClusterSpec[];
  /** In the order of the file, without the Scenario. Namespaced ones without a namespace are in `default`. */
  readonly manifests: readonly KubeObject[];
  /** By their instants. */
  readonly timeline: readonly Entry[];
}

export type ParsedScenario =
  | { readonly ok: true; readonly value: Scenario }
  /** One sentence each. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** What a command line may set instead of the file. */
export interface ScenarioOverrides {
  readonly startMs?: number;
  readonly copies?: Copies;
  readonly seed?: string;
}

const DEFAULT_WARM_UP_SECONDS = 3600;

/**
 * Reads the documents of a scenario file, already parsed to JSON values; empty documents count for nothing.
 */
export function parseScenario(
  documents: readonly unknown[],
  overrides: ScenarioOverrides = {},
): ParsedScenario {
  const given = documents.filter((document) => document !== null && document !== undefined);
  const scenarios = given.filter(isScenario);
  const [document] = scenarios;
  if (document === undefined || scenarios.length > 1) {
    return {
      ok: false,
      faults: [
        `a scenario file needs one document of kind Scenario (mainsheet.io/v1alpha1), this has ${scenarios.length}`,
      ],
    };
  }
  const name = String((document.metadata as { name?: unknown } | undefined)?.name ?? "scenario");
  const parsed = z.safeParse(scenarioSpec, document.spec);
  if (!parsed.success) {
    return {
      ok: false,
      faults: parsed.error.issues.map((issue) => sentence(`Scenario ${name}`, "spec", issue)),
    };
  }
  const spec = parsed.data;
  const copies = copiesOf(spec, overrides);
  const manifests: KubeObject[] = [];
  const faults: string[] = [];
  for (const [index, one] of expandCopies(
    given.filter((each) => !isScenario(each)),
    copies,
  ).entries()) {
    const checked = z.safeParse(manifestSchema, one);
    if (checked.success) manifests.push(checked.data as unknown as KubeObject);
    else faults.push(...checked.error.issues.map((issue) => sentence(labelOf(one, index), "", issue)));
  }
  const clusterNames = new Set(spec.clusters.map((cluster) => cluster.name));
  faults.push(
    ...doubled(spec.clusters.map((cluster) => cluster.name)).map(
      (twice) => `Scenario ${name}: spec.clusters names ${twice} twice`,
    ),
  );
  for (const [index, entry] of (spec.timeline ?? []).entries()) {
    if ("cluster" in entry && !clusterNames.has(entry.cluster)) {
      faults.push(
        `Scenario ${name}: spec.timeline.${index}.cluster is ${entry.cluster}, which is none of spec.clusters`,
      );
    }
  }
  if (faults.length > 0) return { ok: false, faults };
  const startMs = overrides.startMs ?? parseInstant(spec.start) ?? 0;
  return {
    ok: true,
    value: {
      name,
      settings: settingsOf(spec, overrides),
      startMs,
      madeMs: startMs - (spec.warmUpSeconds ?? DEFAULT_WARM_UP_SECONDS) * 1000,
      clusters: spec.clusters,
      manifests: manifests.map((manifest) => timed(manifest, startMs)),
      timeline: (spec.timeline ?? []).map(entryOf).sort((a, b) => a.afterSeconds - b.afterSeconds),
    },
  };
}

function isScenario(document: unknown): document is { readonly metadata?: unknown; readonly spec?: unknown } {
  return (
    isJsonObject(document) && document.kind === "Scenario" && document.apiVersion === "mainsheet.io/v1alpha1"
  );
}

/** A load without a start of its own starts with the scenario. */
function timed(manifest: KubeObject, startMs: number): KubeObject {
  if (manifest.kind !== "Load" || manifest.spec?.since !== undefined) return manifest;
  return { ...manifest, spec: { ...manifest.spec, since: formatInstant(startMs) } };
}

function copiesOf({ copies }: ScenarioSpec, overrides: ScenarioOverrides): Copies | undefined {
  if (overrides.copies !== undefined) return overrides.copies;
  return copies && { count: copies.count, namespaces: copies.namespaces ?? 1 };
}

function settingsOf(spec: ScenarioSpec, overrides: ScenarioOverrides): Settings {
  const given = DEFAULT_SETTINGS;
  return {
    seed: overrides.seed ?? spec.seed ?? given.seed,
    pods: { ...given.pods, ...present(spec.pods) },
    metrics: { ...given.metrics, ...present(spec.metrics) },
    clusters: { ...given.clusters, ...present(spec.readiness) },
    applyDelaySeconds: spec.applyDelaySeconds ?? given.applyDelaySeconds,
    metricsAdapter: spec.metricsAdapter ?? given.metricsAdapter,
  };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are there at all. */
function present<T extends object>(fields: T | undefined): Present<T> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}

function entryOf(entry: EntrySpec): Entry {
  const { afterSeconds } = entry;
  switch (entry.do) {
    case "apply":
      return { do: "apply", afterSeconds, manifest: entry.manifest as unknown as KubeObject };
    case "scale": {
      const { apiVersion, kind, namespace, name, replicas } = entry;
      return { do: "scale", afterSeconds, target: { apiVersion, kind, namespace, name }, replicas };
    }
    case "delete": {
      const { apiVersion, kind, namespace, name } = entry;
      return { do: "delete", afterSeconds, target: { apiVersion, kind, namespace, name } };
    }
    case "slow": {
      const { cluster, milliseconds } = entry;
      return { do: "fault", afterSeconds, cluster, fault: { kind: "slow", milliseconds } };
    }
    default:
      return { do: "fault", afterSeconds, cluster: entry.cluster, fault: { kind: entry.do } };
  }
}

function doubled(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function labelOf(document: unknown, index: number): string {
  const { kind, metadata } = (isJsonObject(document) ? document : {}) as {
    kind?: string;
    metadata?: { name?: string };
  };
  return kind === undefined
    ? `document ${index + 1}`
    : `${kind} ${metadata?.name ?? `(document ${index + 1})`}`;
}

function sentence(what: string, root: string, issue: z.core.$ZodIssue): string {
  const path = [root, ...issue.path.map(String)].filter((part) => part !== "").join(".");
  if (issue.code === "unrecognized_keys") {
    return `${what}: ${path} has no field ${issue.keys.join(", ")}; remove it or correct its name`;
  }
  return `${what}: ${path === "" ? "it" : path} ${issue.message}`;
}
