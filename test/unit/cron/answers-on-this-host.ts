import { createHash } from "node:crypto";
import { join } from "node:path";
import { nextOccurrence } from "#domain/cron/occurrences";
import { parseTimetable } from "#domain/cron/timetable";
import { formatInZone } from "#domain/cron/wall-clock";
import { readCases, VECTORS } from "#test/golden/vector-files";

/** Run by `host-zones.test.ts` in processes of different zones; prints what it finds as JSON. */
const hourly = next({ schedule: "0 * * * *", timeZone: "UTC", from: "2025-10-05T02:00:00Z" });
const vectors = readCases(join(VECTORS, "cron.jsonl.gz")).map((vector) => next(vector.in as Rule));
console.log(
  JSON.stringify({
    hostOffsetMinutes: -new Date("2026-01-01T00:00:00Z").getTimezoneOffset(),
    hourly,
    answers: vectors.filter((answer) => answer !== undefined).length,
    digest: createHash("sha256").update(JSON.stringify(vectors)).digest("hex"),
  }),
);

interface Rule {
  readonly schedule: string;
  readonly timeZone: string;
  readonly from: string;
}

function next({ schedule, timeZone, from }: Rule): string | undefined {
  const fromMs = Date.parse(from);
  const parsed = parseTimetable({ schedule, timeZone }, fromMs);
  const nextMs = parsed.ok ? nextOccurrence(parsed.value, fromMs) : undefined;
  return nextMs === undefined ? undefined : formatInZone(timeZone, nextMs);
}
