import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { forecastManifests } from "#app/forecast/forecast-manifests";
import { occurrences } from "#domain/cron/occurrences";
import { parseTimetable } from "#domain/cron/timetable";
import { parseInstant } from "#domain/units/instant";
import { parseManifests } from "#infra/cli/manifest-files";
import { forecastLines } from "#infra/cli/next";

const page = readFileSync(new URL("../../docs/cron.md", import.meta.url), "utf8");

/** The rows with an id, each cell by its heading. */
function workedRows(): readonly Readonly<Record<string, string>>[] {
  let heading: readonly string[] = [];
  return page.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) return [];
    const cells = line.split("|").slice(1, -1);
    const [first = ""] = cells;
    if (first.trim() === "id") heading = cells.map((cell) => cell.trim());
    if (!/^ N-\d+ $/.test(first)) return [];
    return [Object.fromEntries(cells.map((cell, column) => [heading[column], cell.trim()]))];
  });
}

const ROWS = workedRows();
const scheduleIn = (cell = "") => /^`([^`]+)`/.exec(cell)?.[1] ?? "";
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

describe("docs/cron.md", () => {
  it("has each id once", () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
    expect(ROWS.length).toBeGreaterThan(20);
  });

  it.each(ROWS.filter(({ runs }) => runs !== undefined))(
    "$id: $schedule runs when the page says",
    ({ schedule, zone, after, runs = "" }) => {
      const parsed = parseTimetable({ schedule: scheduleIn(schedule), timeZone: zone }, 0);
      if (!parsed.ok) throw new Error(parsed.fault.detail);
      const expected = runs.split(", ");
      const found: string[] = [];
      for (const atMs of occurrences(parsed.value, parseInstant(`${after}:00Z`) ?? Number.NaN, Infinity)) {
        found.push(new Date(atMs).toISOString().slice(0, 16));
        if (found.length === expected.length) break;
      }
      expect(found).toEqual(expected);
    },
  );

  it.each(ROWS.filter(({ we }) => we !== undefined))("$id: $schedule is $we", ({ schedule, we }) => {
    const parsed = parseTimetable({ schedule: scheduleIn(schedule) }, 0);
    expect(parsed.ok ? "taken" : parsed.fault.code).toBe(we);
  });

  it("shows what mainsheet next prints for the manifest of the page", () => {
    const [command = "", ...lines] = block("console").trimEnd().split("\n");
    const [, from = "", count = ""] = /--from (\S+) --count (\d+)$/.exec(command) ?? [];
    const forecast = forecastManifests(parseManifests("nights.yaml", block("yaml")), {
      namespace: "default",
      fromMs: parseInstant(from) ?? Number.NaN,
      count: Number(count),
    });
    expect(forecast.ok && forecastLines(forecast)).toEqual(lines);
  });
});
