import { type MemoryClock, memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { type KubernetesCall, memoryKubernetes } from "#adapters/memory/kubernetes";
import { type MemoryQueue, memoryQueue } from "#adapters/memory/queue";
import { type MemoryTable, memoryTable } from "#adapters/memory/table";
import type { CronDeps } from "#app/cron/deps";
import { evaluateHub, type HubOutcome } from "#app/cron/evaluate-hub";
import { hubCache } from "#app/load/context";
import { readScenario } from "#infra/local/scenario-file";
import type { KubeObject } from "#ports/kubernetes";
import type { KubeObject as SimObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";

const AUTOSCALING = "autoscaling.karmada.io/v1alpha1";
const DAY = "2026-03-02";
const MINUTE_MS = 60_000;

/** Where a call may be interrupted: `<port>.<operation>`, before it has an effect or after. */
export type Interruption = (call: string, when: "before" | "after") => void;

export interface Rule {
  readonly name: string;
  readonly schedule: string;
  readonly [field: string]: unknown;
}

/** The cron's use cases over the memory adapters and a fleet of three clusters with one Deployment, `shop`. */
export interface CronWorld {
  readonly clock: MemoryClock;
  readonly fleet: Fleet;
  readonly table: MemoryTable;
  readonly queue: MemoryQueue;
  readonly deps: CronDeps;
  readonly log: {
    readonly level: string;
    readonly message: string;
    readonly fields: Record<string, unknown>;
  }[];
  /** Called around every call of the hub, the table and the queue. */
  interrupt: Interruption;
  /** What was written to the hub since the start, events and status apart: `updateScale deployments shop`. */
  readonly writes: string[];
  /** Sets the clock, `08:30` or `08:30:41`, on the day of the scenario. */
  at(time: string): void;
  /** Works the message of the minute at which the clock stands. */
  evaluate(receiveCount?: number): Promise<HubOutcome>;
  /** Works the message of every minute after the clock's up to this one. */
  until(time: string): Promise<void>;
  /** Creates the CronFederatedHPA `shop`, or changes its spec. */
  apply(rules: readonly Rule[], options?: CronOptions): void;
  create(kind: string, name: string, spec: object): void;
  patch(kind: string, name: string, body: object, fieldManager?: string): void;
  remove(kind: string, name: string): void;
  spec(kind: string, name: string): Record<string, unknown>;
  replicas(): unknown;
  /** The status of the object's rule, or of its only one. */
  history(rule?: string): History | undefined;
  /** `Normal ScaleSucceeded`, in the order of their making. */
  events(): string[];
  messages(reason: string): string[];
  runs(): Record<string, unknown>[];
}

export interface CronOptions {
  readonly name?: string;
  readonly target?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

interface History {
  readonly ruleName: string;
  readonly nextExecutionTime?: string;
  readonly successfulExecutions?: readonly Record<string, unknown>[];
  readonly failedExecutions?: readonly Record<string, unknown>[];
}

export const SHOP = { apiVersion: "apps/v1", kind: "Deployment", name: "shop" };
export const SHOP_FHPA = { apiVersion: AUTOSCALING, kind: "FederatedHPA", name: "shop" };

/** A FederatedHPA on the Deployment `shop`. */
export function federatedHpaSpec(bounds: { minReplicas?: number; maxReplicas: number }) {
  const target = { type: "Utilization", averageUtilization: 60 };
  return {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
    ...bounds,
    metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
  };
}

export function cronWorld(
  start: string,
  { mode = "active", webhooks = true } = {} as CronWorldOptions,
): CronWorld {
  const clock = memoryClock(instantOf(start));
  const fleet = fleetAt(clock.nowMs(), webhooks);
  const world = { interrupt: (() => {}) as Interruption };
  const writes: string[] = [];
  const table = memoryTable({
    clock,
    interrupt: (operation, when) => world.interrupt(`table.${operation}`, when),
  });
  const port = memoryKubernetes(fleet, clock, {
    before: (call) => world.interrupt(nameOf(call), "before"),
    after(call) {
      if (isTargetWrite(call)) writes.push(`${call.verb} ${call.resource?.resource} ${call.name}`);
      world.interrupt(nameOf(call), "after");
    },
  });
  const queue = memoryQueue({
    clock,
    queues: { reconcile: { fifo: true } },
    interrupt: (when) => world.interrupt("queue.send", when),
  });
  const log: CronWorld["log"] = [];
  const logAt = (level: string) => (message: string, fields: Record<string, unknown>) => {
    log.push({ level, message, fields });
  };
  const deps: CronDeps = {
    clock,
    ids: memoryIds(),
    log: { info: logAt("info"), warn: logAt("warn"), error: logAt("error") },
    table,
    queue,
    hubs: { local: { port, cache: hubCache(port), mode } },
  };

  const typeNamed = (kind: string) => {
    const apiVersion = kind === "Deployment" ? "apps/v1" : AUTOSCALING;
    const type = fleet.hub.catalogue.findKind(apiVersion, kind);
    if (type === undefined) throw new Error(`the hub serves no ${kind}`);
    return { apiVersion, type };
  };
  const stored = (kind: string, name: string) => {
    const { type } = typeNamed(kind);
    return fleet.hub.store.get(type, "default", name);
  };
  const make = (kind: string, name: string, spec: object, annotations = {}) => {
    const { apiVersion, type } = typeNamed(kind);
    const object = { apiVersion, kind, metadata: { name, namespace: "default", annotations }, spec };
    const made = fleet.hub.create(type, object as SimObject, {
      nowMs: clock.nowMs(),
      fieldManager: "kubectl",
    });
    if (!made.ok) throw new Error(made.status.message);
  };

  async function evaluate(receiveCount = 1): Promise<HubOutcome> {
    const dueAtMs = Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS;
    const message = { v: 1, kind: "cron", hub: "local", dueAtMs } as const;
    return evaluateHub(deps, message, { receiveCount, isOutOfTime: () => false });
  }

  return Object.assign(world, {
    clock,
    fleet,
    table,
    queue,
    deps,
    log,
    writes,
    evaluate,
    at(time: string) {
      clock.set(instantOf(time));
      fleet.step(clock.nowMs());
    },
    async until(time: string) {
      const untilMs = instantOf(time);
      while (clock.nowMs() < untilMs) {
        clock.set((Math.floor(clock.nowMs() / MINUTE_MS) + 1) * MINUTE_MS);
        await evaluate();
      }
    },
    apply(rules: readonly Rule[], { name = "shop", target = SHOP, annotations = {} }: CronOptions = {}) {
      const spec = { scaleTargetRef: target, rules };
      if (stored("CronFederatedHPA", name) === undefined) {
        make("CronFederatedHPA", name, spec, annotations);
        return;
      }
      patch("CronFederatedHPA", name, { spec });
    },
    create: make,
    patch,
    remove(kind: string, name: string) {
      fleet.hub.delete(typeNamed(kind).type, { namespace: "default", name }, { nowMs: clock.nowMs() });
    },
    spec: (kind: string, name: string) => ({ ...stored(kind, name)?.spec }),
    replicas: () => stored("Deployment", "shop")?.spec?.replicas,
    history(rule?: string) {
      const status = stored("CronFederatedHPA", "shop")?.status as
        | { executionHistories?: History[] }
        | undefined;
      const histories = status?.executionHistories ?? [];
      return rule === undefined ? histories[0] : histories.find(({ ruleName }) => ruleName === rule);
    },
    events: () => allEvents(fleet).map(({ type, reason }) => `${type} ${reason}`),
    messages: (reason: string) =>
      allEvents(fleet)
        .filter((event) => event.reason === reason)
        .map(({ message }) => String(message)),
    runs: () => table.items().filter(({ sk }) => sk.startsWith("run#")) as Record<string, unknown>[],
  });

  function patch(kind: string, name: string, body: object, fieldManager = "kubectl"): void {
    const { type } = typeNamed(kind);
    const change = { type: "merge", body } as const;
    const key = { namespace: "default", name };
    const done = fleet.hub.patch(type, key, change, { nowMs: clock.nowMs(), fieldManager });
    if (!done.ok) throw new Error(done.status.message);
  }
}

export interface CronWorldOptions {
  readonly mode?: "observe" | "active";
  /** Karmada's admission; default on. */
  readonly webhooks?: boolean;
}

/** The scenario's fleet without its CronFederatedHPA, made at the instant. */
function fleetAt(startMs: number, webhooks: boolean): Fleet {
  const scenario = readScenario("cron-day", { startMs });
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const manifests = scenario.value.manifests.filter(({ kind }) => kind !== "CronFederatedHPA");
  const loaded = loadScenario(
    { ...scenario.value, manifests },
    { admission: webhooks ? KARMADA_WEBHOOKS : [] },
  );
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  return loaded.fleet;
}

function allEvents(fleet: Fleet): KubeObject[] {
  const events = fleet.hub.store.list(
    { group: "", resource: "events" },
    "default",
  ) as unknown as KubeObject[];
  const version = ({ metadata }: KubeObject) => Number(metadata.resourceVersion);
  return events
    .filter(({ source }) => (source as { component?: string })?.component === "mainsheet")
    .sort((a, b) => version(a) - version(b));
}

function instantOf(time: string): number {
  return Date.parse(`${DAY}T${time.length === 5 ? `${time}:00` : time}Z`);
}

function isTargetWrite({ verb, subresource }: KubernetesCall): boolean {
  return verb === "updateScale" || (verb === "mergePatch" && subresource === undefined);
}

function nameOf({ verb, resource, subresource }: KubernetesCall): string {
  return `hub.${verb} ${resource?.resource ?? ""}${subresource ? `/${subresource}` : ""}`;
}
