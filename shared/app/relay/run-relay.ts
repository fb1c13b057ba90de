import { backOffMs } from "#domain/relay/back-off";
import { isPortFault } from "#ports/fault";
import type { RelayDeps } from "./deps.ts";
import { relayTurn } from "./relay-turn.ts";

/**
 * Relays until `stop` aborts, as a process that lives long: it stands by while another relay holds the hub's lease, and
 * takes over when that one has gone. What its table refuses is told and tried again.
 */
export async function runRelay(deps: RelayDeps, stop: AbortSignal): Promise<void> {
  for (let failures = 0; !stop.aborted; ) {
    try {
      await relayTurn(deps, "when-free", stop);
      failures = 0;
    } catch (error) {
      if (!isPortFault(error) || stop.aborted) throw error;
      failures += 1;
      const againMs = backOffMs(failures, deps.chance());
      deps.tell({ kind: "fault", where: "the relay", message: error.message, againMs });
      await deps.timers.sleep(againMs, stop);
    }
  }
}
