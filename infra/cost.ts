/**
 * What Mainsheet costs in a month of 30 days: arithmetic over list prices and how a fleet behaves, both arguments. The
 * counts per sweep are those of the use cases (`npm run bench -- --only sweep`; a test compares). No free tier.
 */

import { RENEW_MS } from "#app/relay/lease";
import { logLimit } from "#app/relay/publication";
import { NEW_FLEET, shardMode, shardsOf } from "#domain/work/shards";
import { FUNCTION_ALARMS, HUB_ALARMS } from "#infra/alarms";
import { RELAY, TOPOLOGY, type Topology, WITH_RELAY } from "#infra/topology";
import { MEASURES, SELDOM_MEASURES } from "#ports/telemetry";

/** US dollars. */
export interface Prices {
  readonly lambdaGbSecond: number;
  readonly lambdaRequest: number;
  readonly sqsStandardRequest: number;
  readonly sqsFifoRequest: number;
  readonly tableWrite: number;
  readonly tableRead: number;
  readonly busEvent: number;
  readonly logGb: number;
  readonly metricMonth: number;
  readonly alarmMonth: number;
  readonly dashboardMonth: number;
  readonly secretMonth: number;
  readonly cloudWatchMetricRead: number;
  readonly tableGbMonth: number;
  readonly natGatewayHour: number;
}

/** us-east-1, arm64, on demand. */
export const US_EAST_1: Prices = {
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2e-6,
  sqsStandardRequest: 0.4e-6,
  sqsFifoRequest: 0.5e-6,
  tableWrite: 0.625e-6,
  tableRead: 0.125e-6,
  busEvent: 1e-6,
  logGb: 0.5,
  metricMonth: 0.3,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  secretMonth: 0.4,
  cloudWatchMetricRead: 0.01e-3,
  tableGbMonth: 0.25,
  natGatewayHour: 0.045,
};

/** A fleet and how it behaves. */
export interface FleetLoad {
  /** FederatedHPAs, spread evenly over the namespaces. */
  readonly objects: number;
  readonly namespaces: number;
  readonly hubs: number;
  readonly clusters: number;
  /** Of one object, over all clusters. */
  readonly podsPerObject: number;
  readonly syncPeriodSeconds: number;
  /** The part of evaluations whose object stores a new state: metrics move, recommendations change. */
  readonly changing: number;
  readonly scalesPerObjectPerDay: number;
  /** Metrics that are read from CloudWatch in each sweep. */
  readonly cloudWatchMetrics: number;
  /** Where hubs are private and there are no endpoints instead. */
  readonly natGateways: number;
  /** Hubs that the function `relay` watches. */
  readonly relays: number;
  /** Events about one object that others than a relay send. */
  readonly eventsPerObjectPerDay: number;
}

/** What the measurements below were made with, but for the size: metrics with 15 % of noise, five clusters. */
export const USUAL_FLEET: Omit<FleetLoad, "objects" | "namespaces"> = {
  hubs: 1,
  clusters: 5,
  podsPerObject: 20,
  syncPeriodSeconds: 15,
  changing: 0.05,
  scalesPerObjectPerDay: 10,
  natGateways: 0,
  cloudWatchMetrics: 0,
  relays: 0,
  eventsPerObjectPerDay: 0,
};

export interface CostLine {
  readonly item: string;
  /** Per month. */
  readonly quantity: number;
  readonly unit: string;
  readonly dollars: number;
}

const MONTH_DAYS = 30;
const MONTH_SECONDS = MONTH_DAYS * 86_400;
/** The share of a processor that a function has. Ref: Lambda Developer Guide, "Configure Lambda function memory". */
const MEMORY_MB_OF_A_PROCESSOR = 1_769;
/** Waiting for the hub and its members, in rounds of six requests; a sweep waits for one list and the queue. */
const RECONCILE_WAIT_MS = 300;
const OTHER_WAIT_MS = 120;
/** On a whole processor: decoding and deciding. */
const CPU_MS_PER_OBJECT = 0.4;
const CPU_MS_PER_POD = 0.06;
const MINUTE_SECONDS = 60;
/** Lambda asks each queue without end, in long polls of 20 s, from about five pollers. */
const POLLS_PER_QUEUE = (5 * MONTH_SECONDS) / 20;
/** Lambda's three lines about an invocation, and ours. */
const LOG_BYTES_PER_INVOCATION = 1_200;
const LOG_BYTES_PER_MESSAGE = 450;
const LOG_BYTES_PER_MEASURED_CLUSTER = 450;
const LOG_BYTES_PER_SCALE = 900;
/** Kilobytes: the state with its intent, opened and closed, the scale, and the decision with its numbers. */
const WRITE_UNITS_PER_SCALE = 8;
/** A scale moves the binding's replicas, then its clusters; each is an event. */
const RELAYED_EVENTS_PER_SCALE = 2;
/** What a relay keeps of an object, measured with 20,000, and of a change until it is kept so. */
const SEEN_KB_PER_OBJECT = 0.058;
const LOG_KB_PER_CHANGE = 0.25;
/** The first of them at once, the others together when the floor has passed. */
const EVALUATIONS_PER_RELAYED_SCALE = 2;
/** A few reads and writes of the table, and a message or two. */
const ROUTE_WAIT_MS = 40;
/** A state is a little under a kilobyte, or a little over. */
const WRITE_UNITS_PER_STATE = 1.2;

