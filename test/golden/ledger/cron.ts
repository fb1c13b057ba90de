import { transitions } from "#domain/cron/transitions";
import { formatInZone } from "#domain/cron/wall-clock";
import { hasDate, minuteScan } from "#test/golden/cron/minute-scan";
import type { LedgerEntry } from "#test/golden/ledger";

export interface CronInput {
  readonly schedule: string;
  readonly timeZone: string;
  readonly from: string;
}

export interface CronAnswer {
  readonly webhookValid: boolean;
  readonly schedulerAccepts: boolean;
  /** The five runs after `from`, in UTC and on the clock of `timeZone`. */
  readonly next: readonly string[];
  readonly nextLocal: readonly string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SEARCHED_MS = 5 * 366 * DAY_MS;
const RUNS = 5;
const PREFIX = /^(?:CRON_)?TZ=(\S*) +/;

export const CRON_LEDGER: readonly LedgerEntry<CronInput, CronAnswer>[] = [
  {
    // Admitted is what the engine takes, if it fires at all, and not more often than every minute.
    id: "D-22",
    holds: () => true,
    instead: ({ schedule }, out) => {
      const runs = out.schedulerAccepts && fires(schedule) && !underAMinute(schedule);
      return {
        webhookValid: runs,
        schedulerAccepts: runs,
        next: runs ? out.next : [],
        nextLocal: runs ? out.nextLocal : [],
      };
    },
  },
  {
    // The engine walks over days and hours as if each change of a clock were one of an hour, on the hour, by day.
    id: "D-23",
    holds: (input) => !input.schedule.includes("@every") && transitionsAfter(input).some(unusual),
    instead: (input, out) => {
      if (!out.schedulerAccepts) return out;
      const runs = scannedRuns(input);
      return {
        ...out,
        next: runs.map((ms) => new Date(ms).toISOString()),
        nextLocal: runs.map((ms) => formatInZone(input.timeZone, ms)),
      };
    },
  },
];

function scannedRuns(input: CronInput): readonly number[] {
  const fields = input.schedule.replace(PREFIX, "");
  const runs: number[] = [];
  while (runs.length < RUNS) {
    const fromMs = runs.at(-1) ?? Date.parse(input.from);
    const [run] = minuteScan(fields, zoneOf(input), { fromMs, toMs: fromMs + SEARCHED_MS, count: 1 });
    if (run === undefined) break;
    runs.push(run);
  }
  return runs;
}

function fires(schedule: string): boolean {
  const fields = schedule.replace(PREFIX, "");
  return fields.startsWith("@") || hasDate(fields);
}

function underAMinute(schedule: string): boolean {
  const [, seconds] = /^@every (\d+)s$/.exec(schedule.replace(PREFIX, "")) ?? [];
  return seconds !== undefined && Number(seconds) < 60;
}

function zoneOf({ schedule, timeZone }: CronInput): string {
  return PREFIX.exec(schedule)?.[1] ?? timeZone;
}

type Change = ReturnType<typeof transitions>[number];

function transitionsAfter(input: CronInput): readonly Change[] {
  const fromMs = Date.parse(input.from);
  try {
    return transitions(zoneOf(input), fromMs - DAY_MS, fromMs + SEARCHED_MS);
  } catch {
    return [];
  }
}

/** By another amount than an hour, not on the hour, or over a midnight that then does not exist. */
function unusual({ atMs, offsetBeforeMs, offsetAfterMs }: Change): boolean {
  const [before, after] = [atMs + offsetBeforeMs, atMs + offsetAfterMs];
  const skipsMidnight = Math.ceil(before / DAY_MS) * DAY_MS < after;
  return Math.abs(after - before) !== HOUR_MS || before % HOUR_MS !== 0 || skipsMidnight;
}
