import type { Snapshot } from "#domain/fleet/snapshot";
import type { Decision } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";

/** What one evaluation of one object came to. */
export type Outcome =
  /** Decided; `scaled` says whether the replicas were written (or, in `observe`, would have been). */
  | {
      readonly result: "scaled" | "would-scale" | "unchanged" | "refused" | "unknown" | "held" | "yielded";
      readonly decision: Decision;
      /** Why the write did not (surely) happen. */
      readonly message?: string;
      /** Whether a condition of the object changed its status or reason. */
      readonly conditionsChanged: boolean;
      /** What it was decided from, under the controller's policy; for the ledger. */
      readonly decidedFrom?: DecidedFrom;
      /** What its other spec came to, where it has one. */
      readonly shadow?: ShadowOutcome;
    }
  /**
   * Not decided: nothing to decide on, or not again. `elsewhere`: its shard's slots are worked beside it, and it is left to
   * the next one.
   */
  | { readonly result: "gone" | "stale" | "quarantined" | "elsewhere" }
  /** Not decided: a fault of the hub or the table. Tried again at the next slot. */
  | { readonly result: "failed"; readonly message: string }
  /** The invocation's time was up first. */
  | { readonly result: "out-of-time" };

export interface DecidedFrom {
  readonly snapshot: Snapshot;
  readonly history: History;
}

/** A decision by an object's other spec, or why there is none. `configMap` names the spec. */
export type ShadowOutcome =
  | { readonly configMap: string; readonly decision: Decision; readonly decidedFrom: DecidedFrom }
  | { readonly configMap: string; readonly fault: string };

/** Whether the shard's heartbeat may stand for this evaluation (design 1, "Histories"). */
export function isEvaluated({ result }: Outcome): boolean {
  return result !== "failed" && result !== "out-of-time" && result !== "quarantined";
}
