import * as z from "zod/mini";
import { EVENT_SCHEMAS, type ObjectChanged, type ReconcileRequested, SOURCE } from "./events.ts";
import { type Parsed, parseBody, parseJson } from "./message-body.ts";

/** The envelope in which EventBridge hands an event on, of which these fields are read. */
const envelope = z.object({
  id: z.string().check(z.minLength(1)),
  source: z.string(),
  "detail-type": z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** Only on what an archive sends again. */
  "replay-name": z.optional(z.string()),
});

const alarmDetail = z.object({ alarmName: z.string().check(z.minLength(1)) });

/**
 * What an event asks for: to evaluate now, however old it is. `id` is the same for its copies; sent again from an archive
 * it is another event.
 */
export type BusEvent = { readonly id: string } & (
  | { readonly type: "ObjectChanged"; readonly detail: ObjectChanged }
  | { readonly type: "ReconcileRequested"; readonly detail: ReconcileRequested }
  /** A CloudWatch alarm has another state. */
  | { readonly type: "AlarmChanged"; readonly detail: { readonly alarmName: string } }
  /** Nothing that we know: of use to somebody else. */
  | { readonly type: "unknown"; readonly source: string; readonly detailType: string }
);

const ALARM_STATE_CHANGE = "CloudWatch Alarm State Change";

/** The event in a message that a rule put on a queue; a fault for what is no event, and for one of ours that is not as it should be. */
export function parseBusEvent(body: string): Parsed<BusEvent> {
  const parsed = parseBody(envelope, body);
  if (!parsed.ok) return parsed;
  const { id, source, detail, "detail-type": detailType, "replay-name": replay } = parsed.value;
  const idOf = (own: string) => (replay === undefined ? own : `${own}~${replay}`);
  if (source === SOURCE && detailType === "ObjectChanged") {
    const changed = parseJson(EVENT_SCHEMAS.ObjectChanged, detail, "detail");
    if (!changed.ok) return changed;
    return { ok: true, value: { id: idOf(changed.value.id), type: "ObjectChanged", detail: changed.value } };
  }
  if (source === SOURCE && detailType === "ReconcileRequested") {
    const asked = parseJson(EVENT_SCHEMAS.ReconcileRequested, detail, "detail");
    if (!asked.ok) return asked;
    const own = asked.value.id ?? id;
    return { ok: true, value: { id: idOf(own), type: "ReconcileRequested", detail: asked.value } };
  }
  if (source === "aws.cloudwatch" && detailType === ALARM_STATE_CHANGE) {
    const alarm = parseJson(alarmDetail, detail, "detail");
    if (!alarm.ok) return alarm;
    return { ok: true, value: { id: idOf(id), type: "AlarmChanged", detail: alarm.value } };
  }
  return { ok: true, value: { id: idOf(id), type: "unknown", source, detailType } };
}
