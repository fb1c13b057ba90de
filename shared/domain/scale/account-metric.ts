import { amountText, milliAmountText, ratioText } from "#domain/scale/amount-text";
import type { MetricTrace, RulesTrace } from "#domain/scale/decision";
import type { UncountedPods } from "#domain/scale/uncounted-pods";
import { countText } from "#domain/units/count-text";
import { clampReplicas } from "#domain/units/replicas";

/** What every metric of one decision was computed against. */
export interface AccountGround {
  readonly rules?: RulesTrace;
  readonly calibration?: number;
}

/** One metric in words and figures: what it said, who was not counted, and how its proposal follows. */
export function accountMetric(
  trace: MetricTrace,
  ground: AccountGround,
  uncounted: UncountedPods | undefined,
): readonly string[] {
  const { type, name, fault, skipped, proposal, suspect } = trace;
  const label = `${name} (${type})`;
  if (fault !== undefined) return [`${label}: unknown: ${fault.message}`];
  if (proposal === undefined) return [`${label}: no say${skipped === undefined ? "" : `: ${skipped}`}`];
  return [
    `${label}: ${measured(trace)}: ${judged(trace, ground.rules)}`,
    ...podsLine(trace, uncounted),
    ...equation(trace, ground),
    ...(suspect === undefined
      ? []
      : [
          `  the sample of ${suspect.cluster}/${suspect.pod}, ${milliAmountText(name, suspect.milliValue)}, is more than 100 times the pod's request`,
        ]),
  ];
}

function measured({ name, current, target }: MetricTrace): string {
  const perPod =
    current?.averageUtilization !== undefined && current.averageValue !== undefined
      ? ` (${milliAmountText(name, current.averageValue)} per pod)`
      : "";
  return `${amountText(name, current)} of ${amountText(name, target)}${perPod}`;
}

function judged(trace: MetricTrace, rules: RulesTrace | undefined): string {
  const { usageRatio, withinTolerance, proposal } = trace;
  if (usageRatio === undefined) return `proposes ${proposal}`;
  const ratio = ratioOf(trace, usageRatio);
  if (rules === undefined) return `${ratio}, proposes ${proposal}`;
  const { down, up } = rules.tolerance;
  const range = `the tolerance ${ratioText(1 - down)} to ${ratioText(1 + up)}`;
  const place = withinTolerance ? "within" : usageRatio > 1 ? "above" : "below";
  return `${ratio} is ${place} ${range}, proposes ${proposal}`;
}

/** Also as it was measured, where pods that were filled in changed it. */
function ratioOf(trace: MetricTrace, usageRatio: number): string {
  const before = measuredRatio(trace.current, trace.target);
  if (trace.pods === undefined || before === undefined || before === usageRatio)
    return `ratio ${ratioText(usageRatio)}`;
  return `ratio ${ratioText(before)}, with the pods filled in ${ratioText(usageRatio)},`;
}

const NAMED = 3;

function podsLine(trace: MetricTrace, uncounted: UncountedPods | undefined): string[] {
  const { pods } = trace;
  if (pods === undefined) return [];
  const fill = fillOf(trace);
  const parts = [`${pods.ready} measured`];
  if (pods.unready > 0) {
    parts.push(
      `${pods.unready} unready${named(uncounted?.unready)}, ${fill.unready ? "taken as idle" : "left out"}`,
    );
  }
  if (pods.missing > 0) {
    const taken = fill.missing === undefined ? "left out" : `taken as ${fill.missing}`;
    parts.push(`${pods.missing} without a sample${named(uncounted?.missing)}, ${taken}`);
  }
  if (pods.ignored > 0) parts.push(`${pods.ignored} being deleted${named(uncounted?.ignored)}, left out`);
  return [`  pods: ${parts.join("; ")}`];
}

function named(pods: readonly string[] | undefined): string {
  if (pods === undefined || pods.length === 0) return "";
  const more = pods.length > NAMED ? ` and ${pods.length - NAMED} more` : "";
  return ` (${pods.slice(0, NAMED).join(", ")}${more})`;
}

interface Fill {
  readonly missing?: "idle" | "fully used";
  readonly unready: boolean;
}

/** How pods without a usable sample were filled in (semantics 4.4): by the ratio of the measured ones alone. */
function fillOf({ current, target, pods }: MetricTrace): Fill {
  const ratio = measuredRatio(current, target);
  if (pods === undefined || ratio === undefined || ratio === 1) return { unready: false };
  if (ratio < 1) return { ...(pods.missing > 0 ? { missing: "fully used" } : {}), unready: false };
  return { ...(pods.missing > 0 ? { missing: "idle" } : {}), unready: pods.unready > 0 };
}

function measuredRatio(current: MetricTrace["current"], target: MetricTrace["target"]): number | undefined {
  if (target?.averageValue !== undefined && current?.averageValue !== undefined) {
    return Number(current.averageValue) / Number(target.averageValue);
  }
  if (target?.averageUtilization === undefined || current?.averageUtilization === undefined) return undefined;
  return current.averageUtilization / target.averageUtilization;
}

/** The equation behind a proposal that follows from pods; what held the count where it is not the equation's. */
function equation(trace: MetricTrace, { calibration }: AccountGround): string[] {
  const { pods, usageRatio, withinTolerance, proposal } = trace;
  if (pods === undefined || usageRatio === undefined || calibration === undefined || withinTolerance)
    return [];
  const fill = fillOf(trace);
  const counted = pods.ready + (fill.missing ? pods.missing : 0) + (fill.unready ? pods.unready : 0);
  const count = clampReplicas(Math.ceil((usageRatio * counted) / calibration));
  const text = `ceil(${ratioText(usageRatio)} × ${countText(counted, "pod")} ÷ calibration ${ratioText(calibration)})`;
  if (count === proposal) return [`  ${text} = ${count}`];
  const before = measuredRatio(trace.current, trace.target) ?? usageRatio;
  const changesSides = before > 1 !== usageRatio > 1;
  const why = changesSides ? "the pods filled in put it on the other side of its target" : sideOf(usageRatio);
  return [`  ${text} = ${count}, but ${proposal}: ${why}`];
}

function sideOf(usageRatio: number): string {
  return usageRatio > 1
    ? "a metric above its target never proposes fewer than there are"
    : "a metric below its target never proposes more than there are";
}
