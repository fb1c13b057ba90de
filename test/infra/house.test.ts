import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { code, ROOT, sourceFiles } from "./source-files.ts";

const PURE_ROOMS = ["domain", "wire", "ports", "app", "sim"];

describe("small files", () => {
  it("none is longer than 400 lines", () => {
    const long = sourceFiles("shared", "functions", "infra", "test")
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it("no file is a drawer", () => {
    const drawers = sourceFiles("shared", "functions", "infra", "test").filter(({ path }) =>
      /\/(utils?|helpers?|common|misc|index)\.\w+$/.test(path),
    );
    expect(drawers.map(({ path }) => path)).toEqual([]);
  });

  it("a handler is at most 40 lines", () => {
    const long = sourceFiles("functions").filter(
      ({ path, text }) => path.endsWith("/handler.ts") && text.split("\n").length - 1 > 40,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe("no clock, chance or environment in what decides", () => {
  it.each(["shared/domain", "shared/sim"])("%s names none", (folder) => {
    const named = sourceFiles(folder).flatMap((file) =>
      [
        ...code(file).matchAll(/\bDate\b|\bMath\.random\b|\bprocess\.env\b|\bperformance\.now\b|\bcrypto\b/g),
      ].map(([word]) => `${file.path}: ${word}`),
    );
    expect(named).toEqual([]);
  });

  it("shared/domain awaits and throws nothing but broken invariants", () => {
    const effects = sourceFiles("shared/domain").flatMap((file) =>
      [
        ...code(file).matchAll(/\bawait\b|\basync\b|\bconsole\b|\bthrow (?!new Error\(\s*["'`]invariant: )/g),
      ].map(([word]) => `${file.path}: ${word}`),
    );
    expect(effects).toEqual([]);
  });
});

describe("the pure rooms compile without Node and without a browser", () => {
  const probe = [
    "export const a = process.env;",
    'export const b = fetch("x");',
    "export const c = setTimeout(() => 1, 1);",
    "export const d = console;",
    "export const e = performance;",
    'import "node:fs";',
  ];

  it.each(PURE_ROOMS)("shared/%s", async (room) => {
    const folder = await mkdtemp(join(tmpdir(), "pure-"));
    try {
      await writeFile(join(folder, "probe.ts"), probe.join("\n"));
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({
          extends: join(ROOT, "shared", room, "tsconfig.json"),
          include: [],
          files: ["probe.ts"],
        }),
      );
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      const outcome = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch(
        (error) => error,
      );
      const lines = [...String(outcome.stdout).matchAll(/probe\.ts\((\d+),/g)].map(([, line]) =>
        Number(line),
      );
      expect([...new Set(lines)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("and `npm run types` compiles each of them", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(scripts.types.split(" ")).toEqual(
      expect.arrayContaining(PURE_ROOMS.map((room) => `shared/${room}`)),
    );
  });
});
