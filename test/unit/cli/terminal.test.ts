import { describe, expect, it } from "vitest";
import { tableText, wantsColor } from "#infra/cli/terminal";

describe("a table for people", () => {
  it("has columns as wide as their widest cell; the last runs free and nothing trails", () => {
    expect(
      tableText(
        ["ID", "RESULT", "DETAIL"],
        [
          ["a", "redriven", "shop/web"],
          ["bcd", "stale", ""],
        ],
      ),
    ).toEqual(["ID   RESULT    DETAIL", "a    redriven  shop/web", "bcd  stale"]);
  });
});

describe("colours", () => {
  it.each([
    ["on a terminal", { isTTY: true }, {}, true],
    ["not in a file or pipe", {}, {}, false],
    ["not where the user refuses them (no-color.org)", { isTTY: true }, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR refuses nothing", { isTTY: true }, { NO_COLOR: "" }, true],
  ])("%s", (_, stream, env, colored) => {
    expect(wantsColor(stream, env)).toBe(colored);
  });
});
