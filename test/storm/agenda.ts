import { mixedHash } from "#domain/units/hash";
import type { Clock } from "#ports/clock";

/** Virtual time: what is to happen, and when. Time moves only from one entry to the next. */
export interface Agenda extends Clock {
  /** Runs at the instant, or now where that has passed. Entries of one instant run in an order that the seed gives. */
  at(atMs: number, run: () => unknown): void;
  /** Runs everything up to the instant, each entry with all that it sets going before the next. */
  runUntil(atMs: number): Promise<void>;
}

interface Entry {
  readonly atMs: number;
  readonly rank: number;
  readonly run: () => unknown;
}

export function openAgenda(startMs: number, seed: string): Agenda {
  const heap: Entry[] = [];
  let nowMs = startMs;
  let added = 0;

  return {
    nowMs: () => nowMs,
    at(atMs, run) {
      added += 1;
      push(heap, { atMs: Math.max(Math.ceil(atMs), nowMs), rank: mixedHash(`${seed}/agenda/${added}`), run });
    },
    async runUntil(endMs) {
      for (let entry = heap[0]; entry !== undefined && entry.atMs <= endMs; entry = heap[0]) {
        pop(heap);
        nowMs = entry.atMs;
        await entry.run();
        await quiet();
      }
      nowMs = Math.max(nowMs, endMs);
    },
  };
}

/** Until every promise that could go on has gone on, and all that is left waits for the agenda. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.rank < b.rank);
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(entry, heap[parent] as Entry)) break;
    heap[at] = heap[parent] as Entry;
    at = parent;
  }
  heap[at] = entry;
}

/** Takes out the first. */
function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child += 1;
    if (!isBefore(heap[child] as Entry, last)) break;
    heap[at] = heap[child] as Entry;
    at = child;
  }
  heap[at] = last;
}
