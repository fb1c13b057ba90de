import { HUB_SOURCES } from "#app/relay/sources";
import type { Fact, Story, Violation, Watched } from "#test/storm/facts";
import type { LogEntry } from "#wire/relay-checkpoint";
import { type FirstSeen, firstSeen, idOf, keyOf, storedCheckpoints } from "./relay-log.ts";

type Change = Fact & Watched;

/** What happened so shortly before the end may still be on its way. */
const ON_ITS_WAY_MS = 15_000;
/**
 * Who sends an event may have lost the lease so long ago without a sign of it: an answer of the table (5 s) and one to
 * the question what was seen (5 s) can be late by their deadlines, and the lease is looked at every 1.5 s.
 */
const UNAWARE_MS = 12_000;

/**
 * I7, for changes on the hub where there is a relay: from the first list of a kind on, a change that matters and is still
 * so at the end is told of on the bus, under the one id that its announcement gives it. Every event was announced before
 * it was sent; what is announced is taken for published only when it is; and nobody sends or stores anything under a
 * lease that another relay has taken over.
 */
export function relayed(story: Story): readonly Violation[] {
  if (!story.facts.some(({ what }) => what === "relay")) return [];
  const checkpoints = new Set<Fact>(storedCheckpoints(story.facts));
  return [...announcedAndPublished(story), ...fenced(story.facts, checkpoints), ...untold(story)];
}

function violation(clause: string, atMs: number, text: string): Violation {
  return { invariant: "I7", clause, atMs, text };
}

/** Announced, then published, then taken for published. */
function announcedAndPublished({ facts, endMs }: Story): readonly Violation[] {
  const announced = new Map<string, number>();
  const open = new Map<string, number>();
  const found: Violation[] = [];
  for (const fact of facts) {
    if (fact.what === "published") {
      const { id } = fact.event;
      const atMs = announced.get(id);
      if (atMs === undefined || atMs > fact.sentAtMs)
        found.push(
          violation("unannounced", fact.atMs, `${fact.by} publishes ${id}, which nobody has announced`),
        );
      open.delete(id);
    }
    if (fact.what !== "checkpoint") continue;
    const { log, confirmed } = fact.checkpoint;
    for (let i = log.length - 1; i >= 0; i--) {
      const id = idOf(log[i] as LogEntry);
      // A log only grows at its end.
      if (announced.has(id)) break;
      announced.set(id, fact.atMs);
      open.set(id, fact.atMs);
    }
    if (open.size === 0) continue;
    const waiting = new Set(log.slice(confirmed).map(idOf));
    for (const id of open.keys()) {
      if (waiting.has(id)) continue;
      open.delete(id);
      found.push(violation("unpublished", fact.atMs, `${fact.by} takes ${id} for published, and it is not`));
    }
  }
  for (const [id, atMs] of open)
    if (atMs < endMs - ON_ITS_WAY_MS)
      found.push(violation("unpublished", atMs, `${id} was announced and never published`));
  return found;
}

/** One holder after the other, each under a fence of its own. */
function fenced(facts: readonly Fact[], checkpoints: ReadonlySet<Fact>): readonly Violation[] {
  const found: Violation[] = [];
  const takenAtMs = new Map<number, number>();
  const fenceOf = new Map<string, number>();
  let version = 0;
  let fence = 0;
  let holder = "";
  for (const fact of facts) {
    if (fact.what === "published") {
      const lostAtMs = takenAtMs.get((fenceOf.get(fact.by) ?? 0) + 1) ?? fact.sentAtMs;
      if (fact.sentAtMs <= lostAtMs + UNAWARE_MS) continue;
      const sinceMs = fact.sentAtMs - lostAtMs;
      const text = `${fact.by} publishes ${fact.event.id} ${sinceMs} ms after another took its lease`;
      found.push(violation("without-lease", fact.atMs, text));
    }
    if (fact.what !== "checkpoint" || !checkpoints.has(fact)) continue;
    const { by, atMs, checkpoint } = fact;
    const isHeld = checkpoint.fence === fence && by === holder;
    if (checkpoint.version !== version + 1 || !(isHeld || checkpoint.fence === fence + 1)) {
      const what = `version ${checkpoint.version} under fence ${checkpoint.fence}`;
      const after = `${holder} had stored version ${version} under fence ${fence}`;
      found.push(violation("two-holders", atMs, `${by} stores ${what} after ${after}`));
    }
    ({ version, fence } = checkpoint);
    holder = by;
    if (!takenAtMs.has(fence)) takenAtMs.set(fence, atMs);
    fenceOf.set(by, fence);
  }
  return found;
}

