import type { Manifest } from "#app/validate/finding";
import { listItems } from "#app/validate/list-items";
import { type ForecastEntry, type ForecastRule, forecast } from "#domain/cron/forecast";
import { type TargetWrite, writeOf } from "#domain/cron/target";
import { parseTimetable } from "#domain/cron/timetable";
import { isObject } from "#domain/spec/shape";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";
import { decodeCronFederatedHpa } from "#wire/cron-federated-hpa";

const API_VERSION = "autoscaling.karmada.io/v1alpha1";

export interface ForecastOptions {
  /** The namespace of objects that name none, as for kubectl. */
  readonly namespace: string;
  /** Runs after this instant; also what `@every` counts from, since no manifest says when its rule was first seen. */
  readonly fromMs: number;
  /** How many runs, over all rules. */
  readonly count: number;
}

/** A rule of a manifest. */
export interface ManifestRule extends Pick<ForecastRule, "object" | "timetable"> {
  readonly name: string;
  readonly suspended: boolean;
  readonly write: TargetWrite;
}

export type ManifestForecast =
  | {
      readonly ok: true;
      /** Those that run, in the order of the documents; the entries name them by their place here. */
      readonly rules: readonly ManifestRule[];
      readonly suspended: readonly ManifestRule[];
      readonly entries: readonly ForecastEntry[];
    }
  /** One sentence each; empty where no document is a CronFederatedHPA. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** When the rules of all CronFederatedHPAs among the documents run next. */
export function forecastManifests(
  manifests: readonly Manifest[],
  { namespace, fromMs, count }: ForecastOptions,
): ManifestForecast {
  const objects = manifests.flatMap(listItems).flatMap((manifest) => cronObject(manifest, namespace) ?? []);
  const faults = objects.flatMap(objectFaults);
  if (objects.length === 0 || faults.length > 0) return { ok: false, faults };
  const all = objects.flatMap(({ raw }) => rulesOf(raw, fromMs));
  const rules = all.filter(({ suspended }) => !suspended);
  const forecastRules = rules.map(({ write, ...rule }) => ({ ...rule, sets: Object.keys(write) }));
  return {
    ok: true,
    rules,
    suspended: all.filter(({ suspended }) => suspended),
    entries: forecast(forecastRules, fromMs, count),
  };
}

interface CronObject {
  readonly file: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

function cronObject({ file, value }: Manifest, namespace: string): CronObject | undefined {
  if (!isObject(value) || value.kind !== "CronFederatedHPA") return undefined;
  const metadata = isObject(value.metadata) ? value.metadata : {};
  return { file, raw: { ...value, metadata: { ...metadata, namespace: metadata.namespace ?? namespace } } };
}

function objectFaults({ file, raw }: CronObject): readonly string[] {
  const { namespace, name } = decodeCronFederatedHpa(raw);
  const say = (text: string) => `${file}: CronFederatedHPA ${namespace}/${name}: ${text}`;
  if (raw.apiVersion !== API_VERSION)
    return [say(`apiVersion ${JSON.stringify(raw.apiVersion)} is not served; write ${API_VERSION}`)];
  return validateCronFederatedHpa(raw).faults.map(({ message }) => say(message));
}

function rulesOf(raw: unknown, anchorMs: number): readonly ManifestRule[] {
  const { namespace, name, scaleTargetRef, rules } = decodeCronFederatedHpa(raw);
  const kind = scaleTargetRef.apiVersion === API_VERSION ? "bounds" : "scale";
  return rules.flatMap((rule) => {
    const timetable = parseTimetable(rule, anchorMs);
    if (!timetable.ok) return [];
    return [
      {
        object: `${namespace}/${name}`,
        name: rule.name,
        timetable: timetable.value,
        suspended: rule.suspend,
        write: writeOf(rule, kind),
      },
    ];
  });
}
