import { memoryBus } from "#adapters/memory/bus";
import { memoryIds } from "#adapters/memory/ids";
import { memoryQueue } from "#adapters/memory/queue";
import { TOPOLOGY } from "#infra/topology";
import type { KubernetesPort } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { TablePort } from "#ports/table";
import type { Agenda } from "#test/storm/agenda";
import { dice } from "#test/storm/chance";
import type { Fact } from "#test/storm/facts";
import { START_MS } from "#test/storm/plan";
import type { Gate } from "#test/storm/ports/gate";
import { gatedQueue } from "#test/storm/ports/gated-queue";
import { gatedTable } from "#test/storm/ports/gated-table";
import { type Environments, type Invocation, openEnvironments } from "./environments.ts";
import { type EventSource, openEventSource } from "./event-source.ts";
import { type InvocationPorts, openFunctions } from "./functions.ts";
import { openQueue, type QueueRules, type StormQueue } from "./queues.ts";

/** What runs the functions: queues, event sources, environments and the minute rule, as the topology has them. */
export interface Cloud {
  readonly sources: ReadonlyMap<string, EventSource>;
  readonly pools: ReadonlyMap<string, Environments>;
  /** What the next minutes' ticks do instead. */
  readonly minuteFaults: ("miss" | "double")[];
  /** How many of a queue's next sends are taken only in part. */
  readonly rejections: Map<string, number>;
  /** Puts a message that nobody of ours sent into a standard queue, as a bus rule does. */
  deliver(queue: string, body: string): void;
  crash(by: Invocation): void;
  waiting(): readonly { readonly queue: string; readonly id: string; readonly sentAtMs: number }[];
}

export interface CloudOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly tell: (fact: Fact) => void;
  readonly gate: Gate;
  readonly table: TablePort;
  readonly hubOf: (by: () => Invocation) => KubernetesPort & MetricsApiPort;
  /** Called with each object that is decided on. */
  readonly decides: (by: Invocation, object: string) => void;
}

/** Two at once of each function, as many as it takes for them to get in each other's way. */
const IN_PARALLEL = 2;
const MINUTE_MS = 60_000;
const LONGEST_JITTER_MS = 2_000;

/** Dead letters first: they are there when their queue is made. */
const QUEUES = Object.entries<QueueRules>(TOPOLOGY.queues).sort(
  ([, a], [, b]) => Number(a.deadLetters !== undefined) - Number(b.deadLetters !== undefined),
);

const FUNCTIONS = ["tick", "sweep", "reconcile", "cron", "route", "parked"] as const;
type FunctionName = (typeof FUNCTIONS)[number];

/** Who works a queue, and how much of it at once. */
function triggerOf(queue: string): {
  readonly fn: Exclude<FunctionName, "tick">;
  readonly batchSize: number;
} {
  for (const fn of FUNCTIONS) {
    if (fn === "tick") continue;
    const triggers: readonly { readonly queue: string; readonly batchSize: number }[] =
      TOPOLOGY.functions[fn].triggers;
    const found = triggers.find((trigger) => trigger.queue === queue);
    if (found !== undefined) return { fn, batchSize: found.batchSize };
  }
  throw new Error(`nobody works the queue ${queue}`);
}

export function openCloud(options: CloudOptions): Cloud {
  const { seed, agenda, tell, gate, table, hubOf, decides } = options;
  const bus = memoryBus();
  const sender = memoryQueue({ clock: agenda, queues: TOPOLOGY.queues });
  const rejections = new Map<string, number>();
  const queues = new Map<string, StormQueue>();
  const sources = new Map<string, EventSource>();
  const pools = new Map<string, Environments>();
  const minuteFaults: ("miss" | "double")[] = [];

  for (const [name, rules] of QUEUES) {
    const deadLetters = queues.get(rules.deadLetters ?? "");
    const chance = dice(`${seed}/${name}`);
    const changed = () => sources.get(name)?.wake();
    queues.set(name, openQueue({ name, rules, agenda, chance, tell, deadLetters, changed }));
  }

  function rejects(queue: string): boolean {
    const left = rejections.get(queue) ?? 0;
    rejections.set(queue, Math.max(0, left - 1));
    return left > 0;
  }

  function sent(name: string): void {
    for (const message of sender.take(name)) queues.get(name)?.accept(message);
  }

  const functions = openFunctions({
    clock: agenda,
    ids: memoryIds(),
    tell,
    portsOf: (by): InvocationPorts => ({
      table: gatedTable(table, by, gate, agenda, tell),
      queue: gatedQueue({ port: sender, by, gate, clock: agenda, rejects, sent, tell }),
      bus: { put: (events) => gate.pass(by, { name: "bus.put" }, () => bus.put(events)) },
      hub: hubOf(() => by),
    }),
    hubOf: (environment) => hubOf(() => environment.current),
    decides,
  });

  for (const fn of FUNCTIONS) {
    const { timeoutSeconds } = TOPOLOGY.functions[fn];
    pools.set(fn, openEnvironments({ seed, agenda, fn, most: IN_PARALLEL, timeoutSeconds, tell }));
  }

  for (const [name] of QUEUES) {
    const { fn, batchSize } = triggerOf(name);
    const queue = queues.get(name) as StormQueue;
    const environments = pools.get(fn) as Environments;
    const chance = dice(`${seed}/source/${name}`);
    const source = { queue, batchSize, environments, work: functions[fn], agenda, chance, tell };
    sources.set(name, openEventSource(source));
  }

  function minute(number: number): void {
    const jitterMs = dice(`${seed}/minute/${number}`).whole(0, LONGEST_JITTER_MS);
    agenda.at(START_MS + number * MINUTE_MS + jitterMs, () => {
      minute(number + 1);
      const fault = minuteFaults.shift();
      const times = fault === "miss" ? 0 : fault === "double" ? 2 : 1;
      for (let i = 0; i < times; i++) pools.get("tick")?.invoke(functions.tick, () => {});
    });
  }
  minute(0);

  return {
    sources,
    pools,
    minuteFaults,
    rejections,
    deliver: (queue, body) => queues.get(queue)?.accept({ body }),
    crash: (by) => pools.get(by.id.split("#")[0] ?? "")?.crash(by),
    waiting: () =>
      [...queues.values()].flatMap((queue) =>
        queue.waiting().map(({ id, sentAtMs }) => ({ queue: queue.name, id, sentAtMs })),
      ),
  };
}
