import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { hubCache } from "#app/load/context";
import { park } from "#app/park";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { openRouteMemory } from "#app/route/memory";
import { openRoute } from "#app/route/open-route";
import { sweep } from "#app/sweep";
import { tick } from "#app/tick";
import { decideScale } from "#domain/scale/decide";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { parkDeadLetters } from "#lambda/dead-letters";
import { type BatchDeps, type Receipt, workBatch } from "#lambda/sqs-batch";
import type { BusPort } from "#ports/bus";
import type { Clock, Ids } from "#ports/clock";
import type { KubernetesPort } from "#ports/kubernetes";
import type { Log } from "#ports/log";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import type { Fact } from "#test/storm/facts";
import {
  type CronMessage,
  parseCronMessage,
  parseReconcileMessage,
  parseRouteMessage,
  parseSlotMessage,
} from "#wire/work";
import type { Environment, Invocation } from "./environments.ts";

export const HUB = "storm";
const { syncPeriodSeconds } = DEFAULT_POLICY;

/** The ports as one invocation has them. */
export interface InvocationPorts {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly hub: KubernetesPort & MetricsApiPort;
}

export interface FunctionsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tell: (fact: Fact) => void;
  readonly portsOf: (by: Invocation) => InvocationPorts;
  /** The hub as an environment has it, for what it keeps. */
  readonly hubOf: (environment: Environment) => KubernetesPort & MetricsApiPort;
  /** Called with each object that is decided on. */
  readonly decides: (by: Invocation, object: string) => void;
}

/** The functions as their handlers wire them, without the chain: `environments` plays Lambda. */
export function openFunctions({ clock, ids, tell, portsOf, hubOf, decides }: FunctionsOptions) {
  const clockOf = ({ environment: { skewMs } }: Invocation): Clock => ({
    nowMs: () => clock.nowMs() + skewMs,
  });

  function logOf({ id: by }: Invocation): Log {
    const at = (level: string) => (message: string, fields: Record<string, unknown>) =>
      tell({ what: "log", atMs: clock.nowMs(), by, level, message, fields });
    return { info: at("info"), warn: at("warn"), error: at("error") };
  }

  function batchOf(by: Invocation): BatchDeps {
    const { table } = portsOf(by);
    return { log: logOf(by), clock: clockOf(by), park: (message) => park(table, message) };
  }

  function hubsOf({ environment }: Invocation, { hub }: InvocationPorts) {
    environment.cache ??= hubCache(hubOf(environment));
    return { [HUB]: { port: hub, cache: environment.cache, mode: "active" } } as const;
  }

  function reconcileDeps(by: Invocation): ReconcileDeps {
    const ports = portsOf(by);
    const { table, queue, bus } = ports;
    return {
      clock: clockOf(by),
      ids,
      log: logOf(by),
      table,
      queue,
      bus,
      hubs: hubsOf(by, ports),
      policy: DEFAULT_POLICY,
      logDecisions: "all",
      decide(snapshot, history, policy) {
        const decision = decideScale(snapshot, history, policy);
        const object = `${snapshot.object.namespace}/${snapshot.object.name}`;
        tell({ what: "decided", atMs: clock.nowMs(), by: by.id, object, snapshot, history, decision });
        decides(by, object);
        return decision;
      },
    };
  }

  return {
    tick: (by: Invocation) =>
      tick({ clock: clockOf(by), queue: portsOf(by).queue, hubs: [HUB], syncPeriodSeconds }),

    sweep(by: Invocation, event: SQSEvent): Promise<SQSBatchResponse> {
      const { table, queue, hub } = portsOf(by);
      const deps = { clock: clockOf(by), table, queue, hubs: { [HUB]: { port: hub } }, syncPeriodSeconds };
      const open = () => async (message: Parameters<typeof sweep>[1]) => {
        const clockMs = deps.clock.nowMs();
        const { result } = await sweep(deps, message);
        tell({ what: "swept", atMs: clock.nowMs(), by: by.id, slotMs: message.slotMs, result, clockMs });
      };
      return workBatch(batchOf(by), { queue: "sweep", parse: parseSlotMessage, open }, event);
    },

    reconcile: (by: Invocation, event: SQSEvent): Promise<SQSBatchResponse> =>
      workBatch(
        batchOf(by),
        {
          queue: "reconcile",
          parse: parseReconcileMessage,
          open: (messages) => openReconcile(reconcileDeps(by), messages, by.signal),
        },
        event,
      ),

    cron(by: Invocation, event: SQSEvent): Promise<SQSBatchResponse> {
      const ports = portsOf(by);
      const { table, queue } = ports;
      const deps = { clock: clockOf(by), ids, log: logOf(by), table, queue, hubs: hubsOf(by, ports) };
      const open =
        () =>
        async (message: CronMessage, { receiveCount }: Receipt) => {
          const clockMs = deps.clock.nowMs();
          const delivery = { receiveCount, isOutOfTime: () => by.signal.aborted };
          const outcome = await evaluateHub(deps, message, delivery);
          const { dueAtMs } = message;
          tell({ what: "cron-evaluated", atMs: clock.nowMs(), by: by.id, dueAtMs, clockMs, outcome });
        };
      return workBatch(batchOf(by), { queue: "cron", parse: parseCronMessage, open }, event);
    },

    route(by: Invocation, event: SQSEvent): Promise<SQSBatchResponse> {
      const { table, queue } = portsOf(by);
      by.environment.memory ??= openRouteMemory(clockOf(by));
      const { memory } = by.environment;
      const deps = { clock: clockOf(by), ids, log: logOf(by), table, queue, memory, hubs: [HUB] };
      const open = () => openRoute(deps);
      return workBatch(batchOf(by), { queue: "route", parse: parseRouteMessage, open }, event);
    },

    parked: (by: Invocation, event: SQSEvent): Promise<SQSBatchResponse> =>
      parkDeadLetters(batchOf(by), event),
  };
}
