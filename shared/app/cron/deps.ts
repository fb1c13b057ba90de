import type { Hub } from "#app/reconcile/deps";
import type { CronState } from "#domain/cron/cron-state";
import type { CronFederatedHpa } from "#domain/spec/cron-federated-hpa";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import type { BusPort } from "#ports/bus";
import type { Clock, Ids } from "#ports/clock";
import type { Log } from "#ports/log";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import type { ObjectId } from "#wire/keys";

/** What the cron needs of the world. */
export interface CronDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly table: TablePort;
  /** Takes `reconcile`: a FederatedHPA whose bounds were set is reconciled at once. */
  readonly queue: QueuePort;
  /** Where runs that failed are told; absent: nowhere. */
  readonly bus?: BusPort;
  readonly hubs: Readonly<Record<string, Hub>>;
}

/** One object's turn in an evaluation. */
export interface CronTurn {
  readonly id: ObjectId;
  /** In the mode that holds for this object. */
  readonly hub: Hub;
  readonly object: CronFederatedHpa;
  readonly state?: CronState;
  /** Up to when the hub's heartbeat says that the object was evaluated. */
  readonly beatUntilMs?: number;
  /** The instant up to which rules are looked at. */
  readonly nowMs: number;
  /** Every FederatedHPA of the object's namespace, read once for all objects of an evaluation. */
  readonly federatedHpas: () => Promise<readonly FederatedHpa[]>;
  /** Whether the invocation's time is nearly up: nothing new is begun then. */
  readonly isOutOfTime: () => boolean;
}
