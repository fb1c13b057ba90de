import type { MetricReading, Snapshot } from "#domain/fleet/snapshot";
import { accountMetric } from "#domain/scale/account-metric";
import { ratioText } from "#domain/scale/amount-text";
import type { ClusterTrace, Decision, LimitTrace, RulesTrace, Trace } from "#domain/scale/decision";
import type { Policy } from "#domain/scale/policy";
import { uncountedPods } from "#domain/scale/uncounted-pods";
import { countText } from "#domain/units/count-text";
import { formatInstant } from "#domain/units/instant";

/** One part of an account: a word for the margin, and its lines. */
export interface AccountSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a decision was made from; with it the account also names the target and the pods that did not count. */
export interface Seen {
  readonly snapshot: Snapshot;
  readonly policy: Policy;
}

/** What an account stands under: `FederatedHPA shop/web, generation 7, at 2026-03-01T12:00:00Z`. */
export function accountHeading({ namespace, name, generation, instantMs }: Decision): string {
  return `FederatedHPA ${namespace}/${name}, generation ${generation}, at ${formatInstant(instantMs)}`;
}

/**
 * A decision in words and figures, in the order it was made: for `explain`, and wherever people ask why. Sections that
 * have nothing to say are left out. The one-line form is `summary`, and names the same figures.
 */
export function account(decision: Decision, seen?: Seen): readonly AccountSection[] {
  const { trace, events, status } = decision;
  const sections: AccountSection[] = [
    { title: "outcome", lines: outcome(decision) },
    { title: "target", lines: seen === undefined ? [] : target(seen.snapshot) },
    { title: "clusters", lines: clusters(trace, decision.currentReplicas) },
    {
      title: "metrics",
      lines: trace.metrics.flatMap((metric, index) => [
        ...accountMetric(metric, trace, seen && uncountedPods(seen.snapshot, index, seen.policy)),
        ...lowerBound(seen?.snapshot.metrics[index]),
      ]),
    },
    { title: "limits", lines: limits(decision) },
    {
      title: "conditions",
      lines: status.conditions.map(
        ({ type, status: state, reason, message }) => `${type}=${state} ${reason}: ${message}`,
      ),
    },
    {
      title: "events",
      lines: events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
    },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** A sum that lacks clusters' parts (B46). */
function lowerBound(reading: MetricReading | undefined): string[] {
  if (reading?.kind !== "value" || reading.missingClusters === undefined) return [];
  const parts = reading.missingClusters.join(", ");
  return [`  without the part of ${parts}: enough to scale out by, never to scale in`];
}

function outcome({ scale, currentReplicas, held, failure }: Decision): string[] {
  const why = failure ?? held;
  const because = why === undefined ? "" : `${why.reason}: ${why.message}`;
  if (scale !== undefined) {
    const line = `scale ${scale.from} → ${scale.to}: ${scale.reason}`;
    return because === "" ? [line] : [line, because];
  }
  if (currentReplicas === undefined) return [`nothing is decided: ${because}`];
  return [`stays at ${currentReplicas}${because === "" ? "" : `: ${because}`}`];
}

function target({ object, target: read, ambiguousWith }: Snapshot): string[] {
  const { scaleTargetRef: ref, minReplicas, maxReplicas } = object.spec;
  const name = `${ref.kind} ${ref.name}`;
  const bounds = `from ${minReplicas} to ${maxReplicas}`;
  return [
    read.ok
      ? `${name}: ${countText(read.value.replicas, "replica")} in the template, ${bounds} allowed`
      : `${name}: ${read.fault.message}`,
    ...(ambiguousWith.length === 0 ? [] : [`also scaled by ${ambiguousWith.join(", ")}`]),
  ];
}

function clusters(trace: Trace, template: number | undefined): string[] {
  const { calibration, placement, foreignPods } = trace;
  const lines = trace.clusters.map(clusterLine);
  if (calibration !== undefined) lines.push(calibrationLine(trace, calibration, template));
  if (placement?.caughtUp === false) {
    lines.push(`the members lag behind the template (${placement.reason}): they run ${placement.placed}`);
  }
  if (foreignPods !== undefined) {
    const found = countText(foreignPods.count, "pod");
    lines.push(
      `${found} that another workload owns match the selector too: ${foreignPods.examples.join(", ")}`,
    );
  }
  return lines;
}

function clusterLine({ cluster, specReplicas, statusReplicas, pods, gap }: ClusterTrace): string {
  if (gap !== undefined) return `${cluster}: left out (${gap.code}): ${gap.message}`;
  const runs = `${cluster}: ${statusReplicas ?? "?"} of ${countText(specReplicas ?? 0, "replica")}`;
  if (pods === undefined) return runs;
  const groups = [
    `${pods.ready} measured`,
    ...(pods.unready > 0 ? [`${pods.unready} unready`] : []),
    ...(pods.missing > 0 ? [`${pods.missing} without a sample`] : []),
    ...(pods.ignored > 0 ? [`${pods.ignored} being deleted`] : []),
  ];
  return `${runs}, ${countText(pods.total, "pod")}: ${groups.join(", ")}`;
}

function calibrationLine(trace: Trace, calibration: number, template: number | undefined): string {
  const seen = trace.clusters.reduce(
    (sum, { gap, specReplicas }) => sum + (gap === undefined ? (specReplicas ?? 0) : 0),
    0,
  );
  const text = `calibration ${ratioText(calibration)}`;
  if (template === undefined || template === 0 || seen / template !== calibration) return text;
  return `${text}: the clusters that were read run ${seen} of the template's ${template}`;
}

function limits({ trace, scale, held }: Decision): string[] {
  const { gate, limits: steps, rules, placement } = trace;
  if (gate === "disabled") return ["the template is at 0, which means off: no metric is asked"];
  if (gate !== undefined) return [`${scale?.reason ?? gate}: no metric is asked`];
  if (steps === undefined) return [];
  const { proposed, recorded = proposed } = steps;
  const named = trace.metrics.find(({ proposal }) => proposal === proposed)?.name;
  return [
    `proposed: ${proposed}${trace.metrics.length > 1 ? `, the largest, by ${named}` : ""}`,
    ...(recorded === proposed ? [] : [`on record: ${recorded} (${held?.reason ?? placement?.reason})`]),
    windowLine(steps, recorded, rules),
    limitLine(steps, rules),
  ];
}

function windowLine(
  { stabilized, able }: LimitTrace,
  recorded: number,
  rules: RulesTrace | undefined,
): string {
  const spans =
    rules === undefined
      ? ""
      : ` (up ${rules.scaleUpWindowSeconds} s, down ${rules.scaleDownWindowSeconds} s)`;
  if (stabilized === recorded) return `windows${spans}: agree`;
  const kept = able === "ScaleUpStabilized" ? "lowest" : "highest";
  return `windows${spans}: stabilized at ${stabilized}, the ${kept} that was recommended (${able})`;
}

function limitLine(
  { stabilized, final, limited, scaleUpLimit, scaleDownLimit }: LimitTrace,
  rules: RulesTrace | undefined,
): string {
  const bounds = rules === undefined ? "" : ` of ${rules.minReplicas} to ${rules.maxReplicas}`;
  const rate = [
    ...(scaleUpLimit === undefined ? [] : [`at most ${scaleUpLimit} at this instant`]),
    ...(scaleDownLimit === undefined ? [] : [`at least ${scaleDownLimit} at this instant`]),
  ].join(", ");
  const allowed = `limits${bounds}${rate === "" ? "" : `, ${rate}`}`;
  return final === stabilized ? `${allowed}: kept` : `${allowed}: limited to ${final} (${limited})`;
}
