import type { TablePort } from "#ports/table";

/**
 * Every part that runs, as one frozen value. `infra/cloud` renders it to CloudFormation, `infra/local` runs it on this
 * machine; a test holds the two together. Nothing here is computed from the environment.
 */
export const TOPOLOGY = {
  /** Each table holds items of (pk, sk), expires them by `ttl`. */
  tables: { state: { partitionKey: "pk", sortKey: "sk", ttl: "ttl" } },

  buses: { mainsheet: {} },

  rules: {
    minute: { rateMinutes: 1, target: "tick" },
  },

  /** What is taken from a bus, and where it goes; `default` is the account's own, where CloudWatch tells of its alarms. */
  busRules: {
    alarms: {
      bus: "default",
      pattern: { source: ["aws.cloudwatch"], "detail-type": ["CloudWatch Alarm State Change"] },
      to: { bus: "mainsheet" },
    },
    events: {
      bus: "mainsheet",
      pattern: {
        source: ["mainsheet", "aws.cloudwatch"],
        "detail-type": ["ObjectChanged", "ReconcileRequested", "CloudWatch Alarm State Change"],
      },
      to: { queue: "route" },
    },
  },

  queues: {
    /** Slot messages, each delayed to its instant. */
    sweep: { fifo: false, visibilitySeconds: 60, maxReceives: 5, deadLetters: "standard-dead" },
    /** One message per shard and instant; the group is the shard. Three receives: a crash is told from a culprit (design 1). */
    reconcile: { fifo: true, visibilitySeconds: 60, maxReceives: 3, deadLetters: "reconcile-dead" },
    /** One message per hub and minute, delayed to its :00. */
    cron: { fifo: false, visibilitySeconds: 180, maxReceives: 5, deadLetters: "standard-dead" },
    /** Events, and what `route` held back until an object's floor has passed. */
    route: { fifo: false, visibilitySeconds: 60, maxReceives: 5, deadLetters: "standard-dead" },
    /** One for all standard queues: what a message is, its body says, and Lambda's polling of each queue is paid. */
    "standard-dead": { fifo: false, visibilitySeconds: 60 },
    "reconcile-dead": { fifo: true, visibilitySeconds: 60 },
  },

  functions: {
    tick: {
      timeoutSeconds: 10,
      memoryMb: 256,
      triggers: [{ kind: "rule", rule: "minute" }],
      sends: ["sweep", "cron"],
      table: [],
      hub: false,
    },
    sweep: {
      timeoutSeconds: 10,
      memoryMb: 512,
      triggers: [{ kind: "queue", queue: "sweep", batchSize: 1, maxConcurrency: 2 }],
      sends: ["reconcile"],
      table: ["get", "put"],
      hub: true,
    },
    reconcile: {
      timeoutSeconds: 10,
      memoryMb: 512,
      triggers: [{ kind: "queue", queue: "reconcile", batchSize: 10, maxConcurrency: 10 }],
      sends: ["reconcile"],
      table: ["get", "getMany", "query", "put", "delete"],
      hub: true,
      bus: "mainsheet",
      cloudWatch: true,
    },
    cron: {
      timeoutSeconds: 30,
      memoryMb: 512,
      triggers: [{ kind: "queue", queue: "cron", batchSize: 1, maxConcurrency: 2 }],
      sends: ["reconcile"],
      table: ["get", "getMany", "put"],
      hub: true,
      bus: "mainsheet",
    },
    route: {
      timeoutSeconds: 10,
      memoryMb: 512,
      triggers: [{ kind: "queue", queue: "route", batchSize: 10, maxConcurrency: 5 }],
      sends: ["reconcile", "route"],
      table: ["get", "query", "put"],
      hub: false,
    },
    parked: {
      timeoutSeconds: 10,
      memoryMb: 256,
      triggers: [
        { kind: "queue", queue: "standard-dead", batchSize: 10, maxConcurrency: 2 },
        { kind: "queue", queue: "reconcile-dead", batchSize: 10, maxConcurrency: 2 },
      ],
      sends: [],
      table: ["put"],
      hub: false,
    },
  },
} as const satisfies Topology;

/** What is added where a hub asks for a relay in the cloud: it is paid by the second, whether anything happens or not. */
export const RELAY = {
  rules: { relay: { rateMinutes: 1, target: "relay" } },
  functions: {
    relay: {
      /** The next turn takes over long before that, unless its rule is late. */
      timeoutSeconds: 120,
      memoryMb: 256,
      triggers: [{ kind: "rule", rule: "relay" }],
      sends: [],
      table: ["get", "put", "delete"],
      hub: true,
      bus: "mainsheet",
    },
  },
} as const satisfies Pick<Topology, "rules" | "functions">;

export const WITH_RELAY: Topology = {
  ...TOPOLOGY,
  rules: { ...TOPOLOGY.rules, ...RELAY.rules },
  functions: { ...TOPOLOGY.functions, ...RELAY.functions },
};

export interface Topology {
  readonly tables: Readonly<Record<string, TableSpec>>;
  readonly buses: Readonly<Record<string, object>>;
  readonly rules: Readonly<Record<string, RuleSpec>>;
  readonly busRules: Readonly<Record<string, BusRuleSpec>>;
  readonly queues: Readonly<Record<string, QueueSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
}
export interface TableSpec {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly ttl: string;
}
export interface RuleSpec {
  readonly rateMinutes: number;
  readonly target: string;
}
export interface BusRuleSpec {
  readonly bus: string;
  /** All of these fields must have one of their values. */
  readonly pattern: { readonly source: readonly string[]; readonly "detail-type": readonly string[] };
  readonly to: { readonly queue: string } | { readonly bus: string };
}
export interface QueueSpec {
  readonly fifo: boolean;
  /** At least six times the consumer's time-out (B86). */
  readonly visibilitySeconds: number;
  readonly maxReceives?: number;
  readonly deadLetters?: string;
}
export interface FunctionSpec {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly triggers: readonly Trigger[];
  /** Queues it sends to; their URLs arrive as `QUEUE_<NAME>`. */
  readonly sends: readonly string[];
  /** What it does with the state table, whose name arrives as `TABLE_STATE` where it does anything. */
  readonly table: readonly (keyof TablePort)[];
  /** Whether it talks to the hubs. Their settings arrive at every function, as `MAINSHEET_HUBS`. */
  readonly hub: boolean;
  /** The bus it publishes on, whose name arrives as `BUS_MAINSHEET`. */
  readonly bus?: string;
  /** Whether it reads the account's CloudWatch metrics, for External metrics. */
  readonly cloudWatch?: boolean;
}
export type Trigger =
  | { readonly kind: "rule"; readonly rule: string }
  | {
      readonly kind: "queue";
      readonly queue: string;
      readonly batchSize: number;
      readonly maxConcurrency: number;
    };