/** One sweep of one hub: what it does, counted. */
export interface SweepCounts {
  readonly shards: number;
  readonly reconcileInvocations: number;
  /** Items, each half a read unit. */
  readonly itemReads: number;
  /** Of states, and of small items: heartbeats and the slot's mark. */
  readonly stateWrites: number;
  readonly smallWrites: number;
  readonly queueSends: number;
}

/** For the objects of one hub. */
export function sweepCounts({ objects, namespaces, changing }: FleetLoad): SweepCounts {
  const keys = Array.from({ length: objects }, (_, i) => ({
    namespace: `n${i % namespaces}`,
    name: `o${i}`,
  }));
  const shards = shardsOf(keys, shardMode(keys, NEW_FLEET)).length;
  const batch = batchSizeOf("reconcile");
  const reconcileInvocations = Math.ceil(shards / batch);
  return {
    shards,
    reconcileInvocations,
    // Each state, each heartbeat, the mark, the shard mode, and the breakers once an invocation.
    itemReads: objects + shards + 2 + reconcileInvocations,
    stateWrites: objects * changing,
    smallWrites: shards + 1,
    queueSends: Math.ceil(shards / 10),
  };
}

/** Every line of the bill, the dearest first. Throws one sentence for a fleet that cannot be. */
export function monthlyCost(fleet: FleetLoad, prices: Prices = US_EAST_1): readonly CostLine[] {
  check(fleet);
  const { objects, hubs, clusters, podsPerObject, syncPeriodSeconds } = fleet;
  const perHub = {
    ...fleet,
    objects: Math.ceil(objects / hubs),
    namespaces: Math.ceil(fleet.namespaces / hubs),
  };
  const counts = sweepCounts(perHub);
  const sweeps = (hubs * MONTH_SECONDS) / syncPeriodSeconds;
  const ticks = MONTH_SECONDS / MINUTE_SECONDS;
  const crons = (hubs * MONTH_SECONDS) / MINUTE_SECONDS;
  const scales = objects * fleet.scalesPerObjectPerDay * MONTH_DAYS;
  const { tick, sweep, reconcile, cron } = (TOPOLOGY as Topology).functions;

  const reconciles = sweeps * counts.reconcileInvocations;
  const share = (memoryMb: number) => Math.min(1, memoryMb / MEMORY_MB_OF_A_PROCESSOR);
  const reconcileCpuMs = perHub.objects * (CPU_MS_PER_OBJECT + CPU_MS_PER_POD * podsPerObject);
  const gbSeconds = (memoryMb: number, invocations: number, waitMs: number, cpuMs = 0) =>
    ((memoryMb / 1024) * (invocations * waitMs + cpuMs / share(memoryMb))) / 1000;
  const compute =
    gbSeconds(memoryOf(tick), ticks, OTHER_WAIT_MS) +
    gbSeconds(memoryOf(sweep), sweeps, OTHER_WAIT_MS) +
    gbSeconds(memoryOf(cron), crons, OTHER_WAIT_MS) +
    gbSeconds(memoryOf(reconcile), reconciles, RECONCILE_WAIT_MS, sweeps * reconcileCpuMs);
  const invocations = ticks + sweeps + crons + reconciles;

  const { queues } = TOPOLOGY as Topology;
  const fifo = Object.values(queues).filter((queue) => queue.fifo).length;
  // The tick sends two minutes of slots each minute, ten to a request; each message is received and deleted.
  const slotMessages = (2 * MINUTE_SECONDS) / syncPeriodSeconds;
  const standardRequests =
    (Object.keys(queues).length - fifo) * POLLS_PER_QUEUE +
    ticks * hubs * (Math.ceil(slotMessages / 10) + 1) +
    2 * (ticks * hubs * slotMessages + 2 * crons);
  const fifoRequests =
    fifo * POLLS_PER_QUEUE + sweeps * (counts.queueSends + 2 * counts.reconcileInvocations);

  const writes =
    sweeps * (counts.stateWrites * WRITE_UNITS_PER_STATE + counts.smallWrites) +
    crons +
    scales * WRITE_UNITS_PER_SCALE;
  const reads = (sweeps * counts.itemReads + crons) / 2;
  const logBytes =
    invocations * LOG_BYTES_PER_INVOCATION +
    sweeps * counts.shards * LOG_BYTES_PER_MESSAGE +
    reconciles * clusters * LOG_BYTES_PER_MEASURED_CLUSTER +
    scales * LOG_BYTES_PER_SCALE;

  const relayed = fleet.relays === 0 ? 0 : (scales * RELAYED_EVENTS_PER_SCALE * fleet.relays) / hubs;
  // One environment watches all of them without a pause; each hub's lease is looked at on its own.
  const relayTime = fleet.relays === 0 ? 0 : (RELAY.functions.relay.memoryMb / 1024) * MONTH_SECONDS;
  const relayAlarms = fleet.relays === 0 ? 0 : alarmMetricCount(hubs, WITH_RELAY) - alarmMetricCount(hubs);
  const relayReads = (fleet.relays * MONTH_SECONDS * 1000) / RENEW_MS;

  const sent = objects * fleet.eventsPerObjectPerDay * MONTH_DAYS;
  const evaluated = sent + (relayed * EVALUATIONS_PER_RELAYED_SCALE) / RELAYED_EVENTS_PER_SCALE;

  const lines = [
    line("Events, routed", relayed + sent, "events", routedPrice(prices)),
    line("Events, evaluated", evaluated, "evaluations", evaluatedPrice(fleet, prices)),
    line("Relay, Lambda", relayTime, "GB-seconds", prices.lambdaGbSecond),
    line("Relay, DynamoDB reads", relayReads, "read units", prices.tableRead),
    line(
      "Relay, DynamoDB writes",
      relayed * writeUnitsPerEvent(perHub.objects),
      "write units",
      prices.tableWrite,
    ),
    line("Relay, EventBridge", relayed, "events", prices.busEvent),
    line("Relay, alarms", relayAlarms, "metrics watched", prices.alarmMonth),
    line("Lambda, time", compute, "GB-seconds", prices.lambdaGbSecond),
    line("Lambda, invocations", invocations, "requests", prices.lambdaRequest),
    line("SQS, standard", standardRequests, "requests", prices.sqsStandardRequest),
    line("SQS, FIFO", fifoRequests, "requests", prices.sqsFifoRequest),
    line("DynamoDB, writes", writes, "write units", prices.tableWrite),
    line("DynamoDB, reads", reads, "read units", prices.tableRead),
    line("DynamoDB, storage", (objects * 4 + scales * 4) / 1_000_000, "GB", prices.tableGbMonth),
    line("EventBridge, events", scales + sent, "events", prices.busEvent),
    line("CloudWatch, logs", logBytes / 1e9, "GB", prices.logGb),
    line("CloudWatch, metrics", metricCount(hubs, clusters), "metrics", prices.metricMonth),
    line("CloudWatch, alarms", alarmMetricCount(hubs), "metrics watched", prices.alarmMonth),
    line("CloudWatch, dashboard", 1, "dashboard", prices.dashboardMonth),
    line(
      "CloudWatch, metrics read",
      sweeps * fleet.cloudWatchMetrics,
      "metrics",
      prices.cloudWatchMetricRead,
    ),
    line("NAT gateway", fleet.natGateways * (MONTH_SECONDS / 3_600), "hours", prices.natGatewayHour),
    line("Secrets Manager", hubs, "secrets", prices.secretMonth),
  ];
  return lines.filter(({ dollars }) => dollars > 0).sort((a, b) => b.dollars - a.dollars);
}

