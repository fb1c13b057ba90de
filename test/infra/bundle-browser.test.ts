import { describe, expect, it } from "vitest";
import { bundleBrowser } from "#infra/bundle-browser";

describe("what runs in a browser", () => {
  it.each(["page", "report"] as const)(
    "%s: one script, one style sheet, the same at each build",
    async (name) => {
      const bundle = await bundleBrowser(name);
      expect(await bundleBrowser(name)).toEqual(bundle);
      expect(bundle.script.length).toBeLessThan(100_000);
      expect(bundle.style.length).toBeLessThan(20_000);
    },
  );

  it.each(["page", "report"] as const)("%s: nothing from elsewhere, nothing made from text", async (name) => {
    const { script, style } = await bundleBrowser(name);
    const code = script.slice(script.indexOf("*/"));
    expect(code).not.toMatch(/https?:\/\//);
    expect(style).not.toMatch(/url\(|@import/);
    expect(code).not.toMatch(
      /\beval\(|new Function\(|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/,
    );
  });

  it("names the licence of what it holds", async () => {
    const { script } = await bundleBrowser("page");
    expect(script).toMatch(/^\/\*! uPlot\nThe MIT License \(MIT\)\n\nCopyright/);
  });
});
