import type { ApiServer, WriteOptions } from "#sim/api/api-server";
import type { Outcome } from "#sim/api/failure";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { keyOf } from "#sim/api/object";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import type { Change } from "#sim/api/store";
import type { Kind } from "./kinds.ts";

/** The type under which a server serves a resource; undefined where it does not. */
export function typeOf(server: ApiServer, kind: Kind): ResourceType | undefined {
  return server.catalogue.find(apiVersionOf(kind), kind.resource);
}

/** The value of a write that nothing but a fault of this program can refuse: one writer, no stale versions. */
export function written<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`invariant: the fleet's own write was refused: ${outcome.status.message}`);
}

/**
 * A controller's pen for one resource of one server. It writes unconditionally: it has just read what it changes, and
 * nothing runs in between.
 */
export class Writer {
  readonly #server: ApiServer;
  readonly #kind: Kind;
  readonly #fieldManager: string | undefined;
  #lastStatus: JsonObject | undefined;

  /**
   * Without a field manager the writes leave no trace in managedFields and are trusted to be whole (cheap, for pods
   * and their kin).
   */
  constructor(server: ApiServer, kind: Kind, fieldManager?: string) {
    this.#server = server;
    this.#kind = kind;
    this.#fieldManager = fieldManager;
  }

  create(object: KubeObject, nowMs: number): KubeObject {
    return written(this.#server.create(this.#type(), object, this.#options(nowMs)));
  }

  /** Of an object that was read from the store, so what is not changed is complete. */
  update(object: KubeObject, nowMs: number): KubeObject {
    return written(this.#server.update(this.#type(), object, { ...this.#options(nowMs), trusted: true }));
  }

  updateStatus(object: KubeObject, status: JsonObject, nowMs: number): KubeObject {
    this.#lastStatus = status;
    const { apiVersion, kind, metadata } = object;
    const options = {
      nowMs,
      fieldManager: this.#fieldManager,
      trusted: true,
      subresource: "status",
    } as const;
    return written(this.#server.update(this.#type(), { apiVersion, kind, metadata, status }, options));
  }

  /** Whether a change is the status that this pen has just written: its controller has looked at the key already. */
  wrote({ object, previous }: Change): boolean {
    return this.#lastStatus === object.status && object.status !== previous?.status;
  }

  /** Starts a graceful deletion where the resource has one. */
  delete(object: KubeObject, nowMs: number): void {
    written(this.#server.delete(this.#type(), keyOf(object), { nowMs }));
  }

  /** Removes at once. */
  remove(object: KubeObject, nowMs: number): void {
    written(this.#server.delete(this.#type(), keyOf(object), { nowMs, gracePeriodSeconds: 0 }));
  }

  #type(): ResourceType {
    const type = typeOf(this.#server, this.#kind);
    if (type === undefined)
      throw new Error(`invariant: ${this.#server.name} serves no ${this.#kind.resource}`);
    return type;
  }

  #options(nowMs: number): WriteOptions {
    return this.#fieldManager === undefined
      ? { nowMs, trusted: true }
      : { nowMs, fieldManager: this.#fieldManager };
  }
}
