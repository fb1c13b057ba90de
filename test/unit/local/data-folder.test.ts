import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimDataFolder } from "#infra/local/data-folder";

describe("a data folder has one host", () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "data-")), "sub");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is made, marked and freed again", () => {
    const claim = claimDataFolder(folder);
    expect(readFileSync(join(folder, "pid"), "utf8")).toBe(`${process.pid}\n`);
    expect(() => claimDataFolder(folder)).toThrow(`is in use by process ${process.pid}; stop that process`);
    claim.release();
    expect(existsSync(join(folder, "pid"))).toBe(false);
    claimDataFolder(folder).release();
  });

  it("a mark of a process that lives keeps others out, that of a dead one does not", async () => {
    claimDataFolder(folder).release();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(join(folder, "pid"), `${child.pid}\n`);
    expect(() => claimDataFolder(folder)).toThrow(`in use by process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    claimDataFolder(folder).release();
  });

  it.each(["", "nonsense", "-1"])("a mark that says nothing keeps nobody out: %j", (text) => {
    claimDataFolder(folder).release();
    writeFileSync(join(folder, "pid"), text);
    claimDataFolder(folder).release();
  });

  it("a mark with this process's own number from an earlier life keeps nobody out", () => {
    claimDataFolder(folder).release();
    writeFileSync(join(folder, "pid"), `${process.pid}\n`);
    claimDataFolder(folder).release();
  });
});
