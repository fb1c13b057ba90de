/**
 * What Mainsheet counts and measures of its own work, by name, with its unit. Sums over a minute unless said otherwise;
 * the dashboard and the alarms read these names and no others.
 */
export const MEASURES = {
  /** FederatedHPAs that the sweep of a slot found. */
  ObjectsFound: "Count",
  /** FederatedHPAs that were evaluated. A sweep adds 0, so that no evaluation is told from no metric. */
  ObjectsEvaluated: "Count",
  /** FederatedHPAs that could not be, or not to the end. */
  ObjectsFailed: "Count",
  /** Metrics of FederatedHPAs that an evaluation could not compute: unreadable, empty, invalid. Never counted as read. */
  MetricsFailed: "Count",
  ScaleOuts: "Count",
  ScaleIns: "Count",
  /** From the instant that an evaluation was due to its end, the writes included. */
  DecisionLatency: "Milliseconds",
  /** From a slot's instant to when all of its shards were sent. */
  SweepLatency: "Milliseconds",
  /** Bound clusters that an invocation could not read; its maximum tells, since every invocation sees the same ones. */
  UnreadableClusters: "Count",
  /** Clusters that Karmada has begun to move replicas away from. */
  Evictions: "Count",
  /** The replicas of the templates of those objects whose placement was looked at. */
  ReplicasWanted: "Count",
  /** By how many replicas members differ from that, either way. */
  ReplicasOff: "Count",
  /** Runs of cron rules that came due, and those that failed or were found too late. */
  CronRuns: "Count",
  CronRunsFailed: "Count",
  MessagesParked: "Count",
  /** Events that the bus did not take, and not when they were sent again, either; each put counts. */
  EventsRefused: "Count",
  /** Per cluster: the replicas that it runs. Every slot adds them all up once. */
  Replicas: "Count",
} as const satisfies Readonly<Record<string, "Count" | "Milliseconds">>;

export type MeasureName = keyof typeof MEASURES;

/** Written when it happens and never as 0, so that it is paid by those hours alone. */
export const SELDOM_MEASURES = ["MessagesParked", "EventsRefused"] as const satisfies readonly MeasureName[];

/** Few values each, because every combination is paid by the month: never an object's name. */
export interface MeasureDimensions {
  readonly hub: string;
  readonly cluster?: string;
}

/** Where measures go. Taking one never fails and never waits. */
export interface Telemetry {
  record(dimensions: MeasureDimensions, values: Readonly<Partial<Record<MeasureName, number>>>): void;
}

/** The dimension `service` that Powertools puts on every metric. */
export const SERVICE = "mainsheet";
