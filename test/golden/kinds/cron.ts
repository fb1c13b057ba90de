import { nextOccurrence } from "#domain/cron/occurrences";
import { parseTimetable } from "#domain/cron/timetable";
import { formatInZone } from "#domain/cron/wall-clock";
import type { Judge } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import { CRON_LEDGER, type CronAnswer, type CronInput } from "#test/golden/ledger/cron";

const RUNS = 5;
const REFUSED: CronAnswer = { webhookValid: false, schedulerAccepts: false, next: [], nextLocal: [] };

/**
 * We have one answer to what Karmada answers twice: what is admitted is what runs. The scheduler was started at `from`,
 * so that is the anchor of `@every`.
 */
export const judge: Judge<CronInput, Partial<CronAnswer>> = ({ in: input, out }) =>
  settle(CRON_LEDGER, { in: input, out: { ...REFUSED, ...answerIn(out) } }, answer(input));

function answerIn({ webhookValid, schedulerAccepts, next, nextLocal }: Partial<CronAnswer>) {
  const accepted = { webhookValid: webhookValid === true, schedulerAccepts: schedulerAccepts === true };
  return { ...accepted, next: next ?? [], nextLocal: nextLocal ?? [] };
}

function answer({ schedule, timeZone, from }: CronInput): CronAnswer {
  const fromMs = Date.parse(from);
  const parsed = parseTimetable({ schedule, timeZone }, fromMs);
  if (!parsed.ok) return REFUSED;
  const runs: number[] = [];
  let atMs: number | undefined = fromMs;
  while (runs.length < RUNS) {
    atMs = nextOccurrence(parsed.value, atMs);
    if (atMs === undefined) break;
    runs.push(atMs);
  }
  return {
    webhookValid: true,
    schedulerAccepts: true,
    next: runs.map((ms) => new Date(ms).toISOString()),
    nextLocal: runs.map((ms) => formatInZone(timeZone, ms)),
  };
}
