import type { ListQuery, ObjectList } from "#sim/api/api-server";
import {
  badRequest,
  continueExpired,
  expired,
  type Outcome,
  refuse,
  versionTooLarge,
} from "#sim/api/failure";
import type { KubeObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import type { Store } from "#sim/api/store";
import { matcherOf } from "./selection.ts";

/**
 * A list, or one page of it. All pages of a list show the store at the version of the first: the changes since then
 * are undone from the history, and when the history no longer reaches back, the token has expired (410).
 */
export function listObjects(store: Store, type: ResourceType, query: ListQuery): Outcome<ObjectList> {
  const matches = matcherOf(type, query);
  if (!matches.ok) return matches;
  const from = startOf(store, query);
  if (!from.ok) return from;
  const { version, after } = from.value;
  const all =
    version === store.resourceVersion ? store.list(type, query.namespace) : listAt(store, type, version);
  const rest = all.filter(
    (object) => matches.value(object) && (after === undefined || positionOf(object) > after),
  );
  const items = query.limit === undefined || query.limit === 0 ? rest : rest.slice(0, query.limit);
  const last = items.at(-1);
  if (items.length === rest.length || last === undefined) {
    return { ok: true, value: { resourceVersion: String(version), items } };
  }
  const selective = Boolean(query.labelSelector || query.fieldSelector);
  return {
    ok: true,
    value: {
      resourceVersion: String(version),
      items,
      continue: `${version}.${positionOf(last)}`,
      ...(selective ? {} : { remainingItemCount: rest.length - items.length }),
    },
  };
}

interface Start {
  readonly version: number;
  readonly after?: string;
}

function startOf(store: Store, query: ListQuery): Outcome<Start> {
  const current = store.resourceVersion;
  if (query.continue !== undefined && query.continue !== "") {
    const found = /^(-1|\d+)\.(.*)$/s.exec(query.continue);
    if (found === null) return refuse(badRequest("continue key is not valid: it is no token of this server"));
    const after = found[2] ?? "";
    const version = Number(found[1]);
    if (version === -1) return { ok: true, value: { version: current, after } };
    if (version < store.oldestResourceVersion) return refuse(continueExpired(`-1.${after}`));
    return { ok: true, value: { version, after } };
  }
  if (query.resourceVersion === undefined || query.resourceVersion === "")
    return { ok: true, value: { version: current } };
  const wanted = Number(query.resourceVersion);
  if (!Number.isSafeInteger(wanted) || wanted < 0) {
    return refuse(
      badRequest(`resourceVersion: Invalid value: "${query.resourceVersion}": must be a whole number`),
    );
  }
  if (wanted > current) return refuse(versionTooLarge(wanted, current));
  const exact =
    query.resourceVersionMatch === "Exact" || (query.resourceVersionMatch === undefined && query.limit);
  if (!exact || wanted === 0) return { ok: true, value: { version: current } };
  if (wanted < store.oldestResourceVersion)
    return refuse(expired(`The resourceVersion for the provided list is too old.`));
  return { ok: true, value: { version: wanted } };
}

/** The objects as they were at an earlier version: the present with the later changes taken back, newest first. */
function listAt(store: Store, type: ResourceType, version: number): readonly KubeObject[] {
  const objects = new Map(store.list(type).map((object) => [positionOf(object), object]));
  for (const change of [...(store.changesSince(version) ?? [])].reverse()) {
    if (change.resource !== type.resource || change.group !== type.group) continue;
    const position = positionOf(change.object);
    if (change.previous === undefined) objects.delete(position);
    else objects.set(position, change.previous);
  }
  return [...objects.keys()].sort().map((position) => objects.get(position) as KubeObject);
}

/** Where an object stands in the order of every list: that of the keys in etcd. */
function positionOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
}
