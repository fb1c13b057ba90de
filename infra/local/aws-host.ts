/**
 * Renders the topology on this machine: its tables, queues, buses, rules and functions, over one data folder.
 *
 * The data folder: `queues.jsonl` the queues' journal, `table/` the tables' LevelDB, `process/` the code of the
 * functions' process (written at each start), `pid` the mark of whoever uses the folder. It may be killed at any time:
 * what was acknowledged is there at the next start, and what was in flight comes back when its visibility ends.
 */
import { join } from "node:path";
import { type EventMapping, requestFor } from "#infra/event-mapping";
import type { Topology } from "#infra/topology";
import { Alarms } from "./aws/cloudwatch/alarms.ts";
import { Metrics } from "./aws/cloudwatch/metrics.ts";
import { Buses, type BusRule } from "./aws/events/buses.ts";
import type { EventEnvelope } from "./aws/events/envelope.ts";
import { awsQueueName, functionConfigs, queueConfigs, sourceConfigs, tableConfigs } from "./aws/rendering.ts";
import { type AwsCall, serveAws } from "./aws/server.ts";
import { type QueueDepth, Queues } from "./aws/sqs/queues.ts";
import type { QueueEntry } from "./aws/sqs/state.ts";
import { openTables } from "./aws/tables.ts";
import type { HostClock } from "./clock.ts";
import { claimDataFolder } from "./data-folder.ts";
import { startEventSources } from "./functions/event-sources.ts";
import {
  type FunctionCounts,
  type FunctionsEvent,
  type InProcess,
  startFunctions,
} from "./functions/functions.ts";
import { readJournal } from "./journal.ts";

export interface AwsHostOptions {
  readonly topology: Topology;
  readonly clock: HostClock;
  /** Made where it is missing; see above. */
  readonly dataDir: string;
  /** The loopback port of the AWS endpoint; 0, the default, takes any free one. */
  readonly port?: number;
  /** The folder that `bundleFunctions` wrote; or what is called in this process instead of bundles. */
  readonly functions: { readonly bundles: string } | { readonly invoke: InProcess };
  /** More environment variables of a function: MAINSHEET_HUBS and the like. */
  readonly environment?: (functionName: string) => Readonly<Record<string, string>>;
  /** More bus rules than the topology has; their targets are queues, which go by their names there. */
  readonly busRules?: readonly QueueRule[];
  /** The user's own rules. */
  readonly eventMappings?: readonly EventMapping[];
  /** What Secrets Manager holds, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly observe?: (event: AwsHostEvent) => void;
  /** Told of every request to the endpoint, and which function's it is. */
  readonly observeCall?: (call: AwsCall) => void;
}

export interface QueueRule {
  readonly bus: string;
  readonly pattern: BusRule["pattern"];
  readonly queue: string;
}

export type AwsHostEvent =
  | FunctionsEvent
  /** An event was put on a bus; `known` is false where there is no such bus, which its sender is not told (B91). */
  | { readonly kind: "bus"; readonly bus: string; readonly known: boolean; readonly event: EventEnvelope };

export interface AwsHost {
  readonly endpoint: string;
  /** Of the functions' process, while there is one. */
  readonly functionsPid: number | undefined;
  statistics(): Statistics;
  /** Ends everything within two seconds; invocations in flight get a moment to end. Stop the clock first. */
  stop(): Promise<void>;
}

export interface Statistics {
  readonly functions: Readonly<Record<string, FunctionCounts>>;
  /** By the queues' names in the topology. */
  readonly queues: Readonly<Record<string, QueueDepth>>;
}

const JOURNAL = "queues.jsonl";

/** The last instant that a data folder remembers: a clock that starts again must not start before it. */
export function lastInstantMs(dataDir: string): number | undefined {
  return readJournal<QueueEntry>(join(dataDir, JOURNAL)).at(-1)?.atMs;
}

/**
 * Starts the endpoint, then the sources of events, whose timers wait for the clock to run. Throws one sentence when
 * another process uses the folder or the port.
 */
export async function startAws(options: AwsHostOptions): Promise<AwsHost> {
  const { topology, clock, dataDir, observe = () => {} } = options;
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const claim = claimDataFolder(dataDir);
    closers.push(() => claim.release());
    const queues = new Queues({
      configs: queueConfigs(topology),
      clock,
      journalPath: join(dataDir, JOURNAL),
    });
    closers.push(() => queues.close());
    const tables = await openTables(tableConfigs(topology), join(dataDir, "table"));
    closers.push(() => tables.close());
    const buses = openBuses(options, queues);
    const { secrets, observeCall } = options;
    const services = {
      ...{ clock, queues, buses, tables, metrics: new Metrics(clock), alarms: new Alarms(buses, clock) },
      ...(secrets && { secrets }),
      ...(observeCall && { observe: observeCall }),
    };
    const { endpoint, close } = await serveAws(services, options.port);
    closers.push(close);
    const functions = await startFunctions({
      configs: functionConfigs(topology, {
        endpoint,
        bundles: "bundles" in options.functions ? options.functions.bundles : "",
        environment: options.environment ?? (() => ({})),
      }),
      clock,
      run: "bundles" in options.functions ? { scratch: join(dataDir, "process") } : options.functions,
      observe,
    });
    closers.push(() => functions.stop());
    closers.push(
      startEventSources({ sources: sourceConfigs(topology), clock, queues, invoke: functions.invoke }),
    );

    return {
      endpoint,
      get functionsPid() {
        return functions.pid;
      },
      statistics: () => ({
        functions: structuredClone(functions.counts),
        queues: Object.fromEntries(
          Object.keys(topology.queues).map((name) => [name, queues.depth(awsQueueName(topology, name))]),
        ),
      }),
      stop: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function openBuses(options: AwsHostOptions, queues: Queues): Buses {
  const { topology, clock, busRules = [], eventMappings = [], observe } = options;
  const asked = busRules.map(({ queue, ...rule }) => ({ ...rule, to: { queue } }));
  const rules = [...Object.values(topology.busRules), ...asked].map(({ bus, pattern, to }) => ({
    bus,
    pattern,
    deliver: (event: EventEnvelope) => {
      if ("bus" in to) buses.emit(to.bus, event);
      else queues.send(awsQueueName(topology, to.queue), { MessageBody: JSON.stringify(event) });
    },
  }));
  const mapped = eventMappings.map((mapping) => ({
    bus: mapping.bus ?? "default",
    pattern: mapping.pattern,
    deliver: ({ id, time, "detail-type": detailType }: EventEnvelope) => {
      const MessageBody = JSON.stringify(requestFor(mapping, { id, time, detailType }));
      queues.send(awsQueueName(topology, "route"), { MessageBody });
    },
  }));
  const buses = new Buses({
    names: Object.keys(topology.buses),
    rules: [...rules, ...mapped],
    clock,
    observe: (event, bus, known) => observe?.({ kind: "bus", bus, known, event }),
  });
  return buses;
}
