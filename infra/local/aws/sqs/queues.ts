/**
 * The queues of this machine, standard and FIFO, over a journal. Everything is synchronous: a call decides, writes the
 * journal and changes the state in one step.
 *
 * Unlike SQS: a standard queue keeps its order and delivers no duplicates of its own; nothing expires by retention.
 */
import { randomUUID } from "node:crypto";
import { AwsError } from "#infra/local/aws/error";
import { type HostClock, RANK, type Timer } from "#infra/local/clock";
import { openJournal } from "#infra/local/journal";
import { type Refusal, refusalOf, type SendEntry } from "./rules.ts";
import {
  applyEntry,
  DEDUPLICATION_MS,
  entriesOf,
  isInFlight,
  type QueueEntry,
  type QueueMessage,
  QueueState,
} from "./state.ts";

export interface QueueConfig {
  /** As in AWS: a FIFO queue's name ends in `.fifo`. */
  readonly name: string;
  readonly visibilitySeconds: number;
  readonly delaySeconds?: number;
  readonly redrive?: { readonly deadLetters: string; readonly maxReceives: number };
}

export interface Received {
  readonly message: QueueMessage;
  readonly receiptHandle: string;
}

export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface QueuesOptions {
  readonly configs: readonly QueueConfig[];
  readonly clock: HostClock;
  /** Absent: nothing survives a restart. */
  readonly journalPath?: string;
}

/** A journal is written anew when it has at least this many entries, and twice as many as the last time. */
const MIN_ENTRIES_TO_COMPACT = 50_000;

export class Queues {
  readonly #clock: HostClock;
  readonly #configs: ReadonlyMap<string, QueueConfig>;
  readonly #states: ReadonlyMap<string, QueueState>;
  readonly #journal: ReturnType<typeof openJournal<QueueEntry>>["journal"] | undefined;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #wakes = new Map<string, { atMs: number; timer: Timer }>();
  #compactAt = MIN_ENTRIES_TO_COMPACT;

