import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueOccurrences, nextOccurrence, occurrences } from "#domain/cron/occurrences";
import { repeatedMinute } from "#domain/cron/repeated-minute";
import { skippedRuns } from "#domain/cron/skipped-runs";
import { parseTimetable, type Timetable } from "#domain/cron/timetable";
import { transitions } from "#domain/cron/transitions";
import { formatInZone, wallMs } from "#domain/cron/wall-clock";
import { minuteScan } from "#test/golden/cron/minute-scan";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = [
  ..."UTC America/New_York Europe/Berlin Europe/London Asia/Kolkata Asia/Kathmandu America/St_Johns".split(
    " ",
  ),
  ..."Australia/Lord_Howe Pacific/Chatham Antarctica/Troll Africa/Casablanca Africa/Cairo".split(" "),
  ..."Asia/Beirut America/Havana America/Santiago America/Sao_Paulo Pacific/Apia".split(" "),
];

const zone = fc.constantFrom(...ZONES);
const anyInstant = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2037, 0, 1) });

/** An instant within a day of a change of the zone's clock, where there is one within a year, else any. */
const zoneAndInstant = fc
  .tuple(zone, anyInstant, fc.nat(), fc.integer({ min: -20 * HOUR_MS, max: 2 * HOUR_MS }))
  .map(([name, instantMs, choice, awayMs]) => {
    const changes = transitions(name, instantMs, instantMs + 366 * DAY_MS);
    const change = changes[choice % Math.max(1, changes.length)];
    return { zone: name, instantMs: change === undefined ? instantMs : change.atMs + awayMs };
  });

const field = (min: number, max: number) => {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: max - min + 2 });
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    fc.constant("?"),
    value.map(String),
    range,
    fc.tuple(fc.oneof(fc.constant("*"), value.map(String), range), step).map((both) => both.join("/")),
  );
  return fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(","));
};

/** Some of them never fire. */
const schedule = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), fc.oneof(fc.constant("*"), field(1, 12)), field(0, 6))
  .map((fields) => fields.join(" "));

function firing(text: string, timeZone: string): Timetable | undefined {
  const parsed = parseTimetable({ schedule: text, timeZone }, 0);
  return parsed.ok ? parsed.value : undefined;
}

describe("the runs of a schedule", () => {
  it("are those of a scan, minute by minute, over a day around the changes of a clock", () => {
    fc.assert(
      fc.property(zoneAndInstant, schedule, ({ zone: name, instantMs }, text) => {
        const timetable = firing(text, name);
        fc.pre(timetable !== undefined);
        const toMs = instantMs + DAY_MS;
        const runs = [...occurrences(timetable, instantMs, toMs)];
        expect(runs).toEqual(minuteScan(text, name, { fromMs: instantMs, toMs }));
      }),
      { numRuns: 120 },
    );
  });

  it("next is strictly later and minimal: the scan finds nothing before it", () => {
    fc.assert(
      fc.property(zoneAndInstant, schedule, ({ zone: name, instantMs }, text) => {
        const timetable = firing(text, name);
        fc.pre(timetable !== undefined);
        const next = nextOccurrence(timetable, instantMs);
        fc.pre(next !== undefined && next < instantMs + 40 * DAY_MS);
        expect(next).toBeGreaterThan(instantMs);
        expect(minuteScan(text, name, { fromMs: instantMs, toMs: next })).toEqual([next]);
      }),
      { numRuns: 120 },
    );
  });

  it("asked for at once, one by one, or in two stretches are the same", () => {
    const hours = fc.integer({ min: 0, max: 24 });
    fc.assert(
      fc.property(
        zoneAndInstant,
        schedule,
        hours,
        hours,
        ({ zone: name, instantMs }, text, first, second) => {
          const timetable = firing(text, name);
          fc.pre(timetable !== undefined);
          const middleMs = instantMs + first * HOUR_MS;
          const toMs = middleMs + second * HOUR_MS;
          const iterated: number[] = [];
          let next = nextOccurrence(timetable, instantMs);
          while (next !== undefined && next <= toMs) {
            iterated.push(next);
            next = nextOccurrence(timetable, next);
          }
          expect([...occurrences(timetable, instantMs, toMs)]).toEqual(iterated);
          expect([
            ...occurrences(timetable, instantMs, middleMs),
            ...occurrences(timetable, middleMs, toMs),
          ]).toEqual(iterated);
          const due = dueOccurrences(timetable, instantMs, toMs);
          const latestMs = iterated.at(-1);
          expect(due).toEqual(latestMs === undefined ? undefined : { count: iterated.length, latestMs });
        },
      ),
      { numRuns: 80 },
    );
  });

  it("@every: one interval apart, whatever is asked between", () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.integer({ min: 60, max: 1e6 }),
        anyInstant,
        (anchorMs, everySeconds, afterMs) => {
          const timetable = { schedule: { kind: "interval", everySeconds }, zone: "UTC", anchorMs } as const;
          const next = nextOccurrence(timetable, afterMs) ?? 0;
          expect(next).toBeGreaterThan(afterMs);
          expect((next - Math.floor(anchorMs / 1000) * 1000) % (everySeconds * 1000)).toBe(0);
          expect(next).toBeGreaterThan(anchorMs);
          if (afterMs >= anchorMs) expect(next - afterMs).toBeLessThanOrEqual(everySeconds * 1000);
        },
      ),
    );
  });
});

describe("the clock of a zone", () => {
  it("shows what Intl prints, over two hundred years", () => {
    const instants = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(zone, instants, (timeZone, instantMs) => {
        // Swedish writes dates as ISO does.
        const format = new Intl.DateTimeFormat("sv-SE", {
          timeZone,
          dateStyle: "short",
          timeStyle: "medium",
        });
        expect(formatInZone(timeZone, instantMs).slice(0, 19)).toBe(
          format.format(instantMs).replace(" ", "T"),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("B67, B68: in every minute of a gap nothing runs; every repeated minute has its twin", () => {
    fc.assert(
      fc.property(zone, anyInstant, (name, fromMs) => {
        const everyMinute = firing("* * * * *", name) as Timetable;
        for (const change of transitions(name, fromMs, fromMs + 366 * DAY_MS)) {
          const shiftMs = change.offsetAfterMs - change.offsetBeforeMs;
          const [gap] = skippedRuns(everyMinute, change.atMs - 1, change.atMs);
          expect((gap?.runWallMs.length ?? 0) * 60_000).toBe(Math.max(0, shiftMs));
          if (shiftMs > 0) continue;
          const [first, second] = [change.atMs + shiftMs, change.atMs];
          expect(wallMs(name, first)).toBe(wallMs(name, second));
          expect([first, second].map((ms) => repeatedMinute(name, ms))).toEqual(["first", "second"]);
        }
      }),
      { numRuns: 50 },
    );
  });
});
