import type { Ledger } from "#app/ledger/record-decisions";
import type { HubCache } from "#app/load/context";
import type { ExternalSources } from "#app/load/external-metrics";
import type { decideScale } from "#domain/scale/decide";
import type { Policy } from "#domain/scale/policy";
import type { BusPort } from "#ports/bus";
import type { Clock, Ids } from "#ports/clock";
import type { KubernetesPort } from "#ports/kubernetes";
import type { Log } from "#ports/log";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import type { Telemetry } from "#ports/telemetry";
import type { ReadYaml } from "#ports/yaml";

/** What the reconcile needs of the world. */
export interface ReconcileDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly hubs: Readonly<Record<string, Hub>>;
  readonly policy: Policy;
  /** Absent: nobody measures. */
  readonly telemetry?: Telemetry;
  /** Log every decision, or only those that scale, change a condition or fail. */
  readonly logDecisions: "all" | "changes";
  /** Where decisions are put on record with all that they were computed from; absent: nowhere. */
  readonly ledger?: Ledger;
  /** Reads the specs of shadows; absent: nobody has one. */
  readonly readYaml?: ReadYaml;
  /** What decides; default `decideScale`. Who wants to see each decision with all it is made from, wraps it. */
  readonly decide?: typeof decideScale;
}

export interface Hub {
  readonly port: KubernetesPort & MetricsApiPort;
  readonly cache: HubCache;
  /** Who answers for External metrics; absent: nobody does. */
  readonly external?: ExternalSources;
  /** `observe` decides and records, and writes nothing to the hub. */
  readonly mode: Mode;
  /** Namespaces that are `active` on a hub that is not. */
  readonly activeNamespaces?: readonly string[];
}

export type Mode = "observe" | "active";
