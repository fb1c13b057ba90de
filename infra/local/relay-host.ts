import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { fromKubeconfig } from "#adapters/kubernetes/hub";
import { nodePlatform } from "#adapters/node/platform";
import { brotli } from "#adapters/zlib/compression";
import type { RelayDeps, RelayEvent } from "#app/relay/deps";
import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import type { Change, Store } from "#sim/api/store";
import { REGION } from "./aws/names.ts";
import type { HostClock } from "./clock.ts";

export interface RelayHostOptions {
  /** The hub's name in the state. */
  readonly hub: string;
  readonly kubeconfig: string;
  readonly context?: string | undefined;
  readonly clock: HostClock;
  /** Of the table and the bus. */
  readonly endpoint: string;
  /** The embedded hub's store: time stands still from a change in it until that is published. Absent with a real hub. */
  readonly store?: Store | undefined;
  readonly observe: (event: RelayEvent) => void;
}

/** A watch on virtual time would else end many times a second. */
const WATCH_SECONDS = 86_400;
/** Longer than this time stands still for no change: a relay that is hindered must not stop the world. */
const LONGEST_HOLD_MS = 5_000;

/**
 * The relay beside the functions, in this process (decision 0005). Resolves when it has seen all there is; returns what
 * ends it, with a checkpoint.
 */
export async function startLocalRelay(options: RelayHostOptions): Promise<() => Promise<void>> {
  const { hub: name, clock, endpoint, observe } = options;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = { endpoint, region: REGION, credentials, maxAttempts: 2 };
  const hub = fromKubeconfig(options.kubeconfig, options.context);
  const progress = progressOf(options);
  const deps: RelayDeps = {
    ...nodePlatform(),
    clock,
    ...{ hub: name, holder: `local host ${process.pid}`, sources: HUB_SOURCES },
    table: dynamoTable("state", { documents: dynamoDocuments(client), clock }),
    bus: eventBridgeBus("mainsheet", eventBridgeClient(client)),
    compression: brotli,
    connect: (signal) => hub.within(signal),
    gather: progress.gathered,
    tell(event) {
      progress.tell(event);
      observe(event);
    },
    ...(clock.isVirtual ? { watchSeconds: WATCH_SECONDS } : {}),
  };
  const stop = new AbortController();
  const ended = runRelay(deps, stop.signal).finally(() => progress.end());
  await Promise.race([progress.caughtUp, ended]);
  return async () => {
    stop.abort();
    await ended.catch(() => {});
    await hub.close();
  };
}

/**
 * Holds the clock while the relay owes the bus something, and knows when it has seen all there was at its start, and all
 * that has changed since: two changes of an object at one instant are one event, however fast their bytes travel.
 */
function progressOf({ clock, store }: RelayHostOptions) {
  const seen = new Map<string, number>();
  const handled = new Map<string, number>();
  const owed = new Map<string, number>();
  let release: (() => void) | undefined;
  let limit: NodeJS.Timeout | undefined;
  let caughtUp = () => {};
  let gathered = () => {};

  function settle(): void {
    for (const [source, version] of owed) {
      if ((handled.get(source) ?? 0) >= version) owed.delete(source);
    }
    if (owed.size === 0) letGo();
    if (isAllSeen()) gathered();
  }
  function isAllSeen(): boolean {
    return [...owed].every(([source, version]) => (seen.get(source) ?? 0) >= version);
  }
  function letGo(): void {
    clearTimeout(limit);
    release?.();
    release = undefined;
  }
  function giveUp(): void {
    owed.clear();
    settle();
  }
  const unsubscribe = store?.subscribe(({ group, resource, resourceVersion }: Change) => {
    const source = HUB_SOURCES.find(
      (one) => one.resource.group === group && one.resource.resource === resource,
    );
    if (source === undefined) return;
    owed.set(source.name, resourceVersion);
    release ??= clock.hold();
    clearTimeout(limit);
    limit = setTimeout(giveUp, LONGEST_HOLD_MS);
  });

  return {
    caughtUp: new Promise<void>((resolve) => {
      caughtUp = resolve;
    }),
    async gathered(signal: AbortSignal): Promise<void> {
      if (isAllSeen() || signal.aborted) return;
      let end = () => {};
      const all = new Promise<void>((resolve) => {
        end = resolve;
      });
      gathered = end;
      signal.addEventListener("abort", end, { once: true });
      await all;
      signal.removeEventListener("abort", end);
    },
    tell(event: RelayEvent): void {
      if (event.kind !== "seen" && event.kind !== "listed" && event.kind !== "handled") return;
      const versions = event.kind === "handled" ? handled : seen;
      versions.set(event.source, Math.max(Number(event.resourceVersion), versions.get(event.source) ?? 0));
      if (handled.size === HUB_SOURCES.length) caughtUp();
      settle();
    },
    end(): void {
      unsubscribe?.();
      giveUp();
    },
  };
}
