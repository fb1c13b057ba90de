import { afterEach, describe, expect, it } from "vitest";
import { finished, mainsheet, type Run } from "./mainsheet.ts";

const MINUTE = 60_000;

const running: Run[] = [];
afterEach(async () => {
  for (const run of running.splice(0)) {
    run.process.kill("SIGKILL");
    await run.ended;
  }
});

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** A command with `--json`, whose lines can be waited for. */
function started(...args: string[]) {
  const run = mainsheet(...args, "--json");
  running.push(run);
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  void (async () => {
    for await (const line of run.lines) {
      lines.push(JSON.parse(line) as Line);
      for (const look of waiting) look();
    }
  })();
  async function line(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = lines.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const look = () => {
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      });
    }
  }
  return { run, lines, line };
}

describe("mainsheet relay", () => {
  it(
    "relays the embedded hub's changes, ends within two seconds of Ctrl-C with a checkpoint, and the next one goes on from there; a second one stands by and takes over from one that was killed",
    async () => {
      const local = started("local", "--speed", "20");
      const { aws, kubeconfig } = await local.line(({ type }) => type === "ready");
      const place = ["--endpoint", String(aws), "--kubeconfig", String(kubeconfig)];

      const first = started("relay", ...place);
      expect(await first.line(({ type }) => type === "holding")).toMatchObject({ fence: 1, resumed: false });
      // The binding has other replicas and clusters then.
      await local.line(({ type, result }) => type === "decision" && result === "scaled");
      const progress = await first.line(
        ({ type, published }) => type === "progress" && Number(published) > 0,
      );
      expect(progress).toMatchObject({ state: "relaying", faults: 0 });

      const second = started("relay", ...place);
      await second.line(({ type }) => type === "standing-by");
      const asked = performance.now();
      first.run.process.kill("SIGINT");
      const { code, stderr } = await first.run.ended;
      expect(performance.now() - asked).toBeLessThan(2_000);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(first.lines.at(-1)).toMatchObject({ type: "end", checkpoint: true });
      expect(await second.line(({ type }) => type === "holding")).toMatchObject({ fence: 2, resumed: true });

      const third = started("relay", ...place);
      await third.line(({ type }) => type === "standing-by");
      const killed = performance.now();
      second.run.process.kill("SIGKILL");
      expect(await third.line(({ type }) => type === "holding")).toMatchObject({ fence: 3, resumed: true });
      expect(performance.now() - killed).toBeLessThan(8_000);
    },
    3 * MINUTE,
  );

  it.each<[string, string[], RegExp, number]>([
    ["no place", [], /where is the state\? Give --stack/, 2],
    ["half a place", ["--table", "state"], /--table, --bus and --hub go together; give all three/, 2],
    [
      "two places",
      ["--table", "t", "--bus", "b", "--hub", "eu", "--stack", "s"],
      /drop --stack and --endpoint/,
      2,
    ],
    ["members that are none", ["--pods", "A B"], /--pods <members>.*Allowed are names of members/, 2],
    [
      "a host that does not answer",
      ["--endpoint", "http://127.0.0.1:9"],
      /no local host answers at http:\/\/127.0.0.1:9/,
      3,
    ],
  ])("refuses %s with one sentence", async (_case, args, sentence, exit) => {
    const { code, stderr } = await finished(mainsheet("relay", ...args));
    expect(code).toBe(exit);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
  });
});
