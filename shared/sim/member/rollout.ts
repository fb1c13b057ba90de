/** How many replicas the sets of one Deployment get. */
export interface RolloutPlan {
  /** The set of the present template. */
  readonly current: number;
  /** The others, in the order given. */
  readonly old: readonly number[];
}

export interface RolloutState {
  readonly desired: number;
  readonly current: SetState;
  readonly old: readonly SetState[];
}

export interface SetState {
  /** `spec.replicas`. */
  readonly wanted: number;
  readonly active: number;
  readonly ready: number;
}

/** `spec.strategy`: Recreate, or a rolling update within a surge and an unavailability. */
export type Strategy =
  | { readonly type: "Recreate" }
  | { readonly type: "RollingUpdate"; readonly maxSurge: number; readonly maxUnavailable: number };

/**
 * The next step of a rollout: new pods up to `desired + maxSurge` in all, old ones away as far as `desired −
 * maxUnavailable` stay ready (Kubernetes, "Deployment strategy"). Without old pods the present set gets it all.
 *
 * @example desired 4, surge 1, unavailable 1, old 4 ready: new 1, old 3; once the new one is ready: new 2, old 2.
 */
export function planRollout({ desired, current, old }: RolloutState, strategy: Strategy): RolloutPlan {
  const none = old.map(() => 0);
  if (old.every((set) => set.wanted === 0 && set.active === 0)) return { current: desired, old: none };
  if (strategy.type === "Recreate") return { current: 0, old: none };
  const wanted = current.wanted + old.reduce((sum, set) => sum + set.wanted, 0);
  const room = Math.max(0, desired + strategy.maxSurge - wanted);
  const next = Math.min(desired, current.wanted + room);
  const ready = Math.min(current.ready, next) + old.reduce((sum, set) => sum + set.ready, 0);
  let spare = Math.max(0, ready - (desired - strategy.maxUnavailable));
  const kept = old.map((set) => {
    const unready = Math.max(0, set.wanted - set.ready);
    const dropped = Math.min(set.wanted - unready, spare);
    spare -= dropped;
    return set.wanted - unready - dropped;
  });
  return { current: next, old: kept };
}

/** The strategy of a spec for so many replicas; percents up for the surge, down for the unavailable, never both 0. */
export function strategyOf(spec: { readonly strategy?: unknown } | undefined, desired: number): Strategy {
  const strategy = (spec?.strategy ?? {}) as {
    readonly type?: string;
    readonly rollingUpdate?: {
      readonly maxSurge?: number | string;
      readonly maxUnavailable?: number | string;
    };
  };
  if (strategy.type === "Recreate") return { type: "Recreate" };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy.rollingUpdate ?? {};
  const surge = Math.ceil(share(maxSurge, desired));
  const unavailable = Math.floor(share(maxUnavailable, desired));
  return {
    type: "RollingUpdate",
    maxSurge: surge,
    maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable,
  };
}

function share(amount: number | string, of: number): number {
  if (typeof amount === "number") return amount;
  return (Number.parseInt(amount, 10) * of) / 100;
}
