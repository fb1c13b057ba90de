import { describe, expect, it } from "vitest";
import { sinceText } from "#infra/cli/why";

const failure = (second: number, message: string) => ({
  atMs: Date.parse("2026-03-02T09:00:00Z") + second * 1000,
  result: "failed",
  message,
  code: "1",
});

describe("why: evaluations after the decision in force that came to none", () => {
  it("are told with their number of minutes and the last one's words", () => {
    expect(sinceText([failure(15, "the hub is away"), failure(60, "list pods: 503")])).toEqual([
      "since then  in 2 minutes nothing could be decided, last at 2026-03-02T09:01:00Z: list pods: 503",
    ]);
  });

  it("are no line where there were none", () => expect(sinceText([])).toEqual([]));
});
