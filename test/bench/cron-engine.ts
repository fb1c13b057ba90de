import { dueOccurrences } from "#domain/cron/occurrences";
import { parseTimetable } from "#domain/cron/timetable";
import type { Measurement, Section } from "#test/bench/section";

const FROM_MS = Date.UTC(2026, 0, 1);
const TO_MS = Date.UTC(2036, 0, 1);
const ROUNDS = 5;

/** How often each fires in ten years, counted on the calendar: 3652 days, 2608 of them weekdays, 625 a Friday or a 13th. */
const SCHEDULES: readonly { schedule: string; timeZone: string; fires: number }[] = [
  { schedule: "* * * * *", timeZone: "UTC", fires: 3652 * 1440 },
  { schedule: "*/5 * * * *", timeZone: "Europe/Berlin", fires: 3652 * 288 },
  { schedule: "30 8 * * MON-FRI", timeZone: "Asia/Shanghai", fires: 2608 },
  { schedule: "30 2 * * *", timeZone: "America/New_York", fires: 3652 - 10 },
  { schedule: "30 1 * * *", timeZone: "America/New_York", fires: 3652 + 10 },
  { schedule: "0 0 13 * 5", timeZone: "UTC", fires: 625 },
  { schedule: "0 0 29 2 *", timeZone: "UTC", fires: 2 },
];

/** Ten years of runs of a few schedules, by the zone's periods known already. */
export const cronEngine: Section = {
  name: "cron-engine",
  run: async () => SCHEDULES.map(measure),
};

function measure({ schedule, timeZone, fires }: (typeof SCHEDULES)[number]): Measurement {
  const parsed = parseTimetable({ schedule, timeZone }, FROM_MS);
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  const timetable = parsed.value;
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    const count = dueOccurrences(timetable, FROM_MS - 1, TO_MS - 1)?.count;
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    if (count !== fires) throw new Error(`${schedule} in ${timeZone}: expected ${fires} runs, got ${count}`);
  }
  const [firstMs = 0, ...later] = times;
  const medianMs = later.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0;
  return {
    schedule,
    timeZone,
    fires,
    firstMs: Number(firstMs.toFixed(2)),
    medianMs: Number(medianMs.toFixed(2)),
    nsPerFire: Math.round((medianMs * 1e6) / fires),
  };
}
