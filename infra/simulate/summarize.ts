import { toThousandth } from "./amounts.ts";
import type { ClusterSeries, Series, SimulatedCronRun, SimulatedObject, SimulatedScale } from "./result.ts";
import type { Summary } from "./summary.ts";

/** What the figures of one object are taken from. */
export interface Observed {
  readonly replicas: Series;
  readonly maxReplicas: Series;
  readonly desired: Series;
  /** Whether a metric was above its target by more than the tolerance. */
  readonly isAbove: readonly boolean[];
  readonly byCluster: readonly ClusterSeries[];
  readonly scales: readonly SimulatedScale[];
  readonly slotSeconds: number;
}

/** A scale against the one before counts as a flap within so many seconds: the default window of scaling down. */
const FLAP_SECONDS = 300;
const HOUR_SECONDS = 3600;

/** The figures of one object; each is defined in docs/simulate.md. */
export function summarize(observed: Observed): Summary {
  const { replicas, maxReplicas, desired, isAbove, byCluster, scales, slotSeconds } = observed;
  const present = replicas.filter((value) => value !== null);
  const clusters = byCluster.map(({ cluster, wanted }) => ({
    cluster,
    replicaHours: hours(sum(wanted), slotSeconds),
    maxReplicas: largest(wanted),
  }));
  return {
    timeAboveTargetSeconds: slotSeconds * isAbove.filter(Boolean).length,
    timeAtMaxSeconds: slotSeconds * replicas.filter((value, i) => isAtMax(value, maxReplicas[i])).length,
    replicaHours: hours(sum(byCluster.map(({ wanted }) => sum(wanted))), slotSeconds),
    scaleEvents: scales.length,
    scaleUps: scales.filter(({ from, to }) => to > from).length,
    scaleDowns: scales.filter(({ from, to }) => to < from).length,
    flaps: scales.filter((scale, i) => isFlap(scale, scales[i - 1])).length,
    ...settling(observed),
    minReplicas: present.length === 0 ? 0 : present.reduce((a, b) => Math.min(a, b)),
    maxReplicas: largest(present),
    failedEvaluations: desired.filter((value) => value === null).length,
    cronRuns: 0,
    cronRunsFailed: 0,
    byCluster: clusters,
  };
}

/** The figures over all objects, with the runs of the cron rules. */
export function summarizeAll(
  objects: readonly SimulatedObject[],
  cronRuns: readonly SimulatedCronRun[],
  clusters: readonly string[],
  slotSeconds: number,
): Summary {
  const summaries = objects.map(({ summary }) => summary);
  const total = (figure: (summary: Summary) => number) => sum(summaries.map(figure));
  const replicas = added(objects.map((object) => object.replicas));
  const wantedIn = (cluster: string) =>
    added(objects.map(({ byCluster }) => byCluster.find((one) => one.cluster === cluster)?.wanted ?? []));
  return {
    timeAboveTargetSeconds: total((one) => one.timeAboveTargetSeconds),
    timeAtMaxSeconds: total((one) => one.timeAtMaxSeconds),
    replicaHours: hours(sum(clusters.map((cluster) => sum(wantedIn(cluster)))), slotSeconds),
    scaleEvents: total((one) => one.scaleEvents),
    scaleUps: total((one) => one.scaleUps),
    scaleDowns: total((one) => one.scaleDowns),
    flaps: total((one) => one.flaps),
    settleSeconds: largest(summaries.map((one) => one.settleSeconds)),
    unsettled: summaries.some((one) => one.unsettled),
    minReplicas: replicas.length === 0 ? 0 : replicas.reduce((a, b) => Math.min(a, b)),
    maxReplicas: largest(replicas),
    failedEvaluations: total((one) => one.failedEvaluations),
    cronRuns: cronRuns.length,
    cronRunsFailed: cronRuns.filter(({ outcome }) => outcome === "failed" || outcome === "missed").length,
    byCluster: clusters.map((cluster) => {
      const wanted = wantedIn(cluster);
      return { cluster, replicaHours: hours(sum(wanted), slotSeconds), maxReplicas: largest(wanted) };
    }),
  };
}

function isAtMax(replicas: number | null, max: number | null | undefined): boolean {
  return replicas !== null && max !== null && max !== undefined && replicas >= max;
}

function isFlap(scale: SimulatedScale, before: SimulatedScale | undefined): boolean {
  if (before === undefined || scale.atMs - before.atMs > FLAP_SECONDS * 1000) return false;
  return Math.sign(scale.to - scale.from) === -Math.sign(before.to - before.from);
}

/**
 * A rise begins at the slot at which a metric is above its target, and is over at the first slot at which none is and
 * every replica that the scheduler gave is ready. The longest; one that is not over counts up to the end.
 */
function settling({
  isAbove,
  desired,
  byCluster,
  slotSeconds,
}: Observed): Pick<Summary, "settleSeconds" | "unsettled"> {
  let since: number | undefined;
  let longest = 0;
  for (const [slot, above] of isAbove.entries()) {
    if (since === undefined && above) since = slot;
    if (since === undefined) continue;
    const isReady = byCluster.every(({ wanted, ready }) => (ready[slot] ?? 0) >= (wanted[slot] ?? 0));
    const isMet = !above && desired[slot] !== null && isReady;
    longest = Math.max(longest, slot - since);
    if (isMet) since = undefined;
  }
  if (since !== undefined) longest = Math.max(longest, isAbove.length - since);
  return { settleSeconds: longest * slotSeconds, unsettled: since !== undefined };
}

function added(series: readonly Series[]): readonly number[] {
  const length = Math.max(0, ...series.map((values) => values.length));
  return Array.from({ length }, (_, slot) => sum(series.map((values) => values[slot] ?? 0)));
}

function sum(values: Series): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function largest(values: Series): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function hours(replicaSlots: number, slotSeconds: number): number {
  return toThousandth((replicaSlots * slotSeconds) / HOUR_SECONDS);
}