/** What is not as the bus was told last. */
function untold({ facts, endMs }: Story): readonly Violation[] {
  const seen = firstSeen(facts);
  const told = toldVersions(facts, seen);
  const changes = changesOf(facts);
  return [...changes].flatMap(([key, own]): readonly Violation[] => {
    const last = own.findLast(({ atMs }) => atMs < endMs - ON_ITS_WAY_MS);
    const sinceMs = seen.get(last?.source ?? "")?.atMs;
    if (last === undefined || sinceMs === undefined || last.atMs <= sinceMs) return [];
    const version = told.get(key)?.version ?? 0;
    if (version >= last.resourceVersion || stateAt(own, version) === stateOf(last)) return [];
    if (isTargetsOnly(last) && !isKnownTarget(last)) return [];
    const text = `${key} changed at version ${last.resourceVersion}, and nothing on the bus says so`;
    return [violation("untold", last.atMs, text)];
  });

  /** Whether a FederatedHPA that is there scales the workload, and was told of before this change, not after. */
  function isKnownTarget({ target, atMs }: Change): boolean {
    return [...changes.values()].some((own) => {
      const last = own.at(-1);
      if (last?.source !== "FederatedHPA" || last.digest === "" || last.target !== target) return false;
      const toldAtMs = told.get(`FederatedHPA ${last.object}`)?.atMs;
      return toldAtMs !== undefined && toldAtMs < atMs;
    });
  }
}

/** By source and object, in order. */
function changesOf(facts: readonly Fact[]): ReadonlyMap<string, readonly Change[]> {
  const changes = new Map<string, Change[]>();
  for (const fact of facts) {
    if (fact.what !== "watched") continue;
    const key = `${fact.source} ${fact.object}`;
    const own = changes.get(key) ?? [];
    own.push(fact);
    changes.set(key, own);
  }
  return changes;
}

/** By source and object, the version that was told of or was no news, and when last. */
function toldVersions(facts: readonly Fact[], seen: ReadonlyMap<string, FirstSeen>) {
  const told = new Map<string, { readonly version: number; readonly atMs: number }>();
  for (const [source, { versions, atMs }] of seen)
    for (const [object, version] of versions) told.set(`${source} ${object}`, { version, atMs });
  const goneAt = new Map<string, number>();
  for (const fact of facts)
    if (fact.what === "watched" && fact.digest === "") goneAt.set(fact.uid, fact.resourceVersion);
  for (const fact of facts) {
    if (fact.what !== "published") continue;
    const { id, kind, namespace, name } = fact.event;
    const [uid = "", suffix] = id.split(":");
    const version = suffix === "deleted" ? (goneAt.get(uid) ?? 0) : Number(suffix);
    const key = `${kind} ${keyOf({ name, ...(namespace === undefined ? {} : { namespace }) })}`;
    told.set(key, { version: Math.max(version, told.get(key)?.version ?? 0), atMs: fact.atMs });
  }
  return told;
}

/** The object as it was at a version; the same text, the same in what matters. */
function stateAt(own: readonly Change[], version: number): string {
  const last = own.findLast(({ resourceVersion }) => resourceVersion <= version);
  return last === undefined ? "" : stateOf(last);
}

function stateOf({ uid, digest }: Change): string {
  return digest === "" ? "" : `${uid} ${digest}`;
}

function isTargetsOnly({ source }: Change): boolean {
  return HUB_SOURCES.some(({ name, onlyTargets }) => name === source && onlyTargets);
}
