import { LEASE_MS } from "#app/relay/lease";
import type { Story, Violation } from "#test/storm/facts";
import { idOf, storedCheckpoints } from "./relay-log.ts";

/** Who was hindered by then tries again after so long, at the latest, and a call takes a second then. */
const LONGEST_BACK_OFF_MS = 15_000;
const CALL_MS = 1_000;

/**
 * I6, for the relay: once faults stop and a relay runs, one holds the lease within the longest back-off and the lease's
 * own time, and from then on never lets it run out; at the end nothing that it announced before then is open.
 */
export function relayWellAgain(story: Story): readonly Violation[] {
  const { facts, calmMs, endMs } = story;
  const lastUpMs = facts.findLast((fact) => fact.what === "relay" && fact.is === "up")?.atMs;
  if (lastUpMs === undefined) return [];
  const sinceMs = Math.max(calmMs, lastUpMs) + LONGEST_BACK_OFF_MS + LEASE_MS + 2 * CALL_MS;
  const stored = storedCheckpoints(facts);
  const heldMs = stored.filter(({ checkpoint }) => !checkpoint.released).map(({ atMs }) => atMs);
  const violations: Violation[] = [];
  const say = (clause: string, atMs: number, text: string) =>
    violations.push({ invariant: "I6", clause, atMs, text });

  const before = heldMs.filter((atMs) => atMs <= sinceMs).at(-1) ?? Number.NEGATIVE_INFINITY;
  const beats = [
    Math.max(before, sinceMs - LEASE_MS - 2 * CALL_MS),
    ...heldMs.filter((atMs) => atMs > sinceMs),
    endMs,
  ];
  beats.forEach((atMs, i) => {
    const gapMs = atMs - (beats[i - 1] ?? atMs);
    if (gapMs > LEASE_MS + 2 * CALL_MS) say("nobody-holds", atMs, `for ${gapMs} ms no relay held the lease`);
  });

  const { checkpoint } = stored.at(-1) ?? {};
  const open = new Set(checkpoint?.log.slice(checkpoint.confirmed).map(idOf));
  const old = stored.filter(({ atMs }) => atMs < endMs - LEASE_MS - 2 * CALL_MS).at(-1);
  for (const id of old?.checkpoint.log.map(idOf) ?? [])
    if (open.has(id)) say("unconfirmed", endMs, `${id} was announced long ago and is not confirmed`);
  return violations;
}
