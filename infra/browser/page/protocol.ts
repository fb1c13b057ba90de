import type { AccountSection } from "#domain/scale/account";
import type { Figures } from "#domain/scale/figures";
import type { Unit } from "#infra/browser/charts/timeline";

/** What the local host and its page tell each other; both sides are of one version. */

/**
 * One message of the stream: what has changed since the one before it. Its id names the state after it; a reader that
 * comes back with it gets what it missed.
 */
export interface Update {
  /** Forget what was known: this is everything. */
  readonly whole: boolean;
  readonly nowMs: number;
  readonly mode: "embedded" | "observe" | "active";
  /** All of them, where one has changed. */
  readonly clusters?: readonly ClusterView[];
  readonly objects?: readonly ObjectView[];
  /** Keys of objects that are no more. */
  readonly gone?: readonly string[];
  /** Of the object that the reader has asked for. */
  readonly course?: Course;
}

export interface ClusterView {
  readonly name: string;
  readonly state: "ready" | "not ready" | "unread";
  /** Whether the reader cut it off; absent with a real hub. */
  readonly isCutOff?: boolean;
  readonly wanted: number;
  /** Absent where nobody tells. */
  readonly ready?: number;
}

export interface ObjectView {
  /** `namespace/name` */
  readonly key: string;
  /** Replicas that the scheduler has given, over all clusters. */
  readonly wanted?: number;
  readonly ready?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** How it stands with its first metric: `cpu 45% of 60%`. */
  readonly metric?: string;
  readonly state: "new" | "steady" | "limited" | "trouble";
  /** What limits it, or what is wrong: `TooManyReplicas`. */
  readonly note?: string;
}

/** What became of one object, oldest first: the points that were added or changed. */
export interface Course {
  readonly key: string;
  readonly points: readonly Point[];
  /** The instant of the oldest point that is still kept. */
  readonly keptFromMs: number;
  readonly load?: LoadView;
}

/** One evaluation and what the fleet made of it. */
export interface Point {
  readonly atMs: number;
  readonly result: string;
  readonly from?: number;
  readonly to?: number;
  /** The decision in one line. */
  readonly why: string;
  /** Replicas by cluster as the scheduler gave them, after a scale too; null where nobody knows. */
  readonly clusters: Readonly<Record<string, number | null>>;
  /** Those that could not be read for it. */
  readonly unread: readonly string[];
  readonly ready?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly figures?: Figures;
  readonly demand: readonly Amount[];
  /** What another spec wanted of the same snapshot; without a count where it could not be decided by. */
  readonly shadow?: { readonly configMap: string; readonly to?: number; readonly why: string };
  /** Runs of cron rules on its target or bounds since the point before. */
  readonly cron?: readonly string[];
}

export interface Amount {
  readonly name: string;
  readonly unit: Unit;
  readonly value: number;
}

/** The load of an object, as it is asked for now. */
export interface LoadView {
  readonly demand: readonly Amount[];
  /** Whether it is what the reader made of it. */
  readonly isChanged: boolean;
}

/** What the reader may do to an embedded fleet. */
export type Action =
  | { readonly do: "set-load"; readonly object: string; readonly demand: string }
  | { readonly do: "multiply-load"; readonly object: string; readonly factor: number }
  | { readonly do: "restore-load"; readonly object: string }
  | { readonly do: "cut-off" | "reconnect"; readonly cluster: string }
  | { readonly do: "put-event"; readonly object: string };

/** What came of an action: one sentence either way. */
export interface ActionAnswer {
  readonly ok: boolean;
  readonly message: string;
}

/** The account of the decision in force at an instant, or why there is none. */
export type AccountAnswer =
  | {
      readonly ok: true;
      readonly atMs: number;
      readonly heading: string;
      readonly sections: readonly AccountSection[];
      /** The same of the object's shadow, where one is on record. */
      readonly shadow?: { readonly heading: string; readonly sections: readonly AccountSection[] };
    }
  | { readonly ok: false; readonly message: string };
