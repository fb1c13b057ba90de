/**
 * The key-value table that keeps state and history (design 5). Single-item conditional writes only; no transactions,
 * no scans. Throws only `PortFault`: `conflict` for a condition that does not hold, `throttled`, `unavailable`,
 * `invalid` for an item that is too large (400 KB) or holds NaN or Infinity.
 */
export interface TablePort {
  /** The item, or undefined. Eventually consistent unless asked otherwise. An item whose TTL has passed is undefined (B96). */
  get(key: Key, options: ReadOptions): Promise<Item | undefined>;

  /** Many items in few requests (BatchGet of 100), unprocessed keys asked again. Order and length follow `keys`. */
  getMany(keys: readonly Key[], options: ReadOptions): Promise<readonly (Item | undefined)[]>;

  /**
   * Writes the whole item when the condition holds, else `conflict`. An item that carries a `writeId` is written with
   * effect once: when the condition fails because this very write had won before its answer was lost, that is success.
   * Undefined fields are left out (B100).
   */
  put(item: Item, condition: Condition): Promise<void>;

  /** Removes the item when the condition holds, else `conflict`; a missing item satisfies `none`. */
  delete(key: Key, condition: Condition): Promise<void>;

  /** The items of one partition in the order of `sk`, pages followed up to `limit`; TTL as in `get`. */
  query(query: Query, options: ReadOptions): Promise<readonly Item[]>;
}

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export interface Item extends Key {
  /** Epoch seconds after which the item counts as gone; filtered on read, since DynamoDB deletes late (B96, B97). */
  readonly ttl?: number;
  readonly version?: number;
  readonly writeId?: string;
  readonly [attribute: string]: unknown;
}

export type Condition =
  /** Write in any case. */
  | { readonly if: "none" }
  /** Only when there is no such item (one whose TTL has passed counts as none). */
  | { readonly if: "absent" }
  /** Only while the stored `version` is this one. */
  | { readonly if: "version"; readonly is: number };

export interface ReadOptions {
  /** Now, epoch milliseconds: decides what has expired. */
  readonly nowMs: number;
  readonly consistent?: boolean;
}

export interface Query {
  readonly pk: string;
  /** Only sort keys that begin so. */
  readonly prefix?: string;
  /** Only sort keys in [from, to], compared as UTF-8 bytes. */
  readonly from?: string;
  readonly to?: string;
  readonly descending?: boolean;
  readonly limit?: number;
}
