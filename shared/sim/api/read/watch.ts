import type { SelectionQuery, WatchChange } from "#sim/api/api-server";
import { expired, type Outcome, refuse } from "#sim/api/failure";
import type { ResourceType } from "#sim/api/resource-type";
import type { Change, Store } from "#sim/api/store";
import { matcherOf } from "./selection.ts";

/**
 * What a change of the store means to a watcher of this selection. An object that comes to match is ADDED, one that no
 * longer matches is DELETED with its last matching state, under the version of the change.
 */
export function watchFilter(
  type: ResourceType,
  query: SelectionQuery,
): Outcome<(change: Change) => WatchChange | undefined> {
  const matches = matcherOf(type, query);
  if (!matches.ok) return matches;
  const isIn = matches.value;
  const filter = (change: Change): WatchChange | undefined => {
    if (change.resource !== type.resource || change.group !== type.group) return undefined;
    const { previous, object, resourceVersion } = change;
    const wasIn = previous !== undefined && isIn(previous);
    const staysIn = change.type !== "DELETED" && isIn(object);
    if (staysIn) return { type: wasIn ? "MODIFIED" : "ADDED", resourceVersion, object };
    if (!wasIn) return undefined;
    if (change.type === "DELETED") return { type: "DELETED", resourceVersion, object };
    const metadata = { ...previous.metadata, resourceVersion: String(resourceVersion) };
    return { type: "DELETED", resourceVersion, object: { ...previous, metadata } };
  };
  return { ok: true, value: filter };
}

/** The changes after a version that a watcher of this selection has missed; 410 when the history is too short. */
export function missedChanges(
  store: Store,
  type: ResourceType,
  query: SelectionQuery,
  resourceVersion: number,
): Outcome<readonly WatchChange[]> {
  const filter = watchFilter(type, query);
  if (!filter.ok) return filter;
  const changes = store.changesSince(resourceVersion);
  if (changes === undefined) {
    return refuse(expired(`too old resource version: ${resourceVersion} (${store.oldestResourceVersion})`));
  }
  return { ok: true, value: changes.map(filter.value).filter((change) => change !== undefined) };
}
