import type { ApiServer } from "#sim/api/api-server";
import type { Change } from "#sim/api/store";
import type { WorkQueue } from "./work-queue.ts";

/**
 * A level-triggered controller: it is told which keys were touched, compares what is with what should be, and writes
 * the difference. Looking twice writes nothing the second time.
 */
export interface Controller {
  readonly name: string;
  readonly queue: WorkQueue;
  /**
   * Touches the keys that a change concerns. When a fleet is built, every stored object is announced as ADDED, so what
   * is derived here is derived from the objects alone.
   */
  observe(change: Change, at: ApiServer): void;
  /**
   * Brings what hangs on one key up to date. Comes back with the instant at which the key must be looked at again, if
   * nothing touches it before; undefined when time alone changes nothing.
   */
  reconcile(key: string, nowMs: number): number | undefined;
}

/** Rounds in one instant after which controllers must be undoing each other's work. */
const MOST_ROUNDS = 10_000;

/** Runs controllers at one instant, in their order, until none has anything left to do. */
export function settle(controllers: readonly Controller[], nowMs: number): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let busy: Controller | undefined;
    for (const controller of controllers) {
      for (const key of controller.queue.take(nowMs)) {
        busy = controller;
        const dueMs = controller.reconcile(key, nowMs);
        controller.queue.schedule(key, dueMs === undefined ? undefined : Math.max(dueMs, nowMs));
      }
    }
    if (busy === undefined) return;
    if (round === MOST_ROUNDS - 1) throw new Error(`invariant: ${busy.name} never comes to rest`);
  }
}

/** Runs everything that is due up to `nowMs`, each at its own instant, and what was touched before the first of them. */
export function runUntil(controllers: readonly Controller[], nowMs: number): void {
  for (let due = firstDueMs(controllers); due !== undefined && due <= nowMs; due = firstDueMs(controllers)) {
    settle(controllers, due);
  }
  settle(controllers, nowMs);
}

/** The first instant at which a controller has something to do by itself. */
export function firstDueMs(controllers: readonly Controller[]): number | undefined {
  let first: number | undefined;
  for (const { queue } of controllers) {
    const due = queue.nextDueMs();
    if (due !== undefined && (first === undefined || due < first)) first = due;
  }
  return first;
}
