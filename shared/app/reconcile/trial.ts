import { isPortFault } from "#ports/fault";
import { type ObjectId, objectPartition } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/** The item that says whose evaluation is under way after a crash. */
const TRIAL = "trial";
const TTL_SECONDS = 3_600;

/** Tries objects whose messages came again, one after the other: what dies then is the one that says so. */
export interface Trials {
  /** Whether an invocation died on this very message while it alone was tried. */
  diedOn(id: ObjectId, messageId: string): Promise<boolean>;
  /** Runs `work` when no other trial of this invocation is under way, and says so in the table meanwhile. */
  run(id: ObjectId, messageId: string, work: () => Promise<void>): Promise<void>;
}

/** `signal` says that the invocation's time is up. */
export function openTrials(deps: ReconcileDeps, signal: AbortSignal): Trials {
  let last: Promise<void> = Promise.resolve();

  /** Where it cannot be said, nobody is found out, and the evaluation goes on. */
  async function say(id: ObjectId, messageId: string, isOpen: boolean): Promise<void> {
    const ttl = Math.ceil(deps.clock.nowMs() / 1000) + TTL_SECONDS;
    try {
      await deps.table.put({ pk: objectPartition(id), sk: TRIAL, messageId, isOpen, ttl }, { if: "none" });
    } catch (error) {
      if (!isPortFault(error)) throw error;
      deps.log.warn("trial not marked", { ...id, isOpen, fault: error.message });
    }
  }

  return {
    async diedOn(id, messageId) {
      const key = { pk: objectPartition(id), sk: TRIAL };
      const item = await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true });
      return item?.isOpen === true && item.messageId === messageId;
    },
    run(id, messageId, work) {
      const trial = last.then(async () => {
        // What was under way before may still die now, and nobody else must be taken for it (storm seed 609).
        if (signal.aborted) return work();
        await say(id, messageId, true);
        await work();
        await say(id, messageId, false);
      });
      last = trial.catch(() => {});
      return trial;
    },
  };
}
