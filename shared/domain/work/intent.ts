import type { FieldWrite } from "#domain/fleet/snapshot";

/**
 * A scale write is announced before it is made, so that a crash between the write and its record can be told apart
 * afterwards (design 1, "A scale is a small state machine").
 */
export interface Intent {
  readonly id: string;
  readonly target: TargetRef;
  /** The main object as decided on; the resourceVersion is the precondition of the PUT. */
  readonly generation: number;
  readonly resourceVersion: string;
  readonly from: number;
  readonly to: number;
  /** Who else had set the replicas when this was decided. */
  readonly foreignWrite?: FieldWrite;
  /** When they had been set under our name, where nobody else had. */
  readonly ownWriteAtMs?: number;
  readonly reason: string;
  /** The decision in one line and what each cluster ran, so that a scale whose run died is told with its cause. */
  readonly cause?: {
    readonly summary: string;
    readonly clusters: Readonly<Record<string, number | null>>;
  };
  /** The decision's logical instant. */
  readonly atMs: number;
  /** Wall clock when the intent was (last) stored. */
  readonly storedAtMs: number;
}

export interface TargetRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Its resource on the hub, under which it is found again whatever the spec names by then. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
}

/** The main object as it is now. */
export interface ObservedTarget {
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly replicas: number;
  /** Who set `spec.replicas` last, where managedFields say so. */
  readonly replicasWrite?: FieldWrite;
}

/** The target as our last scale on record was decided on; that scale moved its generation on. */
export interface ScaledTarget {
  readonly uid: string;
  readonly generation: number;
}

/**
 * Whether a target was read before our last scale on record. A decision on it would announce that scale a second time, and
 * what is seen later, our value under our name, would be taken for a second one.
 */
export function isFromBefore(
  { uid, generation }: Pick<ObservedTarget, "uid" | "generation">,
  scaled: ScaledTarget | undefined,
): boolean {
  return scaled?.uid === uid && generation <= scaled.generation;
}

export type IntentOutcome =
  | "applied"
  | "not-applied"
  | "target-gone"
  /** The PUT may still land: send the same again if it is still wanted, else hold. */
  | "pending"
  /** It may have landed and been overwritten: recorded, counted in policy budgets, never repeated. */
  | "unconfirmed";

/** After this long no PUT of an earlier invocation can still be on its way (time-out 10 s, visibility 60 s). */
export const IN_FLIGHT_MS = 75_000;

/**
 * What became of an open intent, from the main object read afterwards (`undefined`: it does not exist).
 *
 * A PUT wins only on the exact resourceVersion it names, and winning moves the generation by one. So an unmoved generation
 * under another resourceVersion proves that it can no longer win; a moved one with our value under our name, that it did.
 * Another value proves that it did not only where no more than that one write was made, or nobody has written the
 * replicas since: else it may have won and been overwritten. Our name is also that of a second FederatedHPA on the target:
 * what it wrote later than this PUT could have landed is another value, and so is the old one that it wrote back.
 */
export function resolveIntent(
  intent: Intent,
  target: ObservedTarget | undefined,
  manager: string,
  nowMs: number,
): IntentOutcome {
  if (target === undefined || target.uid !== intent.target.uid) return "target-gone";
  if (target.generation === intent.generation) {
    if (target.resourceVersion !== intent.resourceVersion) return "not-applied";
    return nowMs - intent.storedAtMs < IN_FLIGHT_MS ? "pending" : "not-applied";
  }
  const { replicasWrite: write, replicas } = target;
  const isLate = write?.manager === manager && write.atMs - intent.storedAtMs >= IN_FLIGHT_MS;
  if (replicas === intent.to && !isLate) return write?.manager === manager ? "applied" : "unconfirmed";
  if (target.generation === intent.generation + 1) return "not-applied";
  const { foreignWrite, ownWriteAtMs } = intent;
  const former = ownWriteAtMs === undefined ? foreignWrite : { manager, atMs: ownWriteAtMs };
  return replicas === intent.from && isSame(write, former) ? "not-applied" : "unconfirmed";
}

function isSame(a: FieldWrite | undefined, b: FieldWrite | undefined): boolean {
  return a?.manager === b?.manager && a?.atMs === b?.atMs;
}
