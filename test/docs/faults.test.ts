import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);

const sources = readdirSync(new URL("shared/", ROOT), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("sim/"))
  .map((file) => readFileSync(new URL(`shared/${file}`, ROOT), "utf8"));

/** Members of unions named …FaultCode or …FaultKind, and the codes of faults that are written out where they arise. */
function codesOf(source: string): readonly string[] {
  const unions = [...source.matchAll(/export type \w*Fault(?:Code|Kind) =([^;]+);/g)].flatMap(
    ([, union = ""]) => texts(union.replaceAll(/\/\*.*?\*\//gs, "")),
  );
  return [...unions, ...[...source.matchAll(/\bcode: ("[\w-]+")/g)].flatMap(([, code = ""]) => texts(code))];
}

const texts = (source: string) => [...source.matchAll(/"([\w-]+)"/g)].map(([, text = ""]) => text);

const rows = readFileSync(new URL("docs/faults.md", ROOT), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", ""))
      .slice(1, -1),
  );

describe("docs/faults.md", () => {
  it("lists the codes of the source, all of them and no others", () => {
    const documented = new Set(rows.map(([code]) => code));
    expect([...documented].sort()).toEqual([...new Set(sources.flatMap(codesOf))].sort());
  });

  it("says of each what it means, where it comes from and what to do", () => {
    expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ""))).toEqual([]);
  });
});
