import { mixedHash } from "#domain/units/hash";

/** A load's course between its low (0) and its high (1). Seconds count from the first slot. */
export type Course = (seconds: number) => number;

export interface CourseContext {
  readonly fromMs: number;
  readonly spanSeconds: number;
  readonly seed: string;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Whole days since the epoch are counted from a Thursday. */
const EPOCH_WEEKDAY = 4;

/**
 * The named shapes, each from low to high:
 *
 * - steady  the middle between them, all the time
 * - ramp    low to high in a straight line over the whole span
 * - step    low for the first third, high for the second, low again
 * - spike   low, but from the middle of the span: up within a minute, high for ten, down within five
 * - spiky   low, with spikes by the seed: one every hour and a half on average, each 2 to 17 minutes long, to between
 *           half and all of high
 * - day     a sine over 24 h: low at 03:00 UTC, high at 15:00 UTC
 * - week    `day`, on Saturdays and Sundays at 40 % of it
 * - noisy   another value by the seed every minute, anywhere between low and high
 */
export const LOAD_SHAPES: Readonly<Record<string, (context: CourseContext) => Course>> = {
  steady: () => () => 0.5,
  ramp:
    ({ spanSeconds }) =>
    (seconds) =>
      clamp(seconds / spanSeconds),
  step:
    ({ spanSeconds }) =>
    (seconds) =>
      seconds >= spanSeconds / 3 && seconds < (2 * spanSeconds) / 3 ? 1 : 0,
  spike:
    ({ spanSeconds }) =>
    (seconds) =>
      spikeAt(seconds - spanSeconds / 2, MINUTE, 10 * MINUTE, 5 * MINUTE),
  spiky:
    ({ seed }) =>
    (seconds) =>
      spikyAt(seed, seconds),
  day:
    ({ fromMs }) =>
    (seconds) =>
      dayAt(fromMs / 1000 + seconds),
  week:
    ({ fromMs }) =>
    (seconds) =>
      weekAt(fromMs / 1000 + seconds),
  noisy:
    ({ seed }) =>
    (seconds) =>
      chance(seed, "noisy", Math.floor(seconds / MINUTE)),
};

/** 0 before; up within `rise`, 1 for `hold`, down within `fall`, 0 afterwards. */
function spikeAt(seconds: number, rise: number, hold: number, fall: number): number {
  return clamp(seconds / rise) - clamp((seconds - rise - hold) / fall);
}

const SPIKY_PERIOD = 1.5 * HOUR;

/** One spike begins in the first half of each period, so that it is over before the period ends. */
function spikyAt(seed: string, seconds: number): number {
  const period = Math.floor(seconds / SPIKY_PERIOD);
  const of = (what: string) => chance(seed, what, period);
  const begins = (of("begin") * SPIKY_PERIOD) / 2;
  const hold = MINUTE + Math.round(of("hold") * 15) * MINUTE;
  const height = 0.5 + of("height") / 2;
  return height * spikeAt(seconds - period * SPIKY_PERIOD - begins, MINUTE / 2, hold, MINUTE / 2);
}

function dayAt(epochSeconds: number): number {
  return (1 - Math.cos((2 * Math.PI * (epochSeconds - 3 * HOUR)) / DAY)) / 2;
}

function weekAt(epochSeconds: number): number {
  const weekday = (Math.floor(epochSeconds / DAY) + EPOCH_WEEKDAY) % 7;
  const isWeekend = weekday === 0 || weekday === 6;
  return dayAt(epochSeconds) * (isWeekend ? 0.4 : 1);
}

/** In [0, 1], the same whenever it is asked for. */
function chance(seed: string, what: string, index: number): number {
  return mixedHash(`${seed}/${what}/${index}`) / 0xffff_ffff;
}

function clamp(part: number): number {
  return Math.min(1, Math.max(0, part));
}
