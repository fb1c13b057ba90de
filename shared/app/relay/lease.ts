import { backOffMs } from "#domain/relay/back-off";
import { isPortFault } from "#ports/fault";
import type { Condition } from "#ports/table";
import { fleetPartition, RELAY } from "#wire/keys";
import { decodeCheckpoint, encodeCheckpoint, type RelayCheckpoint } from "#wire/relay-checkpoint";
import type { RelayDeps } from "./deps.ts";

/** A holder that writes nothing for so long is taken to be dead. Measured by who waits, so that no two clocks are compared. */
export const LEASE_MS = 3_500;
/** How often the holder makes sure that it is one, where no other write has. */
export const RENEW_MS = 1_500;
const POLL_MS = 500;

/**
 * `at-once`: the newest takes over, for functions, which are called one after another. `when-free`: it stands by until
 * the holder has gone, for processes, of which two may run by mistake.
 */
export type TakeOver = "at-once" | "when-free";

const FRESH: RelayCheckpoint = {
  ...{ version: 0, fence: 0, holder: "", released: true },
  ...{ positions: {}, log: [], confirmed: 0 },
};

/** Takes the lease under the next fence: from here on nothing that an earlier holder writes is taken. Undefined: stopped. */
export async function acquireLease(
  deps: RelayDeps,
  takeOver: TakeOver,
  stop: AbortSignal,
): Promise<RelayCheckpoint | undefined> {
  const { timers, table, hub, holder } = deps;
  const key = { pk: fleetPartition(hub), sk: RELAY };
  let waitingFor: { readonly version: number; readonly sinceMs: number } | undefined;
  let failures = 0;
  while (!stop.aborted) {
    try {
      const nowMs = timers.nowMs();
      const item = await table.get(key, { nowMs: deps.clock.nowMs(), consistent: true });
      const found = item === undefined ? FRESH : decodeCheckpoint(item);
      failures = 0;
      const isDead = waitingFor?.version === found.version && nowMs - waitingFor.sinceMs >= LEASE_MS;
      if (found.released || takeOver === "at-once" || isDead) {
        const own = { ...found, holder, fence: found.fence + 1, released: false };
        const taken = await storeCheckpoint(deps, own, stop);
        if (taken !== undefined) return taken;
        continue;
      }
      if (waitingFor?.version !== found.version) {
        if (waitingFor === undefined) deps.tell({ kind: "standing-by", holder: found.holder });
        waitingFor = { version: found.version, sinceMs: nowMs };
      }
      await timers.sleep(POLL_MS, stop);
    } catch (error) {
      if (!isPortFault(error, "unavailable", "throttled")) throw error;
      failures += 1;
      await timeToRetry(deps, "the lease", error.message, failures, stop);
    }
  }
  return undefined;
}

/**
 * Writes the checkpoint on top of the version that it carries; what comes back carries the new one. Undefined: it was
 * refused, somebody else holds the lease. A table that does not answer is asked again, with the same write, until it
 * does or `stop` aborts, which throws its fault.
 */
export async function storeCheckpoint(
  deps: RelayDeps,
  checkpoint: RelayCheckpoint,
  stop: AbortSignal,
): Promise<RelayCheckpoint | undefined> {
  const { version } = checkpoint;
  const next = { ...checkpoint, version: version + 1 };
  const condition: Condition = version === 0 ? { if: "absent" } : { if: "version", is: version };
  const item = encodeCheckpoint(deps.hub, next, deps.ids.next());
  for (let failures = 1; ; failures++) {
    try {
      await deps.table.put(item, condition);
      deps.tell({ kind: "checkpoint" });
      return next;
    } catch (error) {
      if (isPortFault(error, "conflict")) return undefined;
      if (!isPortFault(error, "unavailable", "throttled") || stop.aborted) throw error;
      await timeToRetry(deps, "the checkpoint", error.message, failures, stop);
    }
  }
}

/** Whether nobody has written on top of this checkpoint. A table that does not answer says nothing against it. */
export async function isStillHeld(deps: RelayDeps, { version }: RelayCheckpoint): Promise<boolean> {
  const key = { pk: fleetPartition(deps.hub), sk: RELAY };
  try {
    const item = await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true });
    return item?.version === version;
  } catch (error) {
    if (!isPortFault(error, "unavailable", "throttled")) throw error;
    return true;
  }
}

async function timeToRetry(
  deps: RelayDeps,
  where: string,
  message: string,
  failures: number,
  stop: AbortSignal,
): Promise<void> {
  const againMs = backOffMs(failures, deps.chance());
  deps.tell({ kind: "fault", where, message, againMs });
  await deps.timers.sleep(againMs, stop);
}
