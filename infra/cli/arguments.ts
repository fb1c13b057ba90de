import { InvalidArgumentError } from "commander";
import { parseInstant } from "#domain/units/instant";

/** Readers of option values; what they throw commander turns into one sentence and exit 2. */

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `5m`, `1h30m`: milliseconds, > 0. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([smhd])/g)];
  const isWhole = parts.map(([part]) => part).join("") === text && text !== "";
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit as string] ?? 0),
    0,
  );
  if (!isWhole || seconds <= 0)
    throw new InvalidArgumentError("Allowed are durations like 90s, 5m or 1h30m.");
  return Math.round(seconds * 1000);
}

/** A positive number, at most 10,000: virtual seconds per second. */
export function speed(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 10_000))
    throw new InvalidArgumentError("Allowed are numbers above 0, up to 10000.");
  return value;
}

/** A TCP port, 0 for a free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535 || text === "") {
    throw new InvalidArgumentError("Allowed are 0 to 65535; 0 takes a free one.");
  }
  return value;
}

/** An RFC 3339 instant, as epoch milliseconds. */
export function instant(text: string): number {
  const ms = parseInstant(text);
  if (ms === undefined)
    throw new InvalidArgumentError("Allowed are RFC 3339 instants like 2026-03-01T08:25:00Z.");
  return ms;
}

/** How many lines to print: a whole number from 1 to 1000. */
export function lineCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 1000)
    throw new InvalidArgumentError("Allowed are whole numbers from 1 to 1000.");
  return value;
}
