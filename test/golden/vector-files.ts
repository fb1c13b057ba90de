import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Judge, VectorCase, Verdict } from "./judge.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const KINDS = join(HERE, "kinds");

/** The copies of the vectors that this repository carries. */
export const VECTORS = join(HERE, "vectors");

/** What a whole file came to. `passed` counts the ledger's cases too; `byLedger` says which they are. */
export interface FileReport {
  readonly file: string;
  readonly cases: number;
  readonly passed: number;
  readonly byLedger: Readonly<Record<string, number>>;
  readonly skippedSteps: number;
  readonly failed: readonly string[];
}

/** The vector files of a directory that have a judge, in the order of their names. */
export function knownVectorFiles(directory: string): readonly { file: string; kind: string }[] {
  return vectorFiles(directory).filter(({ kind }) => existsSync(join(KINDS, `${kind}.ts`)));
}

/**
 * One report per known vector file. Throws, with one sentence, for a directory that cannot be read or holds no
 * vector file, and for a line that is no case.
 */
export async function* judgeDirectory(
  directory: string,
  explain?: (id: string, text: string) => void,
): AsyncGenerator<FileReport> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(
      `${directory} is no directory; give one that holds <kind>.jsonl or <kind>.jsonl.gz files`,
    );
  }
  const known = knownVectorFiles(directory);
  if (known.length === 0) {
    throw new Error(`${directory} holds no known vector file such as quantity.jsonl or quantity.jsonl.gz`);
  }
  for (const { file, kind } of known) {
    const judge = await loadJudge(kind);
    yield await reportOn(file, readCases(join(directory, file)), judge, explain);
  }
}

/** The cases of one file, plain or gzipped. */
export function readCases(path: string): readonly VectorCase[] {
  return readText(path)
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => parseCase(line, `${basename(path)}:${number}`));
}

/** The judge of a kind, as its file exports it. */
export async function loadJudge(kind: string): Promise<Judge> {
  const module: { judge: Judge } = await import(pathToFileURL(join(KINDS, `${kind}.ts`)).href);
  return module.judge;
}

/** `explain` hears of every failed case, with what was expected and what came. */
export async function reportOn(
  file: string,
  cases: readonly VectorCase[],
  judge: Judge,
  explain: (id: string, text: string) => void = () => {},
): Promise<FileReport> {
  const byLedger: Record<string, number> = {};
  const failed: string[] = [];
  let skippedSteps = 0;
  for (const vector of cases) {
    const verdict = await judgeOne(judge, vector);
    if ("fail" in verdict) {
      failed.push(vector.id);
      explain(vector.id, verdict.fail);
    }
    if (!("ledger" in verdict)) continue;
    skippedSteps += verdict.skippedSteps ?? 0;
    for (const id of [verdict.ledger].flat()) byLedger[id] = (byLedger[id] ?? 0) + 1;
  }
  const sorted = Object.fromEntries(
    Object.entries(byLedger).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return {
    file,
    cases: cases.length,
    passed: cases.length - failed.length,
    byLedger: sorted,
    skippedSteps,
    failed,
  };
}

/** A judge that throws has met a case it cannot read, or a fault of ours: either way the case fails. */
async function judgeOne(judge: Judge, vector: VectorCase): Promise<Verdict> {
  try {
    return await judge(vector);
  } catch (error) {
    return { fail: `the judge threw: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function vectorFiles(directory: string): { file: string; kind: string }[] {
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const kind = /^(.+)\.jsonl(\.gz)?$/.exec(file)?.[1];
      return kind === undefined ? [] : [{ file, kind }];
    });
}

function parseCase(line: string, where: string): VectorCase {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new Error(`${where} is not JSON; every line of a vector file is one {"id", "in", "out"}`);
  }
  const vector = json as Partial<VectorCase> | null;
  if (typeof vector?.id !== "string" || vector.in === undefined || vector.out === undefined) {
    throw new Error(`${where} is no case; every line of a vector file is one {"id", "in", "out"}`);
  }
  return vector as VectorCase;
}
