import type { Admission } from "./api-server.ts";
import type { Catalogue } from "./catalogue.ts";
import type { IdSource } from "./ids.ts";
import type { Store } from "./store.ts";

/** What every operation of one server works on. */
export interface ServerContext {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly ids: IdSource;
  readonly admission: readonly Admission[];
}
