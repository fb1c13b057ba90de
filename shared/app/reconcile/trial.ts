import { isPortFault } from "#ports/fault";
import type { Condition, Item } from "#ports/table";
import { type ObjectId, objectPartition } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/** The item that says whose evaluation is under way after a crash. */
const TRIAL = "trial";
const TTL_SECONDS = 3_600;

interface Mark {
  readonly messageId: string;
  readonly isOpen: boolean;
  readonly version: number;
}

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

  async function read(id: ObjectId): Promise<Item | undefined> {
    const key = { pk: objectPartition(id), sk: TRIAL };
    return deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true });
  }

  /** Where it cannot be said, the evaluation goes on all the same. */
  async function say(id: ObjectId, mark: Mark, condition: Condition, tries: number): Promise<void> {
    const ttl = Math.ceil(deps.clock.nowMs() / 1000) + TTL_SECONDS;
    try {
      await deps.table.put({ pk: objectPartition(id), sk: TRIAL, ...mark, ttl }, condition);
    } catch (error) {
      if (!isPortFault(error)) throw error;
      if (tries > 1) return say(id, mark, condition, tries - 1);
      deps.log.warn("trial not marked", { ...id, isOpen: mark.isOpen, fault: error.message });
    }
  }

  /** The end's mark replaces whatever is there, and one of its beginning that only arrives then no longer fits (seed 9807). */
  async function onTrial(id: ObjectId, messageId: string, work: () => Promise<void>): Promise<void> {
    let version: number | undefined;
    try {
      version = (await read(id))?.version ?? 0;
    } catch (error) {
      if (!isPortFault(error)) throw error;
    }
    if (version === undefined) return work();
    const former = version === 0 ? ({ if: "absent" } as const) : ({ if: "version", is: version } as const);
    await say(id, { messageId, isOpen: true, version: version + 1 }, former, 1);
    await work();
    // Without this one the object is taken for a culprit, should its message come again although it was worked (seed 5643).
    await say(id, { messageId, isOpen: false, version: version + 2 }, { if: "none" }, 3);
  }

  return {
    async diedOn(id, messageId) {
      const item = await read(id);
      return item?.isOpen === true && item.messageId === messageId;
    },
    run(id, messageId, work) {
      const trial = last.then(async () => {
        // What was under way before may still die now, and nobody else must be taken for it (storm seed 609).
        return signal.aborted ? work() : onTrial(id, messageId, work);
      });
      last = trial.catch(() => {});
      return trial;
    },
  };
}
