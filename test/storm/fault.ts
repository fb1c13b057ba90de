import type { PortFaultKind } from "#ports/fault";
import type { RuleDocument } from "./world/cron-documents.ts";

/**
 * One thing that goes wrong, or that somebody does meanwhile, as data. A plan is a list of them: taking one away leaves
 * the others what they are, so that a failing plan can be made small. Seconds count from the storm's start; clusters and
 * objects are numbered from 0.
 */
export type Fault = { readonly atSeconds: number } & (
  | CallFault
  | StaleReads
  | MessageFault
  | MinuteFault
  | EnvironmentFault
  | ClusterFault
  | SamplesFault
  | Poison
  | Rejection
  | BusFault
  | RelayFault
  | Deed
);

/**
 * Hits calls of the ports: the first ones from its instant on whose name begins with `call`, after `skip` of them.
 * Names are `<port>.<operation>`, with what is meant behind a colon where it matters: `hub.updateScale`,
 * `member.list:pods`, `table.put:state`; those of a relay begin with `relay.`. Empty: every call.
 */
export type CallFault = { readonly call: string; readonly skip: number } & (
  | { readonly kind: "crash"; readonly when: "before" | "after" }
  /** `after`: it had its effect, and the answer is a fault. */
  | {
      readonly kind: "refuse";
      readonly when: "before" | "after";
      readonly as: PortFaultKind;
      readonly times: number;
    }
  /** Longer than the deadline of a call, and the caller hears nothing; the request goes on. */
  | {
      readonly kind: "slow";
      readonly part: "request" | "answer";
      readonly seconds: number;
      readonly times: number;
    }
  /** The client's own retry after a lost answer: the effect happens twice, the second answer counts. */
  | { readonly kind: "repeat" }
  /** Somebody writes the called object right before or after; `version`: the same state, as another run would. */
  | {
      readonly kind: "meddle";
      readonly when: "before" | "after";
      readonly does: Meddling;
      readonly replicas: number;
    }
);

export type Meddling = "status" | "image" | "replicas" | "version";

/** The table's reads that need not be consistent answer as it was so long ago. */
export interface StaleReads {
  readonly kind: "stale-reads";
  readonly lagSeconds: number;
  readonly forSeconds: number;
}

/** Hits the next `times` messages of a queue. */
export interface MessageFault {
  readonly kind: "message";
  readonly queue: "sweep" | "reconcile" | "cron" | "route";
  /**
   * `duplicate`: handed out twice (standard queues). `delay`: handed out so much later. `lose-delivery`: handed out to
   * nobody, hidden all the same. `lose-answer`: worked, and not deleted.
   */
  readonly does: "duplicate" | "delay" | "lose-delivery" | "lose-answer";
  readonly seconds: number;
  readonly times: number;
}

/** The next minute's tick. */
export interface MinuteFault {
  readonly kind: "minute";
  readonly does: "miss" | "double";
}

/** `skew`: clocks of invocations that start from now on are off by so much. `recycle`: all idle environments are gone. */
export type EnvironmentFault =
  | { readonly kind: "skew"; readonly milliseconds: number }
  | { readonly kind: "recycle" };

export interface ClusterFault {
  readonly kind: "cluster";
  readonly cluster: number;
  readonly does: "cut-off" | "fail-metrics" | "slow";
  readonly forSeconds: number;
}

/** What a cluster's metrics API says: half of the pods missing, amounts that cannot be, or pods that are long gone. */
export interface SamplesFault {
  readonly kind: "samples";
  readonly cluster: number;
  readonly does: "drop" | "absurd" | "ghosts";
  readonly forSeconds: number;
}

/** Whatever evaluates the object dies. */
export interface Poison {
  readonly kind: "poison";
  readonly object: number;
  readonly forSeconds: number;
}

/** Of the next sends to a queue, every second entry is not accepted, and the answer says so. */
export interface Rejection {
  readonly kind: "reject";
  readonly queue: "sweep" | "reconcile" | "cron" | "route";
  readonly times: number;
}

/** Events on the bus about an object, its target or an alarm that some objects wait for: so many, each so often. */
export interface BusFault {
  readonly kind: "event";
  readonly object: number;
  readonly about: "object" | "target" | "alarm" | "change";
  readonly events: number;
  readonly copies: number;
  /** From one event to the next. */
  readonly everyMs: number;
}

/** To the relays; a plan has one from its first `start` on. What ends comes again after some seconds. */
export type RelayFault = {
  readonly kind: "relay";
} /** One more, under this name; after the first by mistake. */ & (
  | { readonly does: "start"; readonly holder: number }
  /** One of those that run dies, or is told to end. */
  | { readonly does: "kill" | "stop"; readonly which: number }
  /**
   * All watches break, and the hub takes none for so long. With `keep` it then holds its last so many changes only: who
   * resumes from before is told that they are gone (410).
   */
  | { readonly does: "cut"; readonly forSeconds: number; readonly keep?: number }
  /** Of the next puts on the bus, every second event is not taken, and the answer says so. */
  | { readonly does: "reject"; readonly times: number }
);

/** What people and other programs do to the hub's objects. */
export type Deed =
  | { readonly kind: "crowd"; readonly count: number }
  | CronDeed
  | ({ readonly object: number } & (
      | { readonly kind: "bounds"; readonly minReplicas: number; readonly maxReplicas: number }
      | { readonly kind: "behavior"; readonly behavior: object | null }
      | { readonly kind: "goal"; readonly percent: number }
      | { readonly kind: "annotate"; readonly annotations: Readonly<Record<string, string | null>> }
      | { readonly kind: "hand"; readonly replicas: number }
      | { readonly kind: "image" }
      | { readonly kind: "weights"; readonly weights: readonly number[] }
      | { readonly kind: "remake-object"; readonly afterSeconds: number }
      | { readonly kind: "remake-target"; readonly afterSeconds: number }
      | { readonly kind: "rival"; readonly forSeconds: number }
      | { readonly kind: "foreign-status" }
    ));

/** To the CronFederatedHPAs, numbered from 0, and to the workloads that only they scale. */
export type CronDeed = { readonly cron: number } & (
  | { readonly kind: "cron-rules"; readonly rules: readonly RuleDocument[] }
  | { readonly kind: "cron-suspend"; readonly suspend: boolean }
  | { readonly kind: "remake-cron" | "remake-job"; readonly afterSeconds: number }
  | { readonly kind: "hand-job"; readonly replicas: number }
);

export type FaultKind = Fault["kind"];

/** When the last effect of a fault that lasts is over, in seconds from the storm's start. */
export function overAtSeconds(fault: Fault): number {
  if (fault.kind === "event") return fault.atSeconds + Math.ceil((fault.events * fault.everyMs) / 1000) + 1;
  const lasts = "forSeconds" in fault ? fault.forSeconds : "afterSeconds" in fault ? fault.afterSeconds : 0;
  return fault.atSeconds + lasts;
}
