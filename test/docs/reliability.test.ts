import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawPlan } from "#test/storm/draw-plan";
import { INVARIANTS } from "#test/storm/judge";
import { MUTATIONS } from "#test/storm/planted/mutations";

const page = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| "));

describe("docs/reliability.md", () => {
  it("has every invariant, and files that are there", () => {
    const named = rows.map((row) => /^\| (I\d) \|/.exec(row)?.[1]).filter((name) => name !== undefined);
    expect(named).toEqual(Object.keys(INVARIANTS));
    const files = [...page.matchAll(/`(i\d-[a-z-]+\.ts)`/g)].map(([, file]) => file);
    for (const file of files)
      expect(readFileSync(new URL(`../storm/invariants/${file}`, import.meta.url), "utf8")).not.toBe("");
    expect(files.length).toBeGreaterThan(Object.keys(INVARIANTS).length);
  });

  it("names every kind of fault that is drawn", () => {
    const plans = Array.from({ length: 40 }, (_, seed) => drawPlan(String(seed), 20, 6));
    const drawn = new Set(plans.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
    const named = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind),
    );
    expect([...drawn].filter((kind) => !named.includes(kind))).toEqual([]);
  });

  it("has every planted fault, found by its own invariant within 200 seeds", () => {
    const planted = rows.flatMap((row) => {
      const found = /^\| `([a-z-]+)` \| (.+) \| (I\d)[^|]*\| (\d+) \|$/.exec(row);
      return found ? [{ name: found[1], says: found[2], invariant: found[3], seed: Number(found[4]) }] : [];
    });
    const table = planted.map(({ name, says, invariant }) => ({ name, says, invariant }));
    expect(table).toEqual(MUTATIONS.map(({ name, says, invariant }) => ({ name, says, invariant })));
    for (const { seed } of planted) expect(seed).toBeLessThanOrEqual(200);
  });
});
