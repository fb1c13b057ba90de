/**
 * The local host: the topology and a fleet on this machine, on one clock. With an embedded fleet the clock is virtual
 * and may run at any speed; with a real hub it is the wall's.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RelayEvent } from "#app/relay/deps";
import { bundleFunctions } from "#infra/bundle";
import type { EventMapping } from "#infra/event-mapping";
import { TOPOLOGY } from "#infra/topology";
import type { HubSettings } from "#lambda/hub-settings";
import { ledgerEnvironment } from "#lambda/ledger-environment";
import type { Scenario } from "#sim/scenario/scenario";
import type { AwsCall } from "./aws/server.ts";
import { type AwsHost, type AwsHostEvent, lastInstantMs, startAws } from "./aws-host.ts";
import { type HostClock, virtualClock } from "./clock.ts";
import { type FleetHost, lastFleetInstantMs, startFleet } from "./fleet-host.ts";
import { LOCAL_HUBS } from "./hub-names.ts";
import type { ServedRequest } from "./kube/request-counts.ts";
import { realClock } from "./real-clock.ts";
import { startLocalRelay } from "./relay-host.ts";

export interface HostOptions {
  readonly hub: EmbeddedHub | RealHub;
  readonly dataDir: string;
  readonly observe: (event: AwsHostEvent) => void;
  /** Each request that the embedded hub served, before it is answered. */
  readonly observeRequest?: (request: ServedRequest) => void;
  /** Each request to the AWS endpoint, before it is served. */
  readonly observeCall?: (call: AwsCall) => void;
  /** What the functions log: every decision, or only changes. */
  readonly logDecisions: "all" | "changes";
  /** The user's own rules for events. */
  readonly eventMappings?: readonly EventMapping[];
  /** Which decisions they put on record, as LEDGER_DECISIONS has it; default `changes`. */
  readonly ledgerDecisions?: string;
  /** Whether a relay brings the hub's changes to the bus; told of what it does. Default: there is none. */
  readonly relay?: (event: RelayEvent) => void;
}

export interface EmbeddedHub {
  readonly kind: "embedded";
  readonly scenario: Scenario;
  /** Where the clock starts. */
  readonly startMs: number;
  /** Virtual seconds per second. */
  readonly speed: number;
  readonly webhooks: boolean;
  readonly port: number;
}

export interface RealHub {
  readonly kind: "real";
  readonly kubeconfig: string;
  readonly context?: string;
  readonly mode: "observe" | "active";
}

export interface Host {
  readonly clock: HostClock;
  readonly aws: AwsHost;
  /** Absent with a real hub. */
  readonly fleet?: FleetHost;
  /** Ends everything; within two seconds. */
  stop(): Promise<void>;
}

const BUNDLES = fileURLToPath(new URL("../../dist/functions", import.meta.url));

/** The instant up to which a data folder has run; undefined for a new one. */
export function rememberedInstantMs(dataDir: string): number | undefined {
  const instants = [lastInstantMs(dataDir), lastFleetInstantMs(dataDir)].filter((ms) => ms !== undefined);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** Starts everything; time stands still until `clock.runUntil`. Throws one sentence for what cannot start. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { hub, dataDir, observe, observeCall, logDecisions, ledgerDecisions } = options;
  mkdirSync(dataDir, { recursive: true });
  const clock = hub.kind === "real" ? realClock() : virtualClock({ startMs: hub.startMs, speed: hub.speed });
  const bundling = bundleFunctions(BUNDLES);
  const fleet =
    hub.kind === "real"
      ? undefined
      : await startFleet({ ...hub, clock, dataDir, observe: options.observeRequest });
  try {
    await bundling;
    const environment = {
      ...functionSettings(hubSettings(hub, fleet), logDecisions),
      ...ledgerEnvironment(ledgerDecisions, undefined),
    };
    const aws = await startAws({
      topology: TOPOLOGY,
      clock,
      dataDir,
      functions: { bundles: BUNDLES },
      ...(options.eventMappings === undefined ? {} : { eventMappings: options.eventMappings }),
      environment: () => environment,
      observe,
      ...(observeCall && { observeCall }),
    });
    const stopRelay = await relayOf(options, clock, aws, fleet).catch(async (error: unknown) => {
      await aws.stop();
      throw error;
    });
    return {
      clock,
      aws,
      ...(fleet === undefined ? {} : { fleet }),
      async stop() {
        clock.stop();
        await stopRelay();
        await aws.stop();
        await fleet?.stop();
      },
    };
  } catch (error) {
    await fleet?.stop();
    throw error;
  }
}

async function relayOf(
  { hub, relay }: HostOptions,
  clock: HostClock,
  { endpoint }: AwsHost,
  fleet: FleetHost | undefined,
): Promise<() => Promise<void>> {
  if (relay === undefined) return async () => {};
  const { name } = hubSettings(hub, fleet);
  const at = hub.kind === "real" ? hub : { kubeconfig: (fleet as FleetHost).kubeconfig };
  const store = fleet?.fleet.hub.store;
  return startLocalRelay({ ...{ hub: name, clock, endpoint, store, observe: relay }, ...at });
}

function hubSettings(hub: HostOptions["hub"], fleet: FleetHost | undefined): HubSettings {
  if (hub.kind === "real") {
    const { kubeconfig: path, context, mode } = hub;
    return { name: LOCAL_HUBS.real, kubeconfig: { path }, context, mode };
  }
  const { kubeconfig: path } = fleet as FleetHost;
  return { name: LOCAL_HUBS.embedded, kubeconfig: { path }, mode: "active" };
}

/** What every function is told besides where its parts are. */
export function functionSettings(
  hub: HubSettings,
  logDecisions: HostOptions["logDecisions"],
): Record<string, string> {
  const hubs = JSON.stringify([hub]);
  return { MAINSHEET_HUBS: hubs, METRICS_NAMESPACE: "Mainsheet", LOG_DECISIONS: logDecisions };
}
