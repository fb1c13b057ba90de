import type { ClusterGate } from "#app/load/context";
import { publish } from "#app/publish";
import { afterFailure, type Breaker, isOpen, isProbeFree } from "#domain/work/breaker";
import { isPortFault } from "#ports/fault";
import { decodeBreaker, encodeBreaker } from "#wire/breaker";
import { mainsheetEvent } from "#wire/events";
import { BREAKER_PREFIX, breakerSortKey, fleetPartition } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/**
 * The breakers of one hub's clusters, for one invocation. Of several that would try an open one in a slot, one wins by a
 * conditional write; of what an invocation notes of a cluster, the first word counts.
 */
export interface Breakers extends ClusterGate {
  /** Stores what was noted, where it changes something. */
  store(): Promise<void>;
}

/**
 * Reads the breakers when first asked: one query an invocation, and a write only where a cluster begins or ends to fail
 * or is tried. A table that does not answer leaves every cluster to be asked.
 */
export function openBreakers(deps: ReconcileDeps, hub: string, slotMs: number): Breakers {
  const nowMs = deps.clock.nowMs();
  const answers = new Map<string, boolean>();
  const verdicts = new Map<string, Promise<boolean>>();
  let known: Promise<ReadonlyMap<string, Breaker>> | undefined;

  async function read(): Promise<ReadonlyMap<string, Breaker>> {
    try {
      const query = { pk: fleetPartition(hub), prefix: BREAKER_PREFIX };
      const items = await deps.table.query(query, { nowMs });
      return new Map(items.map(decodeBreaker).map((breaker) => [breaker.cluster, breaker]));
    } catch (error) {
      if (isPortFault(error)) return new Map();
      throw error;
    }
  }
  const breakerOf = async (cluster: string) => {
    known ??= read();
    return (await known).get(cluster);
  };

  async function write(breaker: Breaker): Promise<boolean> {
    const condition =
      breaker.version === 0 ? ({ if: "absent" } as const) : ({ if: "version", is: breaker.version } as const);
    try {
      await deps.table.put(encodeBreaker(hub, breaker, nowMs), condition);
      return true;
    } catch (error) {
      if (isPortFault(error)) return false;
      throw error;
    }
  }

  async function decide(cluster: string): Promise<boolean> {
    const breaker = await breakerOf(cluster);
    if (!isOpen(breaker)) return false;
    if (!isProbeFree(breaker, slotMs)) return true;
    return !(await write({ ...breaker, probedMs: slotMs }));
  }

  async function storeOne(cluster: string, answered: boolean): Promise<void> {
    const breaker = await breakerOf(cluster);
    if (!answered) {
      // A tried cluster's version has moved with the try; that it failed once more changes nothing.
      if (isOpen(breaker)) return;
      const failed = afterFailure(breaker, cluster);
      if ((await write(failed)) && isOpen(failed)) await publish(deps, unreadable(cluster));
    } else if (breaker !== undefined) {
      await deps.table.delete({ pk: fleetPartition(hub), sk: breakerSortKey(cluster) }, { if: "none" });
    }
  }

  const unreadable = (cluster: string) =>
    mainsheetEvent("ClusterUnreadable", { v: 1, id: `${hub}:${cluster}:${slotMs}`, hub, cluster }, nowMs);

  return {
    skips(cluster) {
      const verdict = verdicts.get(cluster) ?? decide(cluster);
      verdicts.set(cluster, verdict);
      return verdict;
    },
    note(cluster, answered) {
      if (!answers.has(cluster)) answers.set(cluster, answered);
    },
    async store() {
      for (const [cluster, answered] of answers) {
        answers.delete(cluster);
        try {
          await storeOne(cluster, answered);
        } catch (error) {
          if (!isPortFault(error)) throw error;
          deps.log.warn("breaker not stored", { hub, cluster, fault: error.message });
        }
      }
    },
  };
}