/** Each change is written with the log of those before it, which becomes the base when it is long enough. */
function writeUnitsPerEvent(objects: number): number {
  const bindingsToo = 2 * objects;
  const changes = logLimit(bindingsToo);
  return 1 + (changes * LOG_KB_PER_CHANGE) / 2 + (bindingsToo * SEEN_KB_PER_OBJECT) / changes;
}

/** What is paid in any case: metrics, alarms, the dashboard, secrets, and Lambda's polling of the queues. */
export function fixedCost(
  hubs: number,
  clusters: number,
  prices: Prices = US_EAST_1,
  topology: Topology = TOPOLOGY,
): number {
  const queues = Object.values(topology.queues);
  const polls = queues.map(({ fifo }) => (fifo ? prices.sqsFifoRequest : prices.sqsStandardRequest));
  return (
    metricCount(hubs, clusters) * prices.metricMonth +
    alarmMetricCount(hubs, topology) * prices.alarmMonth +
    prices.dashboardMonth +
    hubs * prices.secretMonth +
    polls.reduce((sum, price) => sum + price * POLLS_PER_QUEUE, 0)
  );
}

/** Of one event from its bus rule to the end of `route`, alone in its invocation: its message, its mark, and one turn. */
function routedPrice(prices: Prices): number {
  const gbSeconds = (memoryOf((TOPOLOGY as Topology).functions.route) / 1024) * (ROUTE_WAIT_MS / 1000);
  return (
    3 * prices.sqsStandardRequest +
    gbSeconds * prices.lambdaGbSecond +
    prices.lambdaRequest +
    2 * prices.tableWrite +
    2 * prices.tableRead +
    (LOG_BYTES_PER_INVOCATION / 1e9) * prices.logGb
  );
}

