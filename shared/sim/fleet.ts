import type { ApiServer } from "#sim/api/api-server";
import type { Status } from "#sim/api/failure";

/**
 * A Karmada fleet that lives in memory: the hub's API server, the members' API servers, and everything that acts on
 * their objects by itself (detector, scheduler, works, kubelets, metrics, load).
 *
 * It has no clock of its own. `step` brings every object to the state that belongs to an instant; all that it knows is
 * in the stored objects, so that a fleet built anew over restored stores goes on exactly as the old one would have.
 */
export interface Fleet {
  readonly hub: ApiServer;
  readonly members: ReadonlyMap<string, ApiServer>;

  /** Lets everything happen that is due up to and at `nowMs`, until nothing is left to do. Called again it does nothing. */
  step(nowMs: number): void;

  /**
   * The next instant at which something happens of itself: `nowMs` when something was written since the last step,
   * undefined when nothing is going to happen.
   */
  nextDueMs(nowMs: number): number | undefined;

  /** What stands between a client and an API group of a member at the moment: asked before each proxied request. */
  access(member: string, group: string): Access;
}

/** `refusal`: what the client gets instead of an answer. `delayMs`: how long the answer takes. */
export interface Access {
  readonly refusal?: Status;
  readonly delayMs: number;
}
