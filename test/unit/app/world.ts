import { memoryBus } from "#adapters/memory/bus";
import { type MemoryClock, memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { type KubernetesCall, memoryKubernetes } from "#adapters/memory/kubernetes";
import { type MemoryQueue, memoryQueue } from "#adapters/memory/queue";
import { type MemoryTable, memoryTable } from "#adapters/memory/table";
import { hubCache } from "#app/load/context";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { sweep } from "#app/sweep";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { readScenario } from "#infra/local/scenario-file";
import type { KubeObject } from "#ports/kubernetes";
import type { Message } from "#ports/queue";
import type { KubeObject as SimObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";
import { decodeScaleRecord, type ScaleRecord } from "#wire/scale-record";
import { decodeState, type State } from "#wire/state";
import { parseReconcileMessage } from "#wire/work";

export const SLOT_MS = 15_000;
const VISIBILITY_MS = 60_000;
const AUTOSCALING = "autoscaling.karmada.io/v1alpha1";
const NGINX = { namespace: "default", name: "nginx" };

/** Where a call may be interrupted: `<port>.<operation>`, before it has an effect or after. */
export type Interruption = (call: string, when: "before" | "after") => void;

interface Waiting {
  readonly message: Message;
  readonly id: string;
  readonly sentAtMs: number;
  receives: number;
  visibleAtMs: number;
}

/** The real use cases over the memory adapters and a fleet, driven slot by slot with the queue's rules. */
export interface World {
  readonly clock: MemoryClock;
  readonly fleet: Fleet;
  readonly table: MemoryTable;
  readonly deps: ReconcileDeps;
  readonly log: {
    readonly level: string;
    readonly message: string;
    readonly fields: Record<string, unknown>;
  }[];
  /** Called around every call of the hub and the table. */
  interrupt: Interruption;
  readonly queue: MemoryQueue;
  /** Works what waits for the reconcile. */
  deliver(): Promise<void>;
  /** Lets time pass to the next slot, and works it. */
  slot(): Promise<void>;
  slots(count: number): Promise<void>;
  /** The template's replicas. */
  replicas(): number;
  scales(): ScaleRecord[];
  events(reason: string): KubeObject[];
  condition(type: string, name?: string): unknown;
  /** Creates a FederatedHPA beside the tutorial's. */
  create(name: string, spec: object): void;
  /** What the table keeps of the object. */
  state(): State | undefined;
  /** Writes the template's replicas as a person would. */
  scaleByHand(replicas: number): void;
  editMaxReplicas(maxReplicas: number): void;
  annotate(annotations: Readonly<Record<string, string>>): void;
  /** Writes the FederatedHPA's status as another controller would. */
  writeStatusAs(fieldManager: string): void;
  /** Empties the FederatedHPA's conditions, as an evaluation that read them before might. */
  overwriteConditions(): void;
  remove(name: string): void;
  /** A Deployment that the tutorial's policy does not spread. */
  createDeployment(name: string, labels: Readonly<Record<string, string>>): void;
  /** Deletes the FederatedHPA and makes it again. */
  recreate(): void;
}

export interface WorldOptions {
  readonly mode?: "observe" | "active";
  readonly activeNamespaces?: readonly string[];
  /** Divide by available replicas, with so much CPU in each cluster. */
  readonly byRoom?: string;
  /** Karmada's admission of FederatedHPAs; default on. */
  readonly webhooks?: boolean;
  /** How long the tutorial's load saturates every pod; default 60. */
  readonly loadSeconds?: number;
}

export function tutorialWorld(options: WorldOptions = {}): World {
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const manifests = scenario.value.manifests
    .map((manifest) => (manifest.kind === "Load" ? lasting(manifest, options.loadSeconds ?? 60) : manifest))
    .map((manifest) =>
      manifest.kind === "PropagationPolicy" && options.byRoom ? byRoom(manifest) : manifest,
    );
  const clusters = options.byRoom
    ? scenario.value.clusters.map((cluster) => ({
        ...cluster,
        capacity: { cpu: options.byRoom ?? "", memory: "64Gi", pods: "110" },
      }))
    : scenario.value.clusters;
  const loaded = loadScenario(
    { ...scenario.value, manifests, clusters },
    {
      admission: (options.webhooks ?? true) ? KARMADA_WEBHOOKS : [],
    },
  );
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  const clock = memoryClock(scenario.value.startMs - SLOT_MS);
  const world = { interrupt: (() => {}) as Interruption };
  const table = memoryTable({
    clock,
    interrupt: (operation, when) => world.interrupt(`table.${operation}`, when),
  });
  const port = memoryKubernetes(fleet, clock, {
    before: (call) => world.interrupt(nameOf(call), "before"),
    after: (call) => world.interrupt(nameOf(call), "after"),
  });
  const queue = memoryQueue({
    clock,
    queues: { sweep: { fifo: false }, route: { fifo: false }, reconcile: { fifo: true } },
  });
  const log: World["log"] = [];
  const logAt = (level: string) => (message: string, fields: Record<string, unknown>) => {
    log.push({ level, message, fields });
  };
  const deps: ReconcileDeps = {
    clock,
    ids: memoryIds(),
    log: { info: logAt("info"), warn: logAt("warn"), error: logAt("error") },
    table,
    queue,
    bus: memoryBus(),
    hubs: {
      local: {
        port,
        cache: hubCache(port),
        mode: options.mode ?? "active",
        activeNamespaces: options.activeNamespaces ?? [],
      },
    },
    policy: DEFAULT_POLICY,
    logDecisions: "all",
  };
  const waiting: Waiting[] = [];
  let sent = 0;
  let statusWrites = 0;

  function accept(): void {
    for (const message of queue.take("reconcile")) {
      sent += 1;
      const sentAtMs = clock.nowMs();
      waiting.push({ message, id: `m-${sent}`, sentAtMs, receives: 0, visibleAtMs: sentAtMs });
    }
  }

  /** What FIFO hands out now: the first of each group, unless the group waits for an invisible one. */
  function receive(): Waiting[] {
    const groups = new Set<string>();
    return waiting.filter(({ message, visibleAtMs }) => {
      const group = message.groupId ?? "";
      if (groups.has(group)) return false;
      groups.add(group);
      return visibleAtMs <= clock.nowMs();
    });
  }

  async function deliver(): Promise<void> {
    for (let batch = receive(); batch.length > 0; accept(), batch = receive()) {
      const messages = batch.map(({ message }) => {
        const parsed = parseReconcileMessage(message.body);
        if (!parsed.ok) throw new Error(parsed.fault);
        return parsed.value;
      });
      const work = openReconcile(deps, messages, new AbortController().signal);
      for (const [i, entry] of batch.entries()) {
        entry.receives += 1;
        entry.visibleAtMs = clock.nowMs() + VISIBILITY_MS;
        try {
          await work(messages[i] as (typeof messages)[number], {
            messageId: entry.id,
            receiveCount: entry.receives,
            sentAtMs: entry.sentAtMs,
          });
          waiting.splice(waiting.indexOf(entry), 1);
        } catch {
          // Redelivered when its visibility ends, as after a crash.
        }
      }
    }
  }

  const fhpa = (name = "nginx") =>
    fleet.hub.store.get({ group: "autoscaling.karmada.io", resource: "federatedhpas" }, "default", name);

  function typeNamed(apiVersion: string, kind: string) {
    const type = fleet.hub.catalogue.findKind(apiVersion, kind);
    if (type === undefined) throw new Error(`the hub serves no ${kind}`);
    return type;
  }

  async function slot(): Promise<void> {
    clock.advance(SLOT_MS);
    fleet.step(clock.nowMs());
    const message = { v: 1, kind: "slot", hub: "local", slotMs: clock.nowMs() } as const;
    await sweep({ ...deps, syncPeriodSeconds: 15 }, message);
    accept();
    await deliver();
    fleet.step(clock.nowMs());
  }

  return Object.assign(world, {
    clock,
    fleet,
    table,
    deps,
    log,
    queue,
    slot,
    async deliver() {
      accept();
      await deliver();
      fleet.step(clock.nowMs());
    },
    async slots(count: number) {
      for (let i = 0; i < count; i++) await slot();
    },
    replicas: () =>
      Number(
        fleet.hub.store.get({ group: "apps", resource: "deployments" }, "default", "nginx")?.spec?.replicas,
      ),
    scales: () =>
      table
        .items()
        .filter(({ sk }) => sk.startsWith("scale#"))
        .map(decodeScaleRecord),
    create(name: string, spec: object) {
      const object = {
        apiVersion: AUTOSCALING,
        kind: "FederatedHPA",
        metadata: { name, namespace: "default" },
        spec,
      };
      const made = fleet.hub.create(typeNamed(AUTOSCALING, "FederatedHPA"), object as SimObject, {
        nowMs: clock.nowMs(),
      });
      if (!made.ok) throw new Error(made.status.message);
    },
    condition(type: string, name = "nginx") {
      const status = fhpa(name)?.status as { conditions?: { type: string }[] } | undefined;
      return status?.conditions?.find((condition) => condition.type === type);
    },
    state() {
      const item = table.items().find(({ pk, sk }) => pk === "fhpa#local#default/nginx" && sk === "state");
      return item && decodeState(item);
    },
    scaleByHand(replicas: number) {
      const type = typeNamed("apps/v1", "Deployment");
      const patch = { type: "merge", body: { spec: { replicas } } } as const;
      fleet.hub.patch(type, NGINX, patch, { nowMs: clock.nowMs(), fieldManager: "kubectl" });
    },
    annotate(annotations: Readonly<Record<string, string>>) {
      const patch = { type: "merge", body: { metadata: { annotations } } } as const;
      fleet.hub.patch(typeNamed(AUTOSCALING, "FederatedHPA"), NGINX, patch, { nowMs: clock.nowMs() });
    },
    writeStatusAs(fieldManager: string) {
      statusWrites += 1;
      const patch = { type: "merge", body: { status: { desiredReplicas: 100 + statusWrites } } } as const;
      const write = { nowMs: clock.nowMs(), fieldManager, subresource: "status" } as const;
      fleet.hub.patch(typeNamed(AUTOSCALING, "FederatedHPA"), NGINX, patch, write);
    },
    overwriteConditions() {
      const patch = { type: "merge", body: { status: { conditions: [] } } } as const;
      const write = { nowMs: clock.nowMs(), subresource: "status" } as const;
      fleet.hub.patch(typeNamed(AUTOSCALING, "FederatedHPA"), NGINX, patch, write);
    },
    remove(name: string) {
      const key = { ...NGINX, name };
      fleet.hub.delete(typeNamed(AUTOSCALING, "FederatedHPA"), key, { nowMs: clock.nowMs() });
    },
    createDeployment(name: string, labels: Readonly<Record<string, string>>) {
      const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      const metadata = { name, namespace: "default" };
      const object = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
      fleet.hub.create(typeNamed("apps/v1", "Deployment"), object as SimObject, { nowMs: clock.nowMs() });
    },
    editMaxReplicas(maxReplicas: number) {
      const patch = { type: "merge", body: { spec: { maxReplicas } } } as const;
      fleet.hub.patch(typeNamed(AUTOSCALING, "FederatedHPA"), NGINX, patch, { nowMs: clock.nowMs() });
    },
    recreate() {
      const type = typeNamed(AUTOSCALING, "FederatedHPA");
      const { name, namespace } = NGINX;
      const spec = fhpa()?.spec ?? {};
      fleet.hub.delete(type, NGINX, { nowMs: clock.nowMs() });
      const object = {
        apiVersion: AUTOSCALING,
        kind: "FederatedHPA",
        metadata: { name, namespace },
        spec,
      };
      fleet.hub.create(type, object, { nowMs: clock.nowMs() });
    },
    events: (reason: string) =>
      fleet.hub.store
        .list({ group: "", resource: "events" }, "default")
        .filter((event) => event.reason === reason) as unknown as KubeObject[],
  });
}

function lasting(load: SimObject, seconds: number): SimObject {
  const { cpu } = load.spec as { cpu: { steps: { afterSeconds: number; demand: number }[] } };
  const [idle, start] = cpu.steps as [(typeof cpu.steps)[0], (typeof cpu.steps)[0]];
  const end = { afterSeconds: start.afterSeconds + seconds, demand: 0 };
  return { ...load, spec: { ...load.spec, cpu: { steps: [idle, start, end] } } };
}

function byRoom(policy: SimObject): SimObject {
  const replicaScheduling = {
    replicaSchedulingType: "Divided",
    replicaDivisionPreference: "Weighted",
    weightPreference: { dynamicWeight: "AvailableReplicas" },
  };
  const placement = policy.spec?.placement as object;
  return { ...policy, spec: { ...policy.spec, placement: { ...placement, replicaScheduling } } } as SimObject;
}

function nameOf({ verb, at }: KubernetesCall): string {
  return `${at === "hub" ? "hub" : "member"}.${verb}`;
}
