import { compareUtf8 } from "#domain/units/utf8";
import type { Clock } from "#ports/clock";
import { PortFault } from "#ports/fault";
import type { Condition, Item, Key, Query, ReadOptions, TablePort } from "#ports/table";
import { checkItem, isExpired } from "#wire/item";

/**
 * Called before an operation touches the table and after it did. What it throws is what the caller sees: before, a
 * table that refused; after a write, an answer that was lost.
 */
export type Interrupt = (
  operation: "get" | "getMany" | "put" | "delete" | "query",
  when: "before" | "after",
) => void;

export interface MemoryTable extends TablePort {
  /** Everything stored, expired items too, in the order of keys. */
  items(): readonly Item[];
}

/** The reference table: its answers define what every other adapter must answer. */
export function memoryTable(options: { clock: Clock; interrupt?: Interrupt }): MemoryTable {
  const { clock, interrupt = () => {} } = options;
  const partitions = new Map<string, Map<string, Item>>();

  const find = ({ pk, sk }: Key): Item | undefined => partitions.get(pk)?.get(sk);
  const live = (item: Item | undefined, nowMs: number): Item | undefined =>
    item === undefined || isExpired(item, nowMs) ? undefined : copyOf(item);

  async function attempt<T>(operation: Parameters<Interrupt>[0], work: () => T): Promise<T> {
    interrupt(operation, "before");
    const result = work();
    interrupt(operation, "after");
    return result;
  }

  function holds(condition: Condition, stored: Item | undefined): boolean {
    if (condition.if === "absent") return live(stored, clock.nowMs()) === undefined;
    return condition.if === "none" || stored?.version === condition.is;
  }

  return {
    get: (key: Key, { nowMs }: ReadOptions) => attempt("get", () => live(find(key), nowMs)),
    getMany: (keys: readonly Key[], { nowMs }: ReadOptions) =>
      attempt("getMany", () => keys.map((key) => live(find(key), nowMs))),
    put: (item: Item, condition: Condition) =>
      attempt("put", () => {
        const what = `put ${item.pk} ${item.sk}`;
        const checked = checkItem(item);
        if (!checked.ok) throw new PortFault("invalid", `${what}: ${checked.fault}`);
        const stored = find(item);
        if (!holds(condition, stored)) {
          if (item.writeId !== undefined && stored?.writeId === item.writeId) return;
          throw conflict(what, condition);
        }
        const partition = partitions.get(item.pk) ?? new Map<string, Item>();
        partitions.set(item.pk, partition.set(item.sk, checked.item));
      }),
    delete: (key: Key, condition: Condition) =>
      attempt("delete", () => {
        if (!holds(condition, find(key))) throw conflict(`delete ${key.pk} ${key.sk}`, condition);
        partitions.get(key.pk)?.delete(key.sk);
      }),
    query: (query: Query, { nowMs }: ReadOptions) =>
      attempt("query", () => {
        const items = [...(partitions.get(query.pk)?.values() ?? [])]
          .filter((item) => isInRange(item.sk, query))
          .sort((a, b) => compareUtf8(a.sk, b.sk))
          .flatMap((item) => live(item, nowMs) ?? []);
        return (query.descending ? items.reverse() : items).slice(0, query.limit);
      }),
    items: () =>
      [...partitions.values()]
        .flatMap((partition) => [...partition.values()])
        .sort((a, b) => compareUtf8(a.pk, b.pk) || compareUtf8(a.sk, b.sk))
        .map(copyOf),
  };
}

function conflict(what: string, condition: Condition): PortFault {
  return new PortFault("conflict", `${what}: the condition ${JSON.stringify(condition)} failed`);
}

/** What is stored is JSON, for which this is several times faster than `structuredClone`. */
function copyOf<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copyOf(value[name]);
  return copy as T;
}

function isInRange(sk: string, { prefix = "", from = "", to }: Query): boolean {
  return (
    sk.startsWith(prefix) && compareUtf8(sk, from) >= 0 && (to === undefined || compareUtf8(sk, to) <= 0)
  );
}
