import { parse } from "csv-parse/sync";
import { parseInstant } from "#domain/units/instant";
import { parseMilli } from "#domain/units/quantity";
import type { Point, RecordedLoad } from "./load-choice.ts";

export type ReadLoad =
  | { readonly ok: true; readonly value: RecordedLoad }
  /** One sentence. */
  | { readonly ok: false; readonly fault: string };

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** What a file of one row lasts, and what its last row lasts: one slot. */
const LAST_ROW_SECONDS = 15;
const DEMAND = "demand";

/**
 * The demand of a CSV file: a first column of times (seconds from the start, or RFC 3339 instants), then one column for
 * each metric, named in the heading; without a heading, or under `demand`, the first metric's. Amounts are quantities
 * over all pods: cores, bytes, or the metric's own unit. Each row holds until the next.
 */
export function readLoadCsv(label: string, text: string): ReadLoad {
  try {
    return { ok: true, value: loadOf(label, rowsOf(text)) };
  } catch (error) {
    return { ok: false, fault: `${label}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function rowsOf(text: string): readonly Row[] {
  const parsed = parse(text, {
    bom: true,
    comment: "#",
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  }) as unknown as readonly {
    readonly record: readonly string[];
    readonly info: { readonly lines: number };
  }[];
  return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }));
}

function loadOf(label: string, all: readonly Row[]): RecordedLoad {
  const [first] = all;
  const hasHeading = first !== undefined && isWord(first.cells[0] ?? "");
  const names = hasHeading ? first.cells.slice(1) : [DEMAND];
  const rows = hasHeading ? all.slice(1) : all;
  const [start] = rows;
  if (start === undefined) throw new Error("there is no row of time and demand; write one such as 0,250m");
  if (names.length === 0) throw new Error("there is no column of demand beside the time; add one");
  const times = timesOf(rows);
  const beginning = times[0] as number;
  const columns = new Map(
    names.map((name, column): [string, readonly Point[]] => [
      name,
      rows.map((row, i) => ({
        seconds: (times[i] as number) - beginning,
        milli: amountOf(row, column + 1, name),
      })),
    ]),
  );
  const isInstant = Number.isNaN(Number(start.cells[0]));
  const last = times.at(-1) as number;
  const lastRow = times.length > 1 ? last - (times.at(-2) as number) : LAST_ROW_SECONDS;
  return {
    kind: "recorded",
    label,
    ...(isInstant ? { startMs: beginning * 1000 } : {}),
    spanSeconds: last - beginning + lastRow,
    of: ({ spec }, metric) =>
      columns.get(metric.name) ?? (metric === spec.metrics[0] ? columns.get(DEMAND) : undefined),
  };
}

function timesOf(rows: readonly Row[]): readonly number[] {
  let before = Number.NEGATIVE_INFINITY;
  return rows.map(({ line, cells: [text = ""] }) => {
    const seconds = timeOf(text);
    if (seconds === undefined) {
      throw new Error(
        `line ${line}: ${JSON.stringify(text)} is no time; write seconds or an instant such as 2026-03-02T09:00:00Z`,
      );
    }
    if (seconds <= before)
      throw new Error(`line ${line}: the time ${text} is not after the one before; sort the rows`);
    before = seconds;
    return seconds;
  });
}

/** Neither a number nor an instant. */
function isWord(text: string): boolean {
  return Number.isNaN(Number(text)) && parseInstant(text) === undefined;
}

/** Seconds, of an instant since the epoch. */
function timeOf(text: string): number | undefined {
  const seconds = text === "" ? Number.NaN : Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds : undefined;
  const ms = parseInstant(text);
  return ms === undefined ? undefined : ms / 1000;
}

function amountOf({ line, cells }: Row, column: number, name: string): number {
  const text = cells[column] ?? "";
  const milli = parseMilli(text);
  if (milli !== undefined && milli >= 0) return Number(milli);
  throw new Error(
    `line ${line}: ${JSON.stringify(text)} is no amount of ${name}; write 0 or more, such as 1.5 or 250m`,
  );
}
