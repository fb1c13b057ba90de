/** Every recommendation ever made, and the scale events in their slots. */
export interface Remembered {
  readonly samples: Stamped[];
  readonly up: Stamped[];
  readonly down: Stamped[];
}
interface Stamped {
  readonly replicas: number;
  readonly atMs: number;
}

interface Rules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies: readonly {
    readonly type: string;
    readonly value: number;
    readonly periodSeconds: number;
  }[];
}

/** Windows and limits as Karmada has them (semantics 4.12), over the plain list of samples. Puts `want` on record. */
export function normalizeAsKarmada(
  spec: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly downSeconds: number;
    readonly behavior?: { readonly scaleUp: Rules; readonly scaleDown: Rules };
  },
  { samples, up, down }: Remembered,
  current: number,
  want: number,
  nowMs: number,
): { readonly replicas: number; readonly able: string; readonly limited?: string } {
  const seen = [...samples];
  samples.push({ replicas: want, atMs: nowMs });
  const { minReplicas, maxReplicas, downSeconds, behavior } = spec;
  if (behavior === undefined) {
    const recent = seen
      .filter(({ atMs }) => nowMs - atMs <= downSeconds * 1000)
      .map(({ replicas }) => replicas);
    const stable = Math.max(want, ...recent);
    const able = stable === want ? "ReadyForNewScale" : "ScaleDownStabilized";
    const limit = Math.max(2 * current, 4);
    if (stable < minReplicas) return { replicas: minReplicas, able, limited: "TooFewReplicas" };
    if (stable <= Math.min(limit, maxReplicas)) return { replicas: stable, able };
    return maxReplicas > limit
      ? { replicas: limit, able, limited: "ScaleUpLimit" }
      : { replicas: maxReplicas, able, limited: "TooManyReplicas" };
  }

  const { scaleUp, scaleDown } = behavior;
  const within = (seconds: number) =>
    seen.filter(({ atMs }) => nowMs - atMs < seconds * 1000).map(({ replicas }) => replicas);
  const lowest = Math.min(want, ...within(scaleUp.stabilizationWindowSeconds ?? 0));
  const highest = Math.max(want, ...within(scaleDown.stabilizationWindowSeconds ?? downSeconds));
  const stable = Math.min(Math.max(current, lowest), highest);
  const moved = want >= current ? "ScaleUpStabilized" : "ScaleDownStabilized";
  const able = stable === want ? "ReadyForNewScale" : moved;

  const startOf = (periodSeconds: number) => {
    const changed = (events: readonly Stamped[]) =>
      events
        .filter(({ atMs }) => nowMs - atMs < periodSeconds * 1000)
        .reduce((total, { replicas }) => total + replicas, 0);
    return current - changed(up) + changed(down);
  };
  if (stable > current) {
    const grown = scaleUp.policies.map(({ type, value, periodSeconds }) => {
      const start = startOf(periodSeconds);
      return type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100));
    });
    const chosen = scaleUp.selectPolicy === "Min" ? Math.min(...grown) : Math.max(...grown);
    const limit = scaleUp.selectPolicy === "Disabled" ? current : Math.max(current, chosen);
    if (stable <= Math.min(limit, maxReplicas)) return { replicas: stable, able };
    return maxReplicas > limit
      ? { replicas: limit, able, limited: "ScaleUpLimit" }
      : { replicas: maxReplicas, able, limited: "TooManyReplicas" };
  }
  if (stable < current) {
    const shrunk = scaleDown.policies.map(({ type, value, periodSeconds }) => {
      const start = startOf(periodSeconds);
      return type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100));
    });
    const chosen = scaleDown.selectPolicy === "Min" ? Math.max(...shrunk) : Math.min(...shrunk);
    const limit = scaleDown.selectPolicy === "Disabled" ? current : Math.min(current, chosen);
    if (stable >= Math.max(limit, minReplicas)) return { replicas: stable, able };
    return minReplicas < limit
      ? { replicas: limit, able, limited: "ScaleDownLimit" }
      : { replicas: minReplicas, able, limited: "TooFewReplicas" };
  }
  return { replicas: stable, able };
}
