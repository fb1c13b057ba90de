/**
 * The embedded fleet on this machine: its stores over a journal, its controllers on the host's clock, its API on a
 * loopback port. The data folder holds `fleet.jsonl`, each server's changes in order, and `kubeconfig`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "#sim/api/store";
import { Store } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";
import type { Scenario } from "#sim/scenario/scenario";
import { type HostClock, RANK, type Timer } from "./clock.ts";
import { type Journal, openJournal, readJournal } from "./journal.ts";
import type { Rights } from "./kube/authorize.ts";
import { goDefinitions } from "./kube/go-schemas.ts";
import { kubeconfigOf } from "./kube/kubeconfig.ts";
import type { RequestCounts, ServedRequest } from "./kube/request-counts.ts";
import { serveKubernetes } from "./kube/server.ts";

export interface FleetHostOptions {
  readonly scenario: Scenario;
  readonly clock: HostClock;
  readonly dataDir: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Karmada's admission and defaulting of FederatedHPAs and CronFederatedHPAs; default on. */
  readonly webhooks?: boolean;
  readonly observe?: ((request: ServedRequest) => void) | undefined;
  /** What clients may do; absent: everything. */
  readonly rights?: Rights;
}

export interface FleetHost {
  readonly url: string;
  /** A file with a context for the hub and one for each member. */
  readonly kubeconfig: string;
  readonly fleet: Fleet;
  readonly counts: RequestCounts;
  /** To be called after a write that did not come over the API: the controllers act on it at once. */
  settle(): void;
  stop(): Promise<void>;
}

interface FleetEntry extends Omit<Change, "previous"> {
  readonly server: string;
  readonly atMs: number;
}

const JOURNAL = "fleet.jsonl";
/** A journal is compacted at start when it holds so many times what it has to remember. */
const COMPACT_BEYOND = 4;

/** The last instant of the fleet that a data folder remembers. */
export function lastFleetInstantMs(dataDir: string): number | undefined {
  return readJournal<FleetEntry>(join(dataDir, JOURNAL)).at(-1)?.atMs;
}

/** Throws one sentence for each of the scenario's objects that the hub refuses, and for a port that is taken. */
export async function startFleet(options: FleetHostOptions): Promise<FleetHost> {
  const { scenario, clock, dataDir, port = 0, webhooks = true, observe, rights } = options;
  const { journal, entries } = openJournal<FleetEntry>(join(dataDir, JOURNAL));
  try {
    const fleet = openFleet(scenario, clock, journal, entries, webhooks);
    const driver = driveFleet(fleet, clock);
    const server = await serveKubernetes({
      fleet,
      clock,
      port,
      afterWrite: driver.settle,
      ...(observe === undefined ? {} : { observe }),
      ...(rights === undefined ? {} : { rights }),
    });
    mkdirSync(dataDir, { recursive: true });
    const kubeconfig = join(dataDir, "kubeconfig");
    writeFileSync(kubeconfig, kubeconfigOf(server.url, fleet.members.keys()));
    return {
      url: server.url,
      kubeconfig,
      fleet,
      counts: server.counts,
      settle: driver.settle,
      async stop() {
        driver.stop();
        await server.close();
        journal.close();
      },
    };
  } catch (error) {
    journal.close();
    throw error;
  }
}

function openFleet(
  scenario: Scenario,
  clock: HostClock,
  journal: Journal<FleetEntry>,
  entries: readonly FleetEntry[],
  webhooks: boolean,
): Fleet {
  const stores = new Map<string, Store>();
  let journalling = false;
  const storeOf = (server: string): Store => {
    const onCommit = (change: Change) => {
      if (journalling) journal.append(entryOf(server, clock.nowMs(), change));
    };
    const store = new Store({ onCommit });
    store.restore(entries.filter((entry) => entry.server === server));
    stores.set(server, store);
    return store;
  };
  const admission = webhooks ? KARMADA_WEBHOOKS : [];
  const loaded = loadScenario(scenario, { storeOf, goDefinitions: goDefinitions(), admission });
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const kept = [...stores].flatMap(([server, store]) => remembered(server, store, clock.nowMs()));
  // All of a new fleet at once: one that was killed while it was made is made again.
  if (journal.length === 0 || journal.length > COMPACT_BEYOND * kept.length) journal.compact(kept);
  journalling = true;
  return loaded.fleet;
}

function entryOf(server: string, atMs: number, { previous: _previous, ...change }: Change): FleetEntry {
  return { server, atMs, ...change };
}

/** What a store must remember: every object as it is, and its last change, so that versions go on from there. */
function remembered(server: string, store: Store, atMs: number): FleetEntry[] {
  const objects = store.snapshot().map((change) => entryOf(server, atMs, change));
  const last = store.changesSince(store.resourceVersion - 1)?.at(-1);
  return last?.type === "DELETED" ? [...objects, entryOf(server, atMs, last)] : objects;
}

/** Lets the fleet act whenever something is due, and at once after a write. */
function driveFleet(fleet: Fleet, clock: HostClock): { settle(): void; stop(): void } {
  let timer: Timer | undefined;
  let stopped = false;
  const arm = () => {
    timer?.cancel();
    const dueMs = stopped ? undefined : fleet.nextDueMs(clock.nowMs());
    timer = dueMs === undefined ? undefined : clock.at(dueMs, settle, RANK.world);
  };
  function settle(): void {
    fleet.step(clock.nowMs());
    arm();
  }
  settle();
  return {
    settle,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
