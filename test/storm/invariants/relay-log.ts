import { changeOf } from "#domain/relay/watched-object";
import type { Fact } from "#test/storm/facts";
import { decodeSeen, type LogEntry, type RelayCheckpoint, type SeenSources } from "#wire/relay-checkpoint";

/** A checkpoint as it was stored. */
export type Stored = Fact & { readonly what: "checkpoint"; readonly checkpoint: RelayCheckpoint };

/** Of an announced change: the id of the event that tells of it. */
export function idOf({ change, object }: LogEntry): string {
  return changeOf(change, object).id;
}

/** The checkpoints that were stored, in order; a write that was repeated under its id counts once. */
export function storedCheckpoints(facts: readonly Fact[]): readonly Stored[] {
  let last: Stored | undefined;
  return facts.flatMap((fact): readonly Stored[] => {
    if (fact.what !== "checkpoint") return [];
    const isRepeated = last?.by === fact.by && last.checkpoint.version === fact.checkpoint.version;
    if (isRepeated) return [];
    last = fact;
    return [fact];
  });
}

export interface FirstSeen {
  /** From when on every change of the source is told of. */
  readonly atMs: number;
  /** The versions of the source's objects as they were taken for no news, by `namespace/name`. */
  readonly versions: ReadonlyMap<string, number>;
}

/** By source, what the first checkpoint that knows it has seen of it. */
export function firstSeen(facts: readonly Fact[]): ReadonlyMap<string, FirstSeen> {
  const texts = new Map<string, string>();
  const found = new Map<string, FirstSeen>();
  let known: string | undefined;
  for (const fact of facts) {
    if (fact.what === "seen-part") texts.set(fact.stamp, `${texts.get(fact.stamp) ?? ""}${fact.text}`);
    if (fact.what !== "checkpoint") continue;
    const { stamp } = fact.checkpoint.base ?? {};
    if (stamp === undefined || stamp === known) continue;
    known = stamp;
    for (const [source, seen] of Object.entries(decodeSeen(texts.get(stamp) ?? "") ?? {}))
      if (!found.has(source)) found.set(source, { atMs: fact.atMs, versions: versionsOf(seen) });
  }
  return found;
}

function versionsOf({ objects }: SeenSources[string]): ReadonlyMap<string, number> {
  return new Map(objects.map((object) => [keyOf(object), Number(object.resourceVersion)]));
}

/** `namespace/name`, or the name of what has no namespace. */
export function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
