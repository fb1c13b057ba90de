import * as z from "zod/mini";
import { EVENT_SCHEMAS, type EventTarget, SOURCE } from "#wire/events";

/** A rule of yours: events of anybody that match have FederatedHPAs evaluated. */
export interface EventMapping {
  /** Letters, digits and dashes; no two have the same. */
  readonly name: string;
  /** `mainsheet`, or the account's own. Default: `default`. */
  readonly bus?: "default" | "mainsheet";
  /** An EventBridge event pattern. */
  readonly pattern: Readonly<Record<string, unknown>>;
  /** What to evaluate: one FederatedHPA, or those that scale a workload. */
  readonly evaluate:
    | { readonly hub: string; readonly namespace: string; readonly name: string }
    | { readonly hub: string; readonly target: EventTarget };
}

/** Of the event that matched: its own, or what stands for them in an input transformer. */
export interface MatchedEvent {
  readonly id: string;
  readonly time: string;
  readonly detailType: string;
}

/** The message that `route` gets for an event that matched: a request with the event's id, so that its copies are known. */
export function requestFor({ evaluate }: EventMapping, { id, time, detailType }: MatchedEvent): object {
  const detail = { v: 1, id, ...evaluate, reason: detailType };
  return { id, source: SOURCE, "detail-type": "ReconcileRequested", time, detail };
}

/** Throws one sentence for a mapping that cannot be. Files are not typed: what is there may be anything. */
export function checkMappings(mappings: readonly EventMapping[], hubs: readonly string[]): void {
  for (const [i, mapping] of mappings.entries()) {
    const where = `events[${i}]`;
    if (typeof mapping !== "object" || mapping === null)
      throw new Error(`${where} is no rule; give it a name, a pattern and what to evaluate`);
    const { name, bus = "default", pattern, evaluate } = mapping;
    if (typeof name !== "string" || !/^[A-Za-z][A-Za-z0-9-]*$/.test(name))
      throw new Error(`${where}.name is "${name}"; allowed are letters, digits and dashes`);
    if (mappings.findIndex((other) => other?.name === name) < i)
      throw new Error(`${where}.name is "${name}", as another one's; give each its own`);
    if (bus !== "default" && bus !== "mainsheet")
      throw new Error(`${where}.bus is "${bus}"; allowed are default and mainsheet`);
    if (typeof pattern !== "object" || pattern === null || Object.keys(pattern).length === 0)
      throw new Error(`${where}.pattern is empty; give an EventBridge event pattern`);
    const asked = z.safeParse(EVENT_SCHEMAS.ReconcileRequested, { v: 1, ...evaluate });
    if (!asked.success)
      throw new Error(`${where}.evaluate: ${asked.error.issues[0]?.message ?? "not as it should be"}`);
    if (!hubs.includes(asked.data.hub))
      throw new Error(`${where}.evaluate.hub is "${asked.data.hub}"; the hubs are ${hubs.join(", ")}`);
  }
}
