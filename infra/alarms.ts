/** What somebody is woken for, as data: `infra/cloud` renders it, docs/operations.md says the same of each. */
import type { MeasureName } from "#ports/telemetry";

export interface AlarmSpec {
  /** Part of the alarm's name, and the anchor of its text in docs/operations.md. */
  readonly name: string;
  /** By the names that `expression` calls them; one alone needs no expression. */
  readonly metrics: Readonly<Record<string, AlarmMetric>>;
  readonly expression?: string;
  /** Alarming above this value … */
  readonly above: number;
  /** … in each of so many periods in a row. */
  readonly periods: number;
  readonly periodMinutes: number;
  /** What no data means. */
  readonly missing: "alarm" | "fine";
  /** What is the case, as one sentence. */
  readonly means: string;
  readonly doThis: string;
}

export interface AlarmMetric {
  readonly measure: MeasureName;
  readonly statistic: "Sum" | "Maximum" | "p99";
}

/** For each hub. */
export const HUB_ALARMS: readonly AlarmSpec[] = [
  {
    name: "nothing-reconciled",
    metrics: {
      found: { measure: "ObjectsFound", statistic: "Maximum" },
      evaluated: { measure: "ObjectsEvaluated", statistic: "Sum" },
    },
    expression: "IF(found > 0 AND evaluated < 1, 1, 0)",
    above: 0,
    periods: 2,
    periodMinutes: 1,
    missing: "alarm",
    means: "No FederatedHPA was evaluated for two minutes.",
    doThis:
      "Look at the logs of tick, sweep and reconcile, in this order: the first that has errors or no lines is the cause. Most often the hub's kubeconfig is no longer taken.",
  },
  {
    name: "objects-failed",
    metrics: { failed: { measure: "ObjectsFailed", statistic: "Sum" } },
    above: 0,
    periods: 5,
    periodMinutes: 1,
    missing: "fine",
    means: "Evaluations have failed in each of five minutes.",
    doThis:
      "Look in the log of reconcile for lines with result failed or out-of-time; they name the object and what came back.",
  },
  {
    name: "decisions-late",
    metrics: { latency: { measure: "DecisionLatency", statistic: "p99" } },
    above: 30_000,
    periods: 5,
    periodMinutes: 1,
    missing: "fine",
    means: "One decision in a hundred ends more than 30 seconds after it was due.",
    doThis:
      "Look at the dashboard's latency and queue ages: a slow hub or member shows in the reconcile log as ms; too many objects show as an age that grows. Raise syncPeriodSeconds, or the concurrency of reconcile.",
  },
  {
    name: "messages-parked",
    metrics: { parked: { measure: "MessagesParked", statistic: "Sum" } },
    above: 0,
    periods: 1,
    periodMinutes: 1,
    missing: "fine",
    means: "A message was given up and is kept for you.",
    doThis: "Run mainsheet parked list; mend the cause that it names, then mainsheet parked redrive.",
  },
  {
    name: "cluster-unreadable",
    metrics: { unreadable: { measure: "UnreadableClusters", statistic: "Maximum" } },
    above: 0,
    periods: 5,
    periodMinutes: 1,
    missing: "fine",
    means: "A bound cluster could not be read for five minutes. Scale-out goes on, scale-in is held.",
    doThis:
      "Run kubectl get clusters on the hub; the FederatedHPAs' conditions and the log of reconcile name the cluster and the reason. A 403 wants the rights that mainsheet rbac prints for members.",
  },
  {
    name: "replicas-off",
    metrics: {
      wanted: { measure: "ReplicasWanted", statistic: "Sum" },
      off: { measure: "ReplicasOff", statistic: "Sum" },
    },
    expression: "IF(wanted > 0, 100 * off / wanted, 0)",
    above: 20,
    periods: 5,
    periodMinutes: 1,
    missing: "fine",
    means: "Members have differed from their templates by more than 20 % of all replicas for five minutes.",
    doThis:
      "Run kubectl get resourcebindings -A on the hub: look for those that are not scheduled or not fully applied, and for autoscalers in members that work against the hub.",
  },
  {
    name: "evictions",
    metrics: { evictions: { measure: "Evictions", statistic: "Sum" } },
    above: 3,
    periods: 1,
    periodMinutes: 60,
    missing: "fine",
    means: "Karmada has moved workloads away from clusters more than three times within an hour.",
    doThis:
      "Run kubectl get clusters on the hub and look at the taints: a cluster that comes and goes makes every autoscaler restless. Cordon it until it is mended.",
  },
  {
    name: "cron-runs-failed",
    metrics: { failed: { measure: "CronRunsFailed", statistic: "Sum" } },
    above: 0,
    periods: 1,
    periodMinutes: 1,
    missing: "fine",
    means: "A rule of a CronFederatedHPA came due and was not done, or was found too late.",
    doThis:
      "Look at status.executionHistories of the CronFederatedHPAs; set the replicas by hand if they are still wanted, since a failed run is not tried again.",
  },
  {
    name: "events-refused",
    metrics: { refused: { measure: "EventsRefused", statistic: "Sum" } },
    above: 0,
    periods: 1,
    periodMinutes: 1,
    missing: "fine",
    means: "The bus did not take an event, and not when it was sent again, either.",
    doThis:
      'Search the logs of reconcile, cron and relay for "event not published" or "relay hindered"; they have the fault. If the bus or the right to put events is gone, deploy again; if it throttles, ask for a higher quota of PutEvents. The relay sends its events again; tell those who wait for others.',
  },
];

/** Lambda's own metric of this name, added up over functions. */
export interface FunctionAlarmSpec extends Pick<AlarmSpec, "name" | "means" | "doThis"> {
  readonly metric: "Errors" | "Throttles";
  /** Absent: all of the topology. */
  readonly functions?: readonly string[];
}

export const FUNCTION_ALARMS: readonly FunctionAlarmSpec[] = [
  {
    name: "function-errors",
    metric: "Errors",
    means: "An invocation failed or was killed.",
    doThis:
      'Search the functions\' logs for "invocation failed" or "Task timed out"; what it worked on comes back by itself, and is parked after a few tries.',
  },
  {
    name: "function-throttles",
    metric: "Throttles",
    // Called in every slot: what throttles others throttles these, and each metric that is watched is paid.
    functions: ["sweep", "reconcile"],
    means: "Lambda refused an invocation, since the account's concurrency is used up.",
    doThis:
      "Ask for a higher quota of concurrent executions in Service Quotas, or limit what else runs in the account.",
  },
];
