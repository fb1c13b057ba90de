import { backOffMs } from "#domain/relay/back-off";
import { Positions } from "#domain/relay/positions";
import { isPortFault } from "#ports/fault";
import type { KubernetesPort } from "#ports/kubernetes";
import type { RelayDeps } from "./deps.ts";
import type { Inbox } from "./inbox.ts";
import type { Source } from "./sources.ts";

const WATCH_SECONDS = 30;
/** A watch is resumed from where it was so long before its last event; what comes twice is known. */
export const RESUME_BEHIND_MS = 2_000;
/** After so many failures in a row the version itself may be the reason, as after an etcd backup was put back. */
const LIST_AFTER = 5;
/** A resource that is not served may be one day. */
const NOT_SERVED_MS = 60_000;
/** A watch that ends sooner has not been one. */
const SHORT_MS = 1_000;

/**
 * Puts everything that a source says into the inbox, from a version on, or from a list where there is none or it is no
 * longer held. Ends only when the signal aborts: what fails is told and tried again, later each time.
 */
export async function followSource(
  deps: RelayDeps,
  port: KubernetesPort,
  source: Source,
  from: string | undefined,
  inbox: Inbox,
  signal: AbortSignal,
): Promise<void> {
  const { timers } = deps;
  const received = new Positions(RESUME_BEHIND_MS);
  if (from !== undefined) received.restart(from, timers.nowMs());
  let failures = 0;

  async function list(): Promise<string> {
    const { items, resourceVersion } = await port.list(source.at, source.resource);
    const objects = items.flatMap((item) => source.read(item) ?? []);
    inbox.add({ kind: "list", source, objects, resourceVersion });
    deps.tell({ kind: "listed", source: source.name, objects: objects.length, resourceVersion });
    received.restart(resourceVersion, timers.nowMs());
    return resourceVersion;
  }

  async function watch(resourceVersion: string): Promise<void> {
    deps.tell({ kind: "watching", source: source.name, from: resourceVersion });
    const query = { resourceVersion, timeoutSeconds: deps.watchSeconds ?? WATCH_SECONDS, signal };
    for await (const event of port.watch(source.at, source.resource, query)) {
      failures = 0;
      const object = event.type === "BOOKMARK" ? undefined : source.read(event.object);
      const version = event.type === "BOOKMARK" ? event.resourceVersion : object?.resourceVersion;
      if (version === undefined) continue;
      if (event.type === "BOOKMARK") inbox.add({ kind: "bookmark", source, resourceVersion: version });
      else if (object !== undefined) inbox.add({ kind: "event", source, type: event.type, object });
      received.note(version, timers.nowMs());
      deps.tell({ kind: "seen", source: source.name, resourceVersion: version });
      await inbox.room(signal);
    }
  }

  async function again(error: unknown): Promise<void> {
    failures += 1;
    const isNotServed = isPortFault(error, "missing") && received.from() === undefined;
    const asked = isNotServed ? NOT_SERVED_MS : isPortFault(error) ? (error.retryAfterMs ?? 0) : 0;
    const againMs = Math.max(asked, backOffMs(failures, deps.chance()));
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error);
      deps.tell({ kind: "fault", where: source.name, message, againMs });
    }
    await timers.sleep(againMs, signal);
  }

  while (!signal.aborted) {
    const startedMs = timers.nowMs();
    const resumed = received.from();
    try {
      await watch(resumed ?? (await list()));
      if (timers.nowMs() - startedMs < SHORT_MS && !signal.aborted) await again(undefined);
      else failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      // The version is no longer held (410); or there is no such resource, which its list then says.
      const isGone = isPortFault(error, "missing") && resumed !== undefined;
      if (isGone || failures % LIST_AFTER === LIST_AFTER - 1) received.clear();
      if (!isGone) await again(error);
    }
  }
}
