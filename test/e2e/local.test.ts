import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { virtualClock } from "#infra/local/clock";
import { startFleet } from "#infra/local/fleet-host";
import { readScenario } from "#infra/local/scenario-file";
import { finished, mainsheet } from "./mainsheet.ts";

const MINUTE = 60_000;

async function decisions(...args: string[]) {
  const { lines, code, stderr } = await finished(mainsheet("local", "--json", ...args));
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records.filter(({ type }) => type === "trouble")).toEqual([]);
  return records.filter(({ type }) => type === "decision");
}

describe("mainsheet local", () => {
  it(
    "runs the tutorial: 1 to 5 (3+2) to 10 (5+5) in two successive slots, and back to 1 (systems C9, C10)",
    async () => {
      const all = await decisions("--scenario", "tutorial", "--speed", "30", "--for", "4m");
      const scales = all.filter(({ result }) => result === "scaled");
      expect(scales.map(({ time, from, to, clusters }) => [time, from, to, clusters])).toEqual([
        ["2026-03-02T09:01:00Z", 1, 5, { member1: 3, member2: 2 }],
        ["2026-03-02T09:01:15Z", 5, 10, { member1: 5, member2: 5 }],
        ["2026-03-02T09:02:00Z", 10, 1, { member1: 1 }],
      ]);
      // One decision for each slot from 09:00:00 to 09:04:00.
      expect(all).toHaveLength(17);
    },
    2 * MINUTE,
  );

  it(
    "decides the same at any speed",
    async () => {
      const slow = await decisions("--speed", "25", "--for", "150s");
      const fast = await decisions("--speed", "5000", "--for", "150s");
      expect(fast).toEqual(slow);
    },
    2 * MINUTE,
  );

  it(
    "with --relay evaluates at a change's own instant, the same at any speed (decision 0005)",
    async () => {
      const slow = await decisions("--relay", "--speed", "25", "--for", "80s");
      const fast = await decisions("--relay", "--speed", "5000", "--for", "80s");
      expect(fast).toEqual(slow);
      // The binding that follows the scale, once for all its changes of that instant.
      const times = slow.map(({ time, from }) => [String(time).slice(14, 19), from]);
      expect(times.filter(([time]) => String(time) >= "01:00")).toEqual([
        ["01:00", 1],
        ["01:00", 5],
        ["01:15", 5],
        ["01:15", 10],
      ]);
    },
    2 * MINUTE,
  );

  it(
    "stops within two seconds of Ctrl-C, cleanly",
    async () => {
      const run = mainsheet("local", "--speed", "5");
      for await (const line of run.lines) if (line.startsWith("09:00:15")) break;
      const asked = performance.now();
      run.process.kill("SIGINT");
      const { code, stderr } = await run.ended;
      expect(code).toBe(0);
      expect(stderr).toBe("");
      expect(performance.now() - asked).toBeLessThan(2_000);
    },
    MINUTE,
  );

  it(
    "tells where its page is, which shows the fleet and puts events on the bus",
    async () => {
      const run = mainsheet("local", "--json", "--speed", "5");
      let said: [number, unknown] | undefined;
      let page = "";
      for await (const line of run.lines) {
        const record = JSON.parse(line) as Record<string, unknown>;
        if (record.type === "ready") page = String(record.page);
        if (record.type !== "decision" || said !== undefined) continue;
        const headers = { origin: page.replace(/\/$/, ""), "content-type": "application/json" };
        const body = JSON.stringify({ do: "put-event", object: "default/nginx" });
        const response = await fetch(`${page}actions`, { method: "POST", headers, body });
        said = [response.status, await response.json()];
        run.process.kill("SIGINT");
      }
      expect(said).toEqual([
        200,
        { ok: true, message: "ReconcileRequested for default/nginx is on the bus" },
      ]);
      expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      expect(await run.ended).toEqual({ code: 0, stderr: "" });
    },
    MINUTE,
  );

  it(
    "a page port that is taken is one sentence and exit 3",
    async () => {
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      const { port } = taken.address() as AddressInfo;
      const { code, stderr, lines } = await finished(mainsheet("local", "--page-port", String(port)));
      taken.close();
      expect([code, stderr, lines]).toEqual([
        3,
        `mainsheet: the page's port ${port} cannot be listened on (EADDRINUSE); choose another\n`,
        [],
      ]);
    },
    MINUTE,
  );

  it.each<[string, string[], RegExp]>([
    ["a speed that is none", ["--speed", "fast"], /--speed <n>.*Allowed are numbers above 0/],
    ["a duration that is none", ["--for", "5"], /--for <duration>.*90s, 5m or 1h30m/],
    [
      "an unknown scenario",
      ["--scenario", "nope"],
      /nope is no built-in scenario \(.*tutorial.*\) and cannot be read as a file/,
    ],
    ["a ledger that is none", ["--ledger", "some"], /--ledger <which>.*changes, all, and sample:N/],
    ["an unknown option", ["--fast"], /unknown option '--fast'/],
    ["--active without a hub", ["--active"], /--context and --active go with --kubeconfig/],
  ])(
    "refuses %s with one sentence and exit 2",
    async (_case, args, sentence) => {
      const { code, stderr } = await finished(mainsheet("local", ...args));
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
    },
    MINUTE,
  );

  it(
    "against a real hub: finds the FederatedHPAs, decides, and writes nothing",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-hub-"));
      const scenario = readScenario("tutorial");
      if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
      const hub = await startFleet({
        scenario: scenario.value,
        clock: virtualClock(scenario.value),
        dataDir,
      });
      try {
        const run = mainsheet("local", "--kubeconfig", hub.kubeconfig, "--json");
        let decided: Record<string, unknown> | undefined;
        for await (const line of run.lines) {
          const record = JSON.parse(line) as Record<string, unknown>;
          if (record.type !== "decision") continue;
          decided = record;
          run.process.kill("SIGINT");
        }
        expect((await run.ended).code).toBe(0);
        expect(decided).toMatchObject({ object: "default/nginx", from: 1, to: 1, clusters: { member1: 1 } });
        expect(hub.counts.totals().writes).toBe(0);
      } finally {
        await hub.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    MINUTE,
  );

  it(
    "against a real hub that does not answer: says so with what to do, decides nothing, goes on",
    async () => {
      const run = mainsheet("local", "--kubeconfig", "test/e2e/no-hub.kubeconfig", "--json");
      const lines: string[] = [];
      for await (const line of run.lines) {
        lines.push(line);
        if (lines.length === 2) run.process.kill("SIGINT");
      }
      expect((await run.ended).code).toBe(0);
      expect(lines[0]).toMatch(/"mode":"observe"/);
      expect(lines[1]).toMatch(
        /list (cron)?federatedhpas\.autoscaling\.karmada\.io in the hub: nothing listens at the server's address; check server in the kubeconfig/,
      );
      expect(lines.at(-1)).toMatch(/"decisions":0/);
    },
    MINUTE,
  );
});
