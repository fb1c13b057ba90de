import type { Snapshot } from "#domain/fleet/snapshot";
import { DEFAULT_MIN_INTERVAL_MS, eventSettings } from "./event-settings.ts";

/** What a FederatedHPA has to do with: events about these concern it. */
export interface References {
  /** Its target, as `Kind/name`; the namespace is its own. */
  readonly target: string;
  /** The clusters that its target is bound to, sorted. */
  readonly clusters: readonly string[];
  readonly alarms: readonly string[];
  /** Its floor, where it is not the default. */
  readonly minIntervalMs?: number;
}

/**
 * The object's references as this snapshot shows them; `former` where the snapshot says nothing (a binding that could not
 * be read), so that a bad moment forgets nothing.
 */
export function referencesOf({ object, binding }: Snapshot, former: References | undefined): References {
  const { kind, name } = object.spec.scaleTargetRef;
  const { minIntervalMs, alarms } = eventSettings(object.annotations);
  const clusters = binding?.ok
    ? binding.value.clusters.map((cluster) => cluster.name).sort()
    : (former?.clusters ?? []);
  return {
    target: `${kind}/${name}`,
    clusters,
    alarms,
    ...(minIntervalMs === DEFAULT_MIN_INTERVAL_MS ? {} : { minIntervalMs }),
  };
}

/** Whether the two name the same things. */
export function isSameReferences(a: References | undefined, b: References | undefined): boolean {
  return JSON.stringify(a && ordered(a)) === JSON.stringify(b && ordered(b));
}

function ordered({ target, clusters, alarms, minIntervalMs }: References) {
  return [target, clusters, alarms, minIntervalMs ?? null];
}
