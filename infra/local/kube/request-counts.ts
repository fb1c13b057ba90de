import type { RequestVerb } from "./api-request.ts";

/** The code of a request whose client left before the answer. */
export const CLIENT_LEFT = 0;

/** One request that was answered, or a watch that was opened. */
export interface ServedRequest {
  readonly verb: RequestVerb;
  /** `apps`; empty for the core group. */
  readonly group: string;
  /** `deployments`, `deployments/scale`. */
  readonly resource: string;
  /** Absent for a request of all namespaces, or for a resource that has none. */
  readonly namespace: string | undefined;
  /** The member, when it came through its proxy. */
  readonly member?: string | undefined;
  readonly code: number;
  readonly fieldManager?: string | undefined;
}

/** How many requests were served, by verb, resource and whether through a proxy: what the benches compare. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  add({ verb, resource, member }: ServedRequest): void {
    const key = `${verb} ${resource}${member === undefined ? "" : " proxied"}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** `{"list pods proxied": 5, "update deployments/scale": 1}` */
  entries(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Reads (get, list, watch) and writes, a proxied request counted once. */
  totals(): { readonly reads: number; readonly writes: number } {
    let reads = 0;
    let writes = 0;
    for (const [key, count] of this.#counts) {
      if (/^(get|list|watch) /.test(key)) reads += count;
      else writes += count;
    }
    return { reads, writes };
  }

  reset(): void {
    this.#counts.clear();
  }
}
