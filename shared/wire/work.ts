import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { type BusEvent, parseBusEvent } from "./bus-event.ts";
import { type Parsed, parseBody } from "./message-body.ts";

z.config(en());

/** The messages between the functions. Bodies are JSON; each carries its version, so that an upgrade can tell. */

const objectKey = z.object({
  namespace: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
});

/** An object as the sweep found it: uid and generation tell whether it was made anew or its spec has changed since. */
const sweptObject = z.extend(objectKey, {
  uid: z.optional(z.string().check(z.minLength(1))),
  generation: z.optional(z.int()),
});
export type SweptObject = z.infer<typeof sweptObject>;

/** tick → sweep: evaluate the whole hub for this slot. */
const slotMessage = z.object({
  v: z.literal(1),
  kind: z.literal("slot"),
  hub: z.string().check(z.minLength(1)),
  slotMs: z.int().check(z.positive()),
});
export type SlotMessage = z.infer<typeof slotMessage>;

/** tick → cron: look at every rule of the hub's CronFederatedHPAs, up to this instant. */
const cronMessage = z.object({
  v: z.literal(1),
  kind: z.literal("cron"),
  hub: z.string().check(z.minLength(1)),
  dueAtMs: z.int().check(z.positive()),
});
export type CronMessage = z.infer<typeof cronMessage>;

/** sweep → reconcile: evaluate these objects, which form the shard, for this instant. */
const shardMessage = z.object({
  v: z.literal(1),
  kind: z.literal("shard"),
  hub: z.string().check(z.minLength(1)),
  shard: z.string().check(z.minLength(1)),
  dueAtMs: z.int().check(z.positive()),
  objects: z.array(sweptObject).check(z.minLength(1)),
});
export type ShardMessage = z.infer<typeof shardMessage>;

/**
 * One object on its own. reconcile → reconcile after a crash, so that only the culprit crashes again; cron → reconcile
 * after it set the object's bounds.
 */
const objectMessage = z.object({
  v: z.literal(1),
  kind: z.literal("object"),
  hub: z.string().check(z.minLength(1)),
  dueAtMs: z.int().check(z.positive()),
  object: sweptObject,
  /** The shard in whose group the message is; absent: it has a group of its own. */
  shard: z.optional(z.string().check(z.minLength(1))),
  /** It stands for a message that was lost to the crash, and is evaluated however late it comes. */
  afterCrash: z.boolean(),
  /** A person sent it again (`parked redrive`): a quarantine does not stop it. */
  redriven: z.optional(z.boolean()),
});
export type ObjectMessage = z.infer<typeof objectMessage>;

/**
 * route → reconcile: evaluate this object because of an event. Its instant is when the queue took it, which the message
 * itself cannot say.
 */
const eventMessage = z.object({
  v: z.literal(1),
  kind: z.literal("event"),
  hub: z.string().check(z.minLength(1)),
  /** The object's shard, whose group the message is in. */
  shard: z.string().check(z.minLength(1)),
  object: objectKey,
  /** Of the event, or of the one that waited for the floor. */
  eventId: z.string().check(z.minLength(1)),
});
export type EventMessage = z.infer<typeof eventMessage>;

const reconcileMessage = z.discriminatedUnion("kind", [shardMessage, objectMessage, eventMessage]);

/** route → route, held back by the queue: the floor of this object has passed, and events have come meanwhile. */
const laterMessage = z.object({
  v: z.literal(1),
  kind: z.literal("later"),
  hub: z.string().check(z.minLength(1)),
  object: objectKey,
  untilMs: z.int().check(z.positive()),
  eventId: z.string().check(z.minLength(1)),
});
export type LaterMessage = z.infer<typeof laterMessage>;

export type RouteMessage = LaterMessage | (BusEvent & { readonly kind: "event" });

export const parseSlotMessage = (body: string): Parsed<SlotMessage> => parseBody(slotMessage, body);
export const parseCronMessage = (body: string): Parsed<CronMessage> => parseBody(cronMessage, body);
export const parseReconcileMessage = (body: string): Parsed<ShardMessage | ObjectMessage | EventMessage> =>
  parseBody(reconcileMessage, body);

/** An event that a rule put on the queue, or what `route` itself held back. */
export function parseRouteMessage(body: string): Parsed<RouteMessage> {
  const later = parseBody(laterMessage, body);
  if (later.ok) return later;
  const event = parseBusEvent(body);
  return event.ok ? { ok: true, value: { ...event.value, kind: "event" } } : event;
}