/** Of one evaluation that an event asked for, alone in its invocation: its message, the reads, and the state. */
function evaluatedPrice({ podsPerObject }: FleetLoad, prices: Prices): number {
  const memoryMb = memoryOf((TOPOLOGY as Topology).functions.reconcile);
  const cpuMs = CPU_MS_PER_OBJECT + CPU_MS_PER_POD * podsPerObject;
  const ms = RECONCILE_WAIT_MS + cpuMs * (MEMORY_MB_OF_A_PROCESSOR / memoryMb);
  return (
    3 * prices.sqsFifoRequest +
    (memoryMb / 1024) * (ms / 1000) * prices.lambdaGbSecond +
    prices.lambdaRequest +
    WRITE_UNITS_PER_STATE * prices.tableWrite +
    2 * prices.tableRead +
    ((LOG_BYTES_PER_INVOCATION + LOG_BYTES_PER_MESSAGE) / 1e9) * prices.logGb
  );
}

export function totalOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

/**
 * Custom metrics: those of a hub, and the replicas of each cluster. CloudWatch takes money for a metric by the hours in
 * which it is written; those of what goes wrong come to $0.0004 an hour. Ref: Amazon CloudWatch pricing, "Metrics".
 */
function metricCount(hubs: number, clusters: number): number {
  return hubs * (Object.keys(MEASURES).length - 1 - SELDOM_MEASURES.length) + clusters;
}

/** Alarms are paid by the metrics that they watch; one more is for messages that name no hub. */
function alarmMetricCount(hubs: number, topology: Topology = TOPOLOGY): number {
  const ofHub = HUB_ALARMS.reduce((sum, { metrics }) => sum + Object.keys(metrics).length, 0);
  const all = Object.keys(topology.functions);
  const ofFunctions = FUNCTION_ALARMS.reduce((sum, { functions = all }) => sum + functions.length, 0);
  return hubs * ofHub + 1 + ofFunctions;
}

function line(item: string, quantity: number, unit: string, price: number): CostLine {
  return { item, quantity, unit, dollars: quantity * price };
}

function memoryOf(spec: { readonly memoryMb: number } | undefined): number {
  return spec?.memoryMb ?? 0;
}

function batchSizeOf(queue: string): number {
  for (const { triggers } of Object.values((TOPOLOGY as Topology).functions)) {
    for (const trigger of triggers) {
      if (trigger.kind === "queue" && trigger.queue === queue) return trigger.batchSize;
    }
  }
  return 1;
}

function check(fleet: FleetLoad): void {
  for (const [name, value] of Object.entries(fleet)) {
    if (!Number.isFinite(value) || value < 0)
      throw new Error(`${name} is ${value}; give a number of 0 or more`);
  }
  for (const name of ["objects", "namespaces", "hubs", "syncPeriodSeconds"] as const) {
    if (fleet[name] <= 0) throw new Error(`${name} is ${fleet[name]}; give a number above 0`);
  }
}
