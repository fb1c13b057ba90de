import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal, readJournal } from "#infra/local/journal";

interface Entry {
  n: number;
  text?: string;
}

describe("journal", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "journal-"));
    path = join(folder, "sub", "queues.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a new journal is empty and makes its folder", () => {
    const { journal, entries } = openJournal<Entry>(path);
    expect(entries).toEqual([]);
    expect(journal.length).toBe(0);
    journal.close();
    expect(statSync(path).size).toBe(0);
  });

  it("gives back what was appended, in order, with newlines and other scripts in it", () => {
    const { journal } = openJournal<Entry>(path);
    journal.append({ n: 1, text: "a\nb\u2028" }, { n: 2, text: "帆" });
    journal.append({ n: 3 });
    expect(journal.length).toBe(3);
    journal.close();
    const again = openJournal<Entry>(path);
    expect(again.entries).toEqual([{ n: 1, text: "a\nb\u2028" }, { n: 2, text: "帆" }, { n: 3 }]);
    again.journal.close();
  });

  it("cuts a torn last line away, and goes on after the last whole one", () => {
    const { journal } = openJournal<Entry>(path);
    journal.append({ n: 1 });
    journal.close();
    appendFileSync(path, '{"n":2,"te');
    const again = openJournal<Entry>(path);
    expect(again.entries).toEqual([{ n: 1 }]);
    again.journal.append({ n: 3 });
    again.journal.close();
    expect(readJournal<Entry>(path)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it("any cut of the file leaves a prefix of the entries", () => {
    const { journal } = openJournal<Entry>(path);
    for (let n = 0; n < 5; n += 1) journal.append({ n, text: "ü".repeat(n) });
    journal.close();
    const whole = readFileSync(path);
    const all = readJournal<Entry>(path);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (bytes) => {
        writeFileSync(path, whole.subarray(0, bytes));
        const { journal: cut, entries } = openJournal<Entry>(path);
        cut.close();
        const lines = whole.subarray(0, bytes).toString("latin1").split("\n").length - 1;
        expect(entries).toEqual(all.slice(0, lines));
      }),
    );
  });

  it("refuses a broken line in the middle, with its place and what to do", () => {
    openJournal(path).journal.close();
    writeFileSync(path, '{"n":1}\n{"n":\n{"n":3}\n');
    expect(() => openJournal(path)).toThrow(/queues\.jsonl line 2 is not JSON; restore/);
  });

  it("compacts to the entries given and appends behind them", () => {
    const { journal } = openJournal<Entry>(path);
    for (let n = 0; n < 100; n += 1) journal.append({ n });
    journal.compact([{ n: 99 }]);
    journal.append({ n: 100 });
    expect(journal.length).toBe(2);
    journal.close();
    expect(readJournal<Entry>(path)).toEqual([{ n: 99 }, { n: 100 }]);
  });

  it("reading a journal that does not exist gives none, and makes no file", () => {
    expect(readJournal(path)).toEqual([]);
    expect(() => statSync(path)).toThrow();
  });

  it("append after close is refused", () => {
    const { journal } = openJournal<Entry>(path);
    journal.close();
    expect(() => journal.append({ n: 1 })).toThrow(/closed journal/);
  });

  it("an entry that was acknowledged survives kill -9", async () => {
    const writer = fileURLToPath(new URL("journal-writer.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", writer, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let acknowledged = "";
    child.stdout.setEncoding("utf8");
    for await (const chunk of child.stdout) {
      acknowledged += chunk;
      if (acknowledged.length > 2_000) child.kill("SIGKILL");
    }
    if (child.signalCode === null) await once(child, "exit");
    expect(child.signalCode).toBe("SIGKILL");
    const last = Number(acknowledged.split("\n").at(-2));
    const kept = readJournal<Entry>(path).map((entry) => entry.n);
    expect(last).toBeGreaterThan(100);
    expect(kept.length).toBeGreaterThan(last);
    expect(kept).toEqual([...kept.keys()]);
  });
});
