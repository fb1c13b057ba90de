import type { Clock } from "#ports/clock";
import type { Condition, Item, Key, ReadOptions, TablePort } from "#ports/table";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Fact } from "#test/storm/facts";
import { decodeCronState, decodeRun } from "#wire/cron-state";
import { RELAY, STATE, TURN } from "#wire/keys";
import { decodeCheckpoint } from "#wire/relay-checkpoint";
import { decodeScaleRecord } from "#wire/scale-record";
import { decodeBeat, decodeState } from "#wire/state";
import { decodeTurn } from "#wire/turn";
import type { Gate } from "./gate.ts";

/** The table of one invocation, behind the gate; what is written is told. */
export function gatedTable(
  table: TablePort,
  by: Invocation,
  { pass }: Gate,
  clock: Clock,
  tell: (fact: Fact) => void,
): TablePort {
  return {
    get: (key, options) => pass(by, { name: `table.get:${kindOf(key)}` }, () => table.get(key, options)),
    getMany: (keys, options) => pass(by, { name: "table.getMany" }, () => table.getMany(keys, options)),
    put: (item, condition) =>
      pass(by, { name: `table.put:${kindOf(item)}`, key: { pk: item.pk, sk: item.sk } }, async () => {
        await table.put(item, condition);
        const fact = factOf(item, by.id, clock.nowMs());
        if (fact !== undefined) tell(fact);
      }),
    delete: (key, condition) =>
      pass(by, { name: `table.delete:${kindOf(key)}` }, () => table.delete(key, condition)),
    query: (query, options) => pass(by, { name: "table.query" }, () => table.query(query, options)),
  };
}

/** `state`, `scale`, `slot`, `beat`, `shards`, `turn`, `seen`, `run`, `cron-state`, `parked`, … */
function kindOf({ pk, sk }: Key): string {
  if (pk.startsWith("parked#")) return "parked";
  const kind = sk.split("#")[0] ?? "";
  return kind === STATE && pk.startsWith("cron#") ? "cron-state" : kind;
}

function factOf(item: Item, by: string, atMs: number): Fact | undefined {
  const object = item.pk.split("#")[2] ?? "";
  const rest = item.sk.slice(item.sk.indexOf("#") + 1);
  switch (kindOf(item)) {
    case STATE: {
      const state = decodeState(item);
      return state && { what: "state", atMs, by, object, state };
    }
    case "scale":
      return { what: "record", atMs, by, object, record: decodeScaleRecord(item) };
    case "beat": {
      const beat = decodeBeat(item);
      return beat && { what: "beat", atMs, by, shard: rest, beat };
    }
    case "cron-state": {
      const state = decodeCronState(item);
      return state && { what: "cron-state", atMs, by, object, state };
    }
    case "run":
      return { what: "run", atMs, by, object, run: decodeRun(item) };
    case TURN: {
      const { turn } = decodeTurn(item);
      return turn && { what: "turn", atMs, by, object, turn };
    }
    case RELAY: {
      if (item.sk === RELAY) return { what: "checkpoint", atMs, by, checkpoint: decodeCheckpoint(item) };
      const [stamp = ""] = rest.split("#");
      return { what: "seen-part", atMs, by, stamp, text: String(item.text) };
    }
    case "slot":
      return { what: "mark", atMs, by, slotMs: Number(rest) };
    default:
      return undefined;
  }
}

/** A table whose reads that need not be consistent answer as it was `lagMs` ago; `told` hears of each that is old. */
export function laggingTable(
  table: TablePort,
  clock: Clock,
  lagMs: () => number,
  told: (key: Key) => void,
): TablePort {
  const former = new Map<string, { readonly untilMs: number; readonly item: Item | undefined }[]>();
  const keyOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

  async function keepFormer(key: Key, write: () => Promise<void>): Promise<void> {
    const nowMs = clock.nowMs();
    const item = await table.get(key, { nowMs });
    await write();
    const kept = former.get(keyOf(key)) ?? [];
    former.set(keyOf(key), [...kept.slice(-9), { untilMs: nowMs, item }]);
  }

  /** What the key held then: the first former item that was replaced after it. */
  function asOf(key: Key, atMs: number, now: Item | undefined): Item | undefined {
    const found = former.get(keyOf(key))?.find(({ untilMs }) => untilMs > atMs);
    if (found === undefined) return now;
    told(key);
    return found.item;
  }

  const lagOf = ({ consistent }: ReadOptions) => (consistent ? 0 : lagMs());
  return {
    async get(key, options) {
      const item = await table.get(key, options);
      const lag = lagOf(options);
      return lag === 0 ? item : asOf(key, clock.nowMs() - lag, item);
    },
    async getMany(keys, options) {
      const items = await table.getMany(keys, options);
      const lag = lagOf(options);
      return lag === 0 ? items : items.map((item, i) => asOf(keys[i] as Key, clock.nowMs() - lag, item));
    },
    put: (item: Item, condition: Condition) => keepFormer(item, () => table.put(item, condition)),
    delete: (key, condition) => keepFormer(key, () => table.delete(key, condition)),
    query: (query, options) => table.query(query, options),
  };
}
