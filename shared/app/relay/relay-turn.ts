import type { RelayDeps } from "./deps.ts";
import { followSource } from "./follow-source.ts";
import { Inbox } from "./inbox.ts";
import { acquireLease, type TakeOver } from "./lease.ts";
import { recoverMemory } from "./memory.ts";
import { openPublication, type Publication } from "./publication.ts";

/** `lost`: another relay has taken over. */
export type TurnEnd = "stopped" | "lost";

/**
 * One turn at relaying a hub's changes to the bus: takes the lease, goes on where the last holder was, and follows
 * every source until `stop` aborts or another relay takes over. At the end it leaves a checkpoint for the next one.
 *
 * Every change is announced in the checkpoint, then published, then confirmed with a later write. So what an older
 * holder has announced is known to the next one, which publishes it again under the same id; and who has lost the
 * lease cannot announce, and publishes nothing.
 */
export async function relayTurn(deps: RelayDeps, takeOver: TakeOver, stop: AbortSignal): Promise<TurnEnd> {
  const checkpoint = await acquireLease(deps, takeOver, stop);
  if (checkpoint === undefined) return "stopped";
  deps.tell({ kind: "holding", fence: checkpoint.fence, resumed: checkpoint.base !== undefined });
  const { memory, positions } = await recoverMemory(deps, checkpoint);
  const publication = openPublication(deps, { ...checkpoint, positions }, memory, takeOver, stop);
  const turn = deps.newStop();
  const inbox = new Inbox(deps);
  try {
    if (await publication.settle()) {
      const port = deps.connect(turn.signal);
      for (const source of deps.sources) {
        void followSource(deps, port, source, publication.resumeAt(source.name), inbox, turn.signal);
      }
      await publishUntilEnd(deps, publication, inbox, stop);
    }
    if (!publication.isLost && (await publication.release())) return "stopped";
    deps.tell({ kind: "lost", fence: checkpoint.fence });
    return "lost";
  } finally {
    turn.abort();
  }
}

async function publishUntilEnd(
  { gather }: RelayDeps,
  publication: Publication,
  inbox: Inbox,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    if (!inbox.isEmpty) await gather?.(stop);
    if (!(await publication.work(inbox.take()))) return;
    const ms = publication.msToRenewal();
    if (ms > 0) await inbox.wait(ms, stop);
    else if (!(await publication.checkpoint())) return;
  }
}
