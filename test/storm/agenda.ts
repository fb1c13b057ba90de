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
    runUntil(endMs) {
      const isNext = (entry: Entry | undefined): entry is Entry => entry !== undefined && entry.atMs <= endMs;
      let isUnderWay = false;
      return new Promise((resolve, reject) => {
        async function runNext(): Promise<void> {
          const entry = heap[0];
          if (isUnderWay || !isNext(entry)) return;
          pop(heap);
          nowMs = entry.atMs;
          isUnderWay = true;
          try {
            await entry.run();
          } catch (error) {
            heap.length = 0;
            reject(error);
          }
          isUnderWay = false;
        }
        function runAll(): void {
          if (isUnderWay || isNext(heap[0])) {
            for (let i = 0; i < ENTRIES_IN_A_TURN; i++) setImmediate(runNext);
            setImmediate(runAll);
          } else {
            nowMs = Math.max(nowMs, endMs);
            resolve();
          }
        }
        runAll();
      });
    },
  };
}

/**
 * Each entry has an immediate of its own: before one begins, every promise that could go on has gone on, and all that is
 * left waits for the agenda. Many immediates share one turn of the event loop, which costs more than most entries do.
 */
const ENTRIES_IN_A_TURN = 1_000;

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
