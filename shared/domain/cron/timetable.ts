import type { Parsed } from "#domain/units/parsed";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { parseZone } from "./time-zone.ts";

/** All that decides when a rule fires. */
export interface Timetable {
  readonly schedule: Schedule;
  /** The zone on whose clock a calendar schedule is read: the one of its prefix, else the rule's own. */
  readonly zone: string;
  /**
   * What `@every` counts from: the first run is one interval later. Calendar schedules do not look at it. The caller
   * keeps it (D-22: the instant at which the rule was first seen), since the engine loses it at every restart.
   */
  readonly anchorMs: number;
}

/** The timetable of a rule, or what is wrong with its schedule or its zone (`ScheduleFaultCode`, `ZoneFaultCode`). */
export function parseTimetable(
  rule: { readonly schedule: string; readonly timeZone?: string | undefined },
  anchorMs: number,
): Parsed<Timetable> {
  const schedule = parseSchedule(rule.schedule);
  if (!schedule.ok) return schedule;
  const zone = parseZone(rule.timeZone ?? "");
  if (!zone.ok) return zone;
  const prefix = schedule.value.kind === "calendar" ? schedule.value.zone : undefined;
  return { ok: true, value: { schedule: schedule.value, zone: prefix ?? zone.value, anchorMs } };
}
