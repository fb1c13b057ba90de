import { type HubLife, keyOf, type LifeChange } from "./hub-life.ts";
import type { Delivered } from "./relay-world.ts";

/**
 * What went wrong with the changes from `sinceMs` on: those of which no event tells that came after them, and events
 * beyond the one that a change may lead to. Copies under one id count once: `route` drops them. What changed there and
 * back again while nobody could see it, or was shown in the wrong order, leaves no difference to tell of.
 */
export function judge(life: HubLife, delivered: readonly Delivered[], sinceMs: number): readonly string[] {
  const events = new Map<string, Delivered[]>();
  for (const event of delivered) {
    const key = keyOf(event.detail);
    events.set(key, [...(events.get(key) ?? []), event]);
  }
  const changes = new Map<string, LifeChange[]>();
  for (const change of life.changes) changes.set(change.key, [...(changes.get(change.key) ?? []), change]);
  const keys = new Set([...events.keys(), ...changes.keys()]);
  return [...keys].flatMap((key) => judgeOne(key, changes.get(key) ?? [], events.get(key) ?? [], sinceMs));
}

function judgeOne(
  key: string,
  changes: readonly LifeChange[],
  events: readonly Delivered[],
  sinceMs: number,
): readonly string[] {
  const news = changes.filter(({ atMs }) => atMs >= sinceMs);
  const lastToldMs = Math.max(sinceMs, ...events.map(({ atMs }) => atMs));
  const told = changes.filter(({ atMs }) => atMs <= lastToldMs).at(-1)?.state ?? "";
  const untold = news.filter(({ atMs }) => atMs > lastToldMs);
  const tellsOf = causeOf(events.at(-1)?.detail.id ?? "", changes)?.state;
  const isBack = [told, tellsOf].includes(untold.at(-1)?.state);
  const lost = (isBack ? [] : untold).map(
    (change) => `${key}: the change at version ${change.resourceVersion} is lost`,
  );
  const causes = new Map<LifeChange, string>();
  const extra = [...new Set(events.map(({ detail }) => detail.id))].flatMap((id) => {
    const cause = causeOf(id, changes);
    if (cause === undefined || !news.includes(cause)) return [`${key}: ${id} tells of no change`];
    const other = causes.get(cause);
    causes.set(cause, id);
    return other === undefined ? [] : [`${key}: ${id} and ${other} tell of the same change`];
  });
  return [...lost, ...extra];
}

/** The last change of that object up to the version that the id names, or its deletion. */
function causeOf(id: string, changes: readonly LifeChange[]): LifeChange | undefined {
  const [uid, version] = id.split(":");
  const own = changes.filter((change) => change.uid === uid);
  if (version === "deleted") return own.find(({ isDeletion }) => isDeletion);
  return own.filter(({ resourceVersion }) => resourceVersion <= Number(version)).at(-1);
}
