/**
 * An append-only file of JSON lines: what queues and fleet remember of their state between two starts.
 *
 * An entry is in the file when `append` returns, so whoever acknowledges afterwards acknowledges only what survives
 * `kill -9`. (It is handed to the operating system, not forced to the disk: a power cut may lose the last moments.)
 * Writing is synchronous on purpose: state and journal change in one step, nothing can run in between.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export interface Journal<Entry> {
  /** How many entries the file holds: its owner compacts when that is far more than it has to remember. */
  readonly length: number;
  /** Writes entries as one block. They are read again in this order, and all or none of a torn block's last line. */
  append(...entries: readonly Entry[]): void;
  /** Replaces the whole file by these entries, at once: a crash leaves the old file or the new one. */
  compact(entries: Iterable<Entry>): void;
  close(): void;
}

/**
 * Opens or creates a journal; `entries` is what it holds, in order. A last line that a crash tore off is cut away; a
 * broken line before the last is nothing a crash can do, and is refused.
 */
export function openJournal<Entry>(path: string): { journal: Journal<Entry>; entries: Entry[] } {
  mkdirSync(dirname(path), { recursive: true });
  const entries = load<Entry>(path);
  let length = entries.length;
  let file: number | undefined = openSync(path, "a");

  const journal: Journal<Entry> = {
    get length() {
      return length;
    },
    append(...added) {
      if (file === undefined) throw new Error(`append to the closed journal ${path}`);
      writeAll(file, toLines(added));
      length += added.length;
    },
    compact(kept) {
      if (file === undefined) throw new Error(`compact the closed journal ${path}`);
      const all = [...kept];
      const fresh = `${path}.new`;
      const target = openSync(fresh, "w");
      writeAll(target, toLines(all));
      // Unlike an append, a rename could overtake its content on a power cut and leave nothing of the old state.
      fsyncSync(target);
      closeSync(target);
      renameSync(fresh, path);
      closeSync(file);
      file = openSync(path, "a");
      length = all.length;
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
  return { journal, entries };
}

/** What a journal holds, without opening it for writing; none where there is no such file. */
export function readJournal<Entry>(path: string): Entry[] {
  if (!existsSync(path)) return [];
  return parse<Entry>(path, readFileSync(path)).entries;
}

function load<Entry>(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const content = readFileSync(path);
  const { entries, wholeBytes } = parse<Entry>(path, content);
  if (wholeBytes < content.length) truncateSync(path, wholeBytes);
  return entries;
}

/** A line is whole when its newline is there: a line is written in front of its newline. */
function parse<Entry>(path: string, content: Buffer): { entries: Entry[]; wholeBytes: number } {
  const wholeBytes = content.lastIndexOf(0x0a) + 1;
  const lines = content.subarray(0, wholeBytes).toString("utf8").split("\n");
  lines.pop();
  const entries = lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry;
    } catch (cause) {
      throw new Error(`${path} line ${index + 1} is not JSON; restore the file or remove the data folder`, {
        cause,
      });
    }
  });
  return { entries, wholeBytes };
}

function toLines(entries: readonly unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** `writeSync` may write less than it was given. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
