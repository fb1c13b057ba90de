import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

z.config(en());

/**
 * The events on the bus (docs/events.md, which a test holds against these schemas). Every one of ours has the source
 * `mainsheet` and a detail with its version and an id, the same for copies of one event. Unknown fields are passed over.
 */
export const SOURCE = "mainsheet";

const text = () => z.string().check(z.minLength(1));
const count = () => z.int().check(z.nonnegative());
/** The same for copies of one event. */
const id = text().check(z.maxLength(512));
const hub = text();

/** A workload on the hub. */
const target = z.object({ apiVersion: text(), kind: text(), namespace: text(), name: text() });
export type EventTarget = z.infer<typeof target>;

/** From the relay: something that a decision looks at has changed on a hub or in a member. */
const objectChanged = z.object({
  v: z.literal(1),
  /** `<uid>:<resourceVersion>`; for a deletion, whose version a list does not say, `<uid>:deleted`. */
  id,
  hub,
  /** The member, for what was seen in one. */
  cluster: z.optional(text()),
  kind: text(),
  namespace: z.optional(text()),
  name: text(),
  change: z.enum(["added", "modified", "deleted"]),
  /** The workload that a ResourceBinding binds, or whose pods changed. */
  target: z.optional(target),
});
export type ObjectChanged = z.infer<typeof objectChanged>;

/** From anyone: evaluate a FederatedHPA (`namespace` and `name`), or those that scale a workload (`target`), now. */
const reconcileRequested = z
  .object({
    v: z.literal(1),
    /** Default: the id that EventBridge gave the event. */
    id: z.optional(id),
    hub,
    namespace: z.optional(text()),
    name: z.optional(text()),
    target: z.optional(target),
    reason: z.optional(z.string()),
  })
  .check(
    z.refine(
      ({ namespace, name, target }) =>
        (namespace !== undefined && name !== undefined) !== (target !== undefined),
      { error: "needs namespace and name of a FederatedHPA, or a target, and not both" },
    ),
  );
export type ReconcileRequested = z.infer<typeof reconcileRequested>;

/** A scale of a FederatedHPA's target was written. */
const scaleDecided = z.object({
  v: z.literal(1),
  /** The scale's, as in the history. */
  id,
  hub,
  namespace: text(),
  name: text(),
  target: z.object({ apiVersion: text(), kind: text(), name: text() }),
  before: count(),
  after: count(),
  /** Karmada's words, as in the Event SuccessfulRescale. */
  cause: z.string(),
  /**
   * What each cluster was to run when this was decided; null where it could not be read. How Karmada divides `after` is
   * for its scheduler to say. Absent for a scale that was found to have landed after a crash.
   */
  clusters: z.optional(z.record(text(), z.nullable(count()))),
});
export type ScaleDecided = z.infer<typeof scaleDecided>;

/** Of a FederatedHPA, because of what others do. */
const aboutOthers = z.object({
  v: z.literal(1),
  id,
  hub,
  namespace: text(),
  name: text(),
  /** Names who it was. */
  message: z.string(),
});

/** Others wrote the replicas of a FederatedHPA's target three times within ten minutes. */
const scaleConflict = aboutOthers;
export type ScaleConflict = z.infer<typeof scaleConflict>;

/** A FederatedHPA is left alone, since another autoscaler works on it. */
const autoscalerYielded = aboutOthers;
export type AutoscalerYielded = z.infer<typeof autoscalerYielded>;

/** A member could not be read twice in a row: from now on it is tried once in a slot, and is a named gap meanwhile. */
const clusterUnreadable = z.object({ v: z.literal(1), id, hub, cluster: text() });
export type ClusterUnreadable = z.infer<typeof clusterUnreadable>;

/** A rule of a CronFederatedHPA came due and was not done, or was found too late. */
const cronRunFailed = z.object({
  v: z.literal(1),
  id,
  hub,
  namespace: text(),
  name: text(),
  rule: text(),
  /** The instant at which it was due, RFC 3339. */
  scheduledAt: text(),
  message: z.string(),
});
export type CronRunFailed = z.infer<typeof cronRunFailed>;

/** Every type of ours by its detail-type. */
export const EVENT_SCHEMAS = {
  ObjectChanged: objectChanged,
  ReconcileRequested: reconcileRequested,
  ScaleDecided: scaleDecided,
  ScaleConflict: scaleConflict,
  AutoscalerYielded: autoscalerYielded,
  ClusterUnreadable: clusterUnreadable,
  CronRunFailed: cronRunFailed,
} as const;

export type EventType = keyof typeof EVENT_SCHEMAS;
export type EventDetail<T extends EventType> = z.infer<(typeof EVENT_SCHEMAS)[T]>;

/** An event of ours, ready for the bus. */
export function mainsheetEvent<T extends EventType>(detailType: T, detail: EventDetail<T>, atMs: number) {
  return { source: SOURCE, detailType, detail, atMs };
}
