/** What is remembered of one CronFederatedHPA; one item, replaced as a whole under its version. */
export interface CronState {
  /** 0 while nothing was ever stored. */
  readonly version: number;
  /** The object's uid; a re-created object starts anew. */
  readonly uid: string;
  /** Every instant up to here has been looked at; the hub's heartbeat carries it on. */
  readonly evaluatedUntilMs: number;
  /** By the rule's key. */
  readonly rules: Readonly<Record<string, RuleState>>;
  /** Runs that were due and are not yet recorded in the object's status. */
  readonly open: readonly OpenRun[];
}

export interface RuleState {
  /** Of what decides when and what the rule does: another hash is another rule (B76). */
  readonly hash: string;
  /** When this rule was first seen: what `@every` counts from. */
  readonly anchorMs: number;
  /** The rule cannot be started, and the object says so. */
  readonly isFaultTold?: true;
}

/** A run that was found due. It stays open until it is done, or given up, and told. */
export interface OpenRun {
  readonly rule: string;
  readonly hash: string;
  /** The rule's instant. */
  readonly instantMs: number;
  /** Earlier instants of the rule that passed without a run of their own. */
  readonly skipped: number;
  /** The last instant at which it may still be done. */
  readonly untilMs: number;
  /** Why the last try did not do it. */
  readonly fault?: string;
}

export function newCronState(uid: string): CronState {
  return { version: 0, uid, evaluatedUntilMs: 0, rules: {}, open: [] };
}
