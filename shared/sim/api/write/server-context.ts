import type { Admission } from "#sim/api/api-server";
import type { Catalogue } from "#sim/api/catalogue";
import type { IdSource } from "#sim/api/ids";
import type { Store } from "#sim/api/store";

/** What every operation of one server works on. */
export interface ServerContext {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly ids: IdSource;
  readonly admission: readonly Admission[];
}
