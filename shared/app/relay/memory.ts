import { Seen } from "#domain/relay/seen";
import type { WatchedObject, WorkloadRef } from "#domain/relay/watched-object";
import { Workloads } from "#domain/relay/workloads";
import { isPortFault } from "#ports/fault";
import type { BaseRef, LogEntry, RelayCheckpoint, SeenSources } from "#wire/relay-checkpoint";
import { decodeSeen, encodeSeen, partItems, partKey } from "#wire/relay-checkpoint";
import type { RelayDeps } from "./deps.ts";
import type { SourceChange } from "./events.ts";
import { AUTOSCALERS, type Source } from "./sources.ts";

/** What was seen of every source of a hub. */
export class Memory {
  readonly #sources = new Map<string, Seen>();
  /** Sources that have been listed once: what they say that is not known is new. */
  readonly #known = new Set<string>();
  readonly #targets = new Workloads();

  of(source: string): Seen {
    const seen = this.#sources.get(source) ?? new Seen(source === AUTOSCALERS ? this.#targets : undefined);
    this.#sources.set(source, seen);
    return seen;
  }

  knows(source: string): boolean {
    return this.#known.has(source);
  }

  /** The source's first list: what there is at that time is no news. */
  begin(
    source: string,
    { objects, gone = [] }: { readonly objects: readonly WatchedObject[]; readonly gone?: readonly string[] },
  ): void {
    for (const uid of gone) this.of(source).bury(uid);
    for (const object of objects) this.of(source).restore(object);
    this.#known.add(source);
  }

  apply({ source, change, object }: LogEntry): void {
    if (change === "deleted") this.of(source).remove(object);
    else this.of(source).restore(object);
  }

  /** Whether a FederatedHPA scales this workload. */
  isTarget(target: WorkloadRef | undefined): boolean {
    return this.#targets.has(target);
  }

  get size(): number {
    return [...this.#sources.values()].reduce((sum, seen) => sum + seen.size, 0);
  }

  /**
   * All that is worth keeping, as it was before what is still to be told: of pods, those that are ready and belong to a
   * target.
   */
  kept(sources: readonly Source[], untold: readonly SourceChange[]): SeenSources {
    const pods = new Set(sources.filter(({ kind }) => kind === "Pod").map(({ name }) => name));
    const isKept = ({ digest, target }: WatchedObject) => digest !== "" && this.isTarget(target);
    return Object.fromEntries(
      [...this.#known].map((source) => {
        const seen = this.of(source);
        /** By uid; of several changes of an object the first says what there was. */
        const before = new Map<string, WatchedObject | undefined>();
        for (const change of untold.filter((one) => one.source.name === source)) {
          if (!before.has(change.object.uid)) before.set(change.object.uid, change.before);
        }
        const objects = [...seen.objects()].filter(({ uid }) => !before.has(uid));
        objects.push(...[...before.values()].filter((object) => object !== undefined));
        const buried = new Set([...before.values()].map((object) => object?.uid));
        const gone = seen.gone.filter((uid) => !buried.has(uid));
        return [source, { objects: pods.has(source) ? objects.filter(isKept) : objects, gone }];
      }),
    );
  }
}

/**
 * The memory as the checkpoint has it, its log included, and from where to go on. A base that cannot be read leaves every
 * source known and empty, to be listed: then all there is counts as new, since what has changed can no longer be told.
 */
export async function recoverMemory(
  deps: RelayDeps,
  checkpoint: RelayCheckpoint,
): Promise<{ readonly memory: Memory; readonly positions: RelayCheckpoint["positions"] }> {
  const memory = new Memory();
  if (checkpoint.base === undefined) return { memory, positions: {} };
  const seen = await readBase(deps, checkpoint.base);
  if (seen === undefined) {
    const message = "what was seen cannot be read any more: every object counts as changed";
    deps.tell({ kind: "fault", where: "the checkpoint", message, againMs: 0 });
  }
  const empty = Object.fromEntries(deps.sources.map(({ name }) => [name, { objects: [], gone: [] }]));
  for (const [source, there] of Object.entries(seen ?? empty)) memory.begin(source, there);
  for (const entry of checkpoint.log) memory.apply(entry);
  return { memory, positions: seen === undefined ? {} : checkpoint.positions };
}

async function readBase(deps: RelayDeps, { stamp, parts }: BaseRef): Promise<SeenSources | undefined> {
  const { table, hub, clock, compression } = deps;
  const keys = Array.from({ length: parts }, (_, part) => partKey(hub, stamp, part));
  const read = { nowMs: clock.nowMs(), consistent: true };
  const items = await Promise.all(keys.map((key) => table.get(key, read)));
  const texts = items.map((item) => item?.text);
  if (!texts.every((text) => typeof text === "string")) return undefined;
  try {
    return decodeSeen(await compression.decompress(texts.join("")));
  } catch (error) {
    if (isPortFault(error, "invalid")) return undefined;
    throw error;
  }
}

/** Writes all that was seen and told of beside the checkpoint, which refers to it once it carries what comes back. */
export async function writeBase(
  deps: RelayDeps,
  memory: Memory,
  untold: readonly SourceChange[],
): Promise<BaseRef> {
  const text = await deps.compression.compress(encodeSeen(memory.kept(deps.sources, untold)));
  const stamp = deps.ids.next();
  const items = partItems(deps.hub, stamp, text);
  for (const item of items) await deps.table.put(item, { if: "none" });
  return { stamp, parts: items.length };
}

/** Best effort: a part that stays is never read. */
export async function dropBase(deps: RelayDeps, { stamp, parts }: BaseRef): Promise<void> {
  for (let part = 0; part < parts; part++) {
    try {
      await deps.table.delete(partKey(deps.hub, stamp, part), { if: "none" });
    } catch (error) {
      if (!isPortFault(error)) throw error;
    }
  }
}
