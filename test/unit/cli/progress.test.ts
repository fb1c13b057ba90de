import { describe, expect, it } from "vitest";
import { openProgress } from "#infra/cli/progress";

/** What a stream was told, by a clock that the test moves. */
function told(
  isTTY: boolean,
  run: (progress: ReturnType<typeof openProgress>, at: (ms: number) => void) => void,
) {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY, write: (text: string) => written.push(text) };
  run(
    openProgress(100, stream, () => now),
    (ms) => {
      now = ms;
    },
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that clear a line are what is left out.
  return written.map((text) => text.replace(/\r|\u001b\[K/g, ""));
}

describe("the line of progress", () => {
  it("is for what takes longer than a second, ten times a second, and is gone at the end", () => {
    const lines = told(true, (progress, at) => {
      at(900);
      progress.done(9);
      at(1_000);
      progress.done(10);
      at(1_050);
      progress.done(11);
      at(1_100);
      progress.done(20);
      progress.end();
    });
    expect(lines).toEqual(["simulated 10 %, about 9 s left", "simulated 20 %, about 5 s left", ""]);
  });

  it("is for a terminal only, and nothing is cleared where nothing was shown", () => {
    const long = (progress: ReturnType<typeof openProgress>, at: (ms: number) => void) => {
      at(5_000);
      progress.done(50);
      progress.end();
    };
    expect(told(false, long)).toEqual([]);
    expect(told(true, (progress) => progress.end())).toEqual([]);
  });
});
