import type { Decision, MetricTrace } from "#domain/scale/decision";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import type { DecisionRecord } from "#wire/decision-record";
import type { Point } from "./load-choice.ts";
import type { ReadLoad } from "./load-csv.ts";

const SLOT_SECONDS = 15;

/**
 * The demand that the ledger's decisions saw: what the measured pods used together, as each decision had it, until the
 * next. Pods that were saturated used their limit, so a demand beyond it is not in here.
 */
export function readLoadHistory(label: string, records: readonly DecisionRecord[]): ReadLoad {
  const decided = records
    .filter(({ shadow }) => shadow === undefined)
    .flatMap(({ decision }) =>
      decision === undefined || decision.trace.metrics.length === 0 ? [] : [decision],
    )
    .sort((a, b) => a.instantMs - b.instantMs);
  const [first] = decided;
  const last = decided.at(-1);
  if (first === undefined || last === undefined) {
    return {
      ok: false,
      fault: `${label} holds no decision that read a metric; record more with LEDGER_DECISIONS=all`,
    };
  }
  const startMs = first.instantMs;
  const names = new Set(decided.map(nameOf));
  return {
    ok: true,
    value: {
      kind: "recorded",
      label,
      startMs,
      spanSeconds: (last.instantMs - startMs) / 1000 + SLOT_SECONDS,
      of(object, metric) {
        const own = `${object.namespace}/${object.name}`;
        // A record of one object may be tried out on an object of another name.
        const wanted = names.has(own) || names.size > 1 ? own : nameOf(first);
        const points = pointsOf(
          decided.filter((one) => nameOf(one) === wanted),
          metric,
          startMs,
        );
        return points.length === 0 ? undefined : points;
      },
    },
  };
}

function nameOf({ namespace, name }: Decision | FederatedHpa): string {
  return `${namespace}/${name}`;
}

function pointsOf(decisions: readonly Decision[], metric: MetricSpec, startMs: number): readonly Point[] {
  const points: Point[] = [];
  for (const { instantMs, trace } of decisions) {
    const seen = trace.metrics.find(({ type, name }) => type === metric.type && name === metric.name);
    const milli = seen && demandOf(seen, trace.clusters);
    const seconds = (instantMs - startMs) / 1000;
    if (milli !== undefined && seconds > (points.at(-1)?.seconds ?? -1)) points.push({ seconds, milli });
  }
  return points;
}

/** All of it: the average times the pods that it is of; a total as it is. */
function demandOf(
  { type, current, pods }: MetricTrace,
  clusters: Decision["trace"]["clusters"],
): number | undefined {
  if (current?.averageValue === undefined) {
    return current?.value === undefined ? undefined : Number(current.value);
  }
  const replicas = clusters.reduce((sum, { statusReplicas = 0 }) => sum + statusReplicas, 0);
  const count = type === "Object" || type === "External" ? replicas : (pods?.ready ?? 0);
  return Number(current.averageValue) * count;
}
