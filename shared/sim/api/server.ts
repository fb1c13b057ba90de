import type { Admission, ApiServer } from "./api-server.ts";
import type { Catalogue } from "./catalogue.ts";
import { notFound, refuse } from "./failure.ts";
import { followDefinitions } from "./follow-definitions.ts";
import type { IdSource } from "./ids.ts";
import { listObjects } from "./read/list.ts";
import { matcherOf } from "./read/selection.ts";
import { missedChanges, watchFilter } from "./read/watch.ts";
import type { Store } from "./store.ts";
import { createObject } from "./write/create.ts";
import { deleteObject } from "./write/delete.ts";
import { patchObject } from "./write/patch.ts";
import { getScale, patchScale, updateScale } from "./write/scale.ts";
import { updateObject } from "./write/update.ts";

export interface ServerOptions {
  readonly name: string;
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly ids: IdSource;
  /** Called in this order on every write. */
  readonly admission?: readonly Admission[];
}

/** One API server over its store. See `ApiServer` for what the operations promise. */
export function createApiServer({ name, admission = [], ...rest }: ServerOptions): ApiServer {
  const context = { ...rest, admission };
  const { store, catalogue } = context;
  followDefinitions(store, catalogue);
  return {
    name,
    store,
    catalogue,
    get: (type, key, nowMs) => {
      const object =
        type.source === undefined
          ? store.get(type, key.namespace, key.name)
          : type.source(key.namespace, nowMs).find(({ metadata }) => metadata.name === key.name);
      return object === undefined ? refuse(notFound(type, key.name)) : { ok: true, value: object };
    },
    list: (type, query, nowMs) => {
      if (type.source === undefined) return listObjects(store, type, query);
      const matches = matcherOf(type, query);
      if (!matches.ok) return matches;
      const items = type.source(query.namespace, nowMs).filter(matches.value);
      return { ok: true, value: { resourceVersion: "", items } };
    },
    changes: (type, query, resourceVersion) => missedChanges(store, type, query, resourceVersion),
    watched: watchFilter,
    create: (type, object, write) => createObject(context, type, object, write),
    update: (type, object, write) => updateObject(context, type, object, write),
    patch: (type, key, patch, write) => patchObject(context, type, key, patch, write),
    delete: (type, key, options) => deleteObject(context, type, key, options),
    getScale: (type, key) => getScale(context, type, key),
    updateScale: (type, scale, write) => updateScale(context, type, scale, write),
    patchScale: (type, key, patch, write) => patchScale(context, type, key, patch, write),
  };
}
