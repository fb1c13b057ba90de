import type { HubOutcome } from "#app/cron/evaluate-hub";
import type { CronState } from "#domain/cron/cron-state";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { Decision } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { Beat } from "#domain/work/beat";
import type { Turn } from "#domain/work/turn";
import type { Item } from "#ports/table";
import type { RunRecord } from "#wire/cron-state";
import type { ObjectChanged } from "#wire/events";
import type { RelayCheckpoint } from "#wire/relay-checkpoint";
import type { ScaleRecord } from "#wire/scale-record";
import type { State } from "#wire/state";
import type { RuleDocument } from "./world/cron-documents.ts";

/** What happened, in order: all that the invariants are judged by. Objects go by `namespace/name`; `by` is an invocation. */
export type Fact = { readonly atMs: number } & (
  | Decided
  | { readonly what: "state"; readonly by: string; readonly object: string; readonly state: State }
  | { readonly what: "beat"; readonly by: string; readonly shard: string; readonly beat: Beat }
  | { readonly what: "record"; readonly by: string; readonly object: string; readonly record: ScaleRecord }
  | { readonly what: "mark"; readonly by: string; readonly slotMs: number }
  | PutSent
  | Rescaled
  | Rebounded
  | CronSpecified
  | CronEvaluated
  | { readonly what: "run"; readonly by: string; readonly object: string; readonly run: RunRecord }
  | { readonly what: "cron-state"; readonly by: string; readonly object: string; readonly state: CronState }
  | { readonly what: "turn"; readonly by: string; readonly object: string; readonly turn: Turn }
  | EventPut
  | RelayLife
  | Watched
  | Published
  | { readonly what: "checkpoint"; readonly by: string; readonly checkpoint: RelayCheckpoint }
  /** A part of what a relay has seen, as it stores it. */
  | { readonly what: "seen-part"; readonly by: string; readonly stamp: string; readonly text: string }
  | Existence
  | {
      readonly what: "member-read";
      readonly by: string;
      readonly cluster: string;
      readonly read: string;
      readonly ok: boolean;
    }
  | { readonly what: "offered"; readonly by: string; readonly queue: string; readonly body: string }
  | MessageFact
  | {
      readonly what: "swept";
      readonly by: string;
      readonly slotMs: number;
      readonly result: string;
      readonly clockMs: number;
    }
  | {
      readonly what: "log";
      readonly by: string;
      readonly level: string;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  | {
      readonly what: "began";
      readonly by: string;
      readonly fn: string;
      /** How far its clock is off. */
      readonly skewMs: number;
      readonly messages: readonly string[];
    }
  | { readonly what: "ended"; readonly by: string; readonly how: Ending }
  /** A read that need not be consistent was answered with what an item held before its last write. */
  | { readonly what: "stale-read"; readonly object: string; readonly shard?: string }
  | { readonly what: "fault"; readonly by: string; readonly call: string; readonly kind: string }
);

/** A decision, with all it was made from. */
export interface Decided {
  readonly what: "decided";
  readonly by: string;
  readonly object: string;
  readonly snapshot: Snapshot;
  readonly history: History;
  readonly decision: Decision;
}

/** A PUT of a scale left an invocation. */
export interface PutSent {
  readonly what: "put";
  readonly by: string;
  /** Unique among the calls of all invocations. */
  readonly call: string;
  readonly target: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly replicas: number;
}

/** A target's `spec.replicas` changed on the hub. */
export interface Rescaled {
  readonly what: "rescaled";
  readonly target: string;
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  /** Our call that did it; absent: somebody else. */
  readonly call?: string;
}

/** A FederatedHPA's bounds changed on the hub. */
export interface Rebounded {
  readonly what: "rebounded";
  readonly target: string;
  readonly uid: string;
  readonly to: { readonly minReplicas: number; readonly maxReplicas: number };
  /** Our call that did it; absent: somebody else. */
  readonly call?: string;
}

/** A CronFederatedHPA's spec from now on; without rules: there is none. */
export interface CronSpecified {
  readonly what: "cron-specified";
  readonly object: string;
  /** What it scales, as `namespace/name`. */
  readonly target: string;
  readonly uid: string;
  readonly rules: readonly RuleDocument[];
  readonly deadlineMs: number;
}

/** An evaluation of all rules came to an end by itself. */
export interface CronEvaluated {
  readonly what: "cron-evaluated";
  readonly by: string;
  readonly dueAtMs: number;
  /** When it began, by its own clock. */
  readonly clockMs: number;
  readonly outcome: HubOutcome;
}

/** An event about a FederatedHPA came to the queue behind the bus. */
export interface EventPut {
  readonly what: "event";
  readonly object: string;
  readonly id: string;
  /** Only of the object itself: what it concerns, the table need not know. */
  readonly isNamed: boolean;
}

/** A relay's process came up, or ended: by itself, by an exception, or with nothing left of it. */
export interface RelayLife {
  readonly what: "relay";
  readonly by: string;
  readonly holder: string;
  readonly is: "up" | "stopped" | "failed" | "killed";
}

/** What a relay watches changed on the hub in what matters; told only where a plan has a relay. */
export interface Watched {
  readonly what: "watched";
  readonly source: string;
  /** `namespace/name`, or the name of a cluster. */
  readonly object: string;
  readonly uid: string;
  readonly resourceVersion: number;
  /** Empty: it is gone. */
  readonly digest: string;
  /** The workload that it speaks of. */
  readonly target?: string;
}

/** An event of a relay reached the bus, whatever its sender hears of that. */
export interface Published {
  readonly what: "published";
  readonly by: string;
  /** When its call began. */
  readonly sentAtMs: number;
  readonly event: ObjectChanged;
}

export interface Existence {
  readonly what: "born" | "gone";
  readonly kind: "FederatedHPA" | "Deployment" | "CronFederatedHPA";
  readonly object: string;
  readonly uid: string;
}

export interface MessageFact {
  readonly what: "accepted" | "handed-out" | "done" | "dead";
  readonly queue: string;
  readonly id: string;
  readonly body: string;
  readonly by?: string;
}

/** `timed-out`: stopped early, and frozen with what it had not finished. */
export type Ending = "done" | "failed" | "crashed" | "timed-out";

/** The facts of a storm and how it was at the end. */
export interface Story {
  readonly facts: readonly Fact[];
  /** The only objects that invocations died on; undefined where they also died by chance. */
  readonly culprits: readonly string[] | undefined;
  /** When the last fault was over. */
  readonly calmMs: number;
  readonly endMs: number;
  /** All that the table holds at the end. */
  readonly items: readonly Item[];
  readonly objects: readonly FinalObject[];
  /** The CronFederatedHPAs at the end, as the API has them. */
  readonly crons: readonly unknown[];
  /** Messages that are still in a queue. */
  readonly waiting: readonly { readonly queue: string; readonly id: string; readonly sentAtMs: number }[];
}

/** A FederatedHPA at the end. */
export interface FinalObject {
  readonly object: string;
  readonly raw: unknown;
  /** The target's `spec.replicas`; undefined where there is no target. */
  readonly replicas: number | undefined;
}

/** One sentence on what does not hold. */
export interface Violation {
  /** `I3`, and which of its clauses: `I3 decides-otherwise`. */
  readonly invariant: string;
  readonly clause: string;
  readonly atMs: number;
  readonly text: string;
}

export type Invariant = (story: Story) => readonly Violation[];