  constructor({ configs, clock, journalPath }: QueuesOptions) {
    this.#clock = clock;
    this.#configs = new Map(configs.map((config) => [config.name, config]));
    this.#states = new Map(configs.map((config) => [config.name, new QueueState()]));
    if (journalPath === undefined) return;
    const { journal, entries } = openJournal<QueueEntry>(journalPath);
    for (const entry of entries) applyEntry(this.#states, entry);
    this.#journal = journal;
    this.#compact(Math.max(clock.nowMs(), entries.at(-1)?.atMs ?? 0));
  }

  get names(): readonly string[] {
    return [...this.#configs.keys()];
  }

  config(name: string): QueueConfig {
    const config = this.#configs.get(name);
    if (config !== undefined) return config;
    throw new AwsError("QueueDoesNotExist", "The specified queue does not exist.");
  }

  /** Accepts a message, or says why not. A FIFO queue answers a de-duplication id of the last 5 minutes with the first message. */
  send(name: string, entry: SendEntry): { messageId: string; sequence: number } | Refusal {
    const config = this.config(name);
    const fifo = isFifo(name);
    const refusal = refusalOf(entry, fifo);
    if (refusal !== undefined) return refusal;
    const state = this.#state(name);
    const atMs = this.#clock.nowMs();
    const id = entry.MessageDeduplicationId;
    const before = id === undefined ? undefined : state.deduplication.get(id);
    if (before !== undefined && atMs - before.atMs < DEDUPLICATION_MS) return before;
    const message: QueueMessage = {
      id: randomUUID(),
      sequence: state.nextSequence,
      body: entry.MessageBody ?? "",
      sentAtMs: atMs,
      ...(entry.MessageGroupId !== undefined && { groupId: entry.MessageGroupId }),
      ...(id !== undefined && { deduplicationId: id }),
      receives: 0,
      receivesHere: 0,
      visibleAtMs: atMs + (entry.DelaySeconds ?? config.delaySeconds ?? 0) * 1000,
    };
    this.#record({ kind: "message", queue: name, atMs, message });
    this.#wakeAt(name, message.visibleAtMs);
    return { messageId: message.id, sequence: message.sequence };
  }

  /**
   * Hands out up to `max` messages and hides them. A FIFO group of which something is in flight gives nothing; a
   * group that gives something gives its oldest first. What was received too often goes to the dead letters instead.
   */
  receive(name: string, max: number, visibilitySeconds?: number): readonly Received[] {
    const config = this.config(name);
    const fifo = isFifo(name);
    const state = this.#state(name);
    const atMs = this.#clock.nowMs();
    const visibleAtMs = atMs + (visibilitySeconds ?? config.visibilitySeconds) * 1000;
    const locked = fifo ? lockedGroups(state, atMs) : new Set<string>();
    const ids: string[] = [];
    for (const message of state.messages.values()) {
      if (ids.length === max) break;
      const group = message.groupId ?? "";
      if (message.visibleAtMs > atMs) {
        if (fifo) locked.add(group);
      } else if (fifo && locked.has(group)) {
      } else if (config.redrive !== undefined && message.receivesHere >= config.redrive.maxReceives) {
        this.#giveUp(name, message, config.redrive.deadLetters, atMs);
      } else {
        ids.push(message.id);
      }
    }
    if (ids.length === 0) return [];
    this.#record({ kind: "received", queue: name, atMs, ids, visibleAtMs });
    this.#wakeAt(name, visibleAtMs);
    return ids.flatMap((id) => {
      const message = state.messages.get(id);
      return message === undefined ? [] : [{ message, receiptHandle: receiptHandle(message) }];
    });
  }

  /** Removes what these receipts are for; an old receipt, or one of a message that is gone, does nothing. */
  delete(name: string, receiptHandles: readonly string[]): void {
    const state = this.#state(name);
    const atMs = this.#clock.nowMs();
    const ids = receiptHandles.flatMap((handle) => {
      const message = this.#received(state, handle);
      if (message === undefined) return [];
      if (isFifo(name) && !isInFlight(message, atMs)) {
        throw new AwsError(
          "InvalidParameterValue",
          `Value ${handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
        );
      }
      return [message.id];
    });
    if (ids.length === 0) return;
    this.#record({ kind: "deleted", queue: name, atMs, ids });
    if (isFifo(name)) this.#wakeAt(name, atMs);
  }

  changeVisibility(name: string, handle: string, seconds: number): void {
    const atMs = this.#clock.nowMs();
    const message = this.#received(this.#state(name), handle);
    if (message === undefined || !isInFlight(message, atMs)) {
      throw new AwsError("MessageNotInflight", "The specified message isn't in flight.");
    }
    const visibleAtMs = atMs + seconds * 1000;
    this.#record({ kind: "hidden", queue: name, atMs, id: message.id, visibleAtMs });
    this.#wakeAt(name, visibleAtMs);
  }

  purge(name: string): void {
    const ids = [...this.#state(name).messages.keys()];
    this.#record({ kind: "deleted", queue: name, atMs: this.#clock.nowMs(), ids });
  }

  depth(name: string): QueueDepth {
    const nowMs = this.#clock.nowMs();
    const depth = { visible: 0, inFlight: 0, delayed: 0 };
    for (const message of this.#state(name).messages.values()) {
      if (message.visibleAtMs <= nowMs) depth.visible += 1;
      else if (isInFlight(message, nowMs)) depth.inFlight += 1;
      else depth.delayed += 1;
    }
    return depth;
  }

  /** Calls back whenever there may be something to receive: as a timer of the clock, so never from within a call. */
  subscribe(name: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    this.#wakeAt(name, this.#clock.nowMs());
    return () => listeners.delete(listener);
  }

  close(): void {
    for (const { timer } of this.#wakes.values()) timer.cancel();
    this.#journal?.close();
  }

  #state(name: string): QueueState {
    this.config(name);
    return this.#states.get(name) as QueueState;
  }

  #record(entry: QueueEntry): void {
    this.#journal?.append(entry);
    applyEntry(this.#states, entry);
    if (this.#journal !== undefined && this.#journal.length >= this.#compactAt) this.#compact(entry.atMs);
  }

  #compact(atMs: number): void {
    this.#journal?.compact(entriesOf(this.#states, atMs));
    this.#compactAt = Math.max(MIN_ENTRIES_TO_COMPACT, 2 * (this.#journal?.length ?? 0));
  }

  #giveUp(name: string, message: QueueMessage, deadLetters: string, atMs: number): void {
    const sequence = this.#state(deadLetters).nextSequence;
    this.#record({ kind: "moved", queue: name, atMs, id: message.id, to: deadLetters, sequence });
    this.#wakeAt(deadLetters, atMs);
  }

  #received(state: QueueState, handle: string): QueueMessage | undefined {
    const [id, receives] = Buffer.from(handle, "base64url").toString().split(" ");
    if (id === undefined || receives === undefined) {
      throw new AwsError("ReceiptHandleIsInvalid", `The input receipt handle "${handle}" is not valid.`, 404);
    }
    const message = state.messages.get(id);
    return message !== undefined && message.receives === Number(receives) ? message : undefined;
  }

  #wakeAt(name: string, atMs: number): void {
    const planned = this.#wakes.get(name);
    if (planned !== undefined && planned.atMs <= atMs) return;
    if ((this.#listeners.get(name)?.size ?? 0) === 0) return;
    planned?.timer.cancel();
    const timer = this.#clock.at(atMs, () => this.#wake(name), RANK.cloud);
    this.#wakes.set(name, { atMs, timer });
  }

  #wake(name: string): void {
    this.#wakes.delete(name);
    const nowMs = this.#clock.nowMs();
    let next = Number.POSITIVE_INFINITY;
    for (const { visibleAtMs } of this.#state(name).messages.values()) {
      if (visibleAtMs > nowMs) next = Math.min(next, visibleAtMs);
    }
    if (Number.isFinite(next)) this.#wakeAt(name, next);
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
}

export function isFifo(name: string): boolean {
  return name.endsWith(".fifo");
}

function lockedGroups(state: QueueState, nowMs: number): Set<string> {
  const locked = new Set<string>();
  for (const message of state.messages.values()) {
    if (isInFlight(message, nowMs)) locked.add(message.groupId ?? "");
  }
  return locked;
}

/** Another one each time the message is received. */
function receiptHandle(message: QueueMessage): string {
  return Buffer.from(`${message.id} ${message.receives}`).toString("base64url");
}
