import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { finished, mainsheet, ROOT } from "#test/e2e/mainsheet";
import { openWindow, picture, startChromium } from "./chromium.ts";
import { faintTexts } from "./faint-texts.ts";

const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), "mainsheet-report-"));
const TUTORIAL = join(ROOT, "infra/local/scenarios/tutorial.yaml");
const reports = { one: join(folder, "one.html"), two: join(folder, "two.html") };
let browser: Browser;

/** The tutorial's FederatedHPA with a higher target. */
function otherFederatedHpa(): string {
  const objects = parseAllDocuments(readFileSync(TUTORIAL, "utf8")).map((document) => document.toJS());
  const text = JSON.stringify(objects.find(({ kind }) => kind === "FederatedHPA"));
  return text.replace('"averageUtilization":10', '"averageUtilization":20');
}

async function simulate(out: string, ...args: string[]): Promise<void> {
  const run = mainsheet("simulate", "-f", TUTORIAL, "--load", "spiky", "--for", "3h", "--out", out, ...args);
  const { code, stderr } = await finished(run);
  expect([code, stderr.replaceAll(/.*slots.*\n?/g, "")]).toEqual([0, ""]);
}

beforeAll(async () => {
  browser = await startChromium();
  // Its name is the heading of a run: markup in it must stay a name.
  const other = join(folder, "<b>other & more.yaml");
  writeFileSync(other, otherFederatedHpa());
  await simulate(reports.one);
  await simulate(reports.two, "--compare", other);
}, 3 * MINUTE);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}, MINUTE);

describe("the report of mainsheet simulate --out, opened from the disk", { timeout: MINUTE }, () => {
  it.each([
    ["one", 1280, "light", 3],
    ["one", 360, "dark", 3],
    ["two", 1280, "dark", 6],
    ["two", 2560, "light", 6],
  ] as const)(
    "%s run(s) at %i px, %s: charts, no fault, nothing from elsewhere",
    async (name, width, scheme, charts) => {
      const { page, complaints, context } = await openWindow(browser, { width, scheme });
      await page.goto(pathToFileURL(reports[name]).href);
      await expect.poll(() => page.locator(".plot canvas").count()).toBe(charts);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBe(0);
      expect(await faintTexts(page)).toEqual([]);
      await picture(page, `report-${name}-${width}-${scheme}`);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  it("has the figures first, as the terminal has them, the two runs side by side", async () => {
    const { page, context } = await openWindow(browser);
    await page.goto(pathToFileURL(reports.two).href);
    const heading = await page.locator(".figures th").allTextContents();
    expect([heading[0], heading[3]]).toEqual(["figure", "difference"]);
    expect(heading[2]).toMatch(/<b>other & more\.yaml$/);
    const scales = await page
      .locator(".figures tr", { hasText: /^scales/ })
      .locator("td")
      .allTextContents();
    expect(Number(scales[2]) - Number(scales[1])).toBe(Number(scales[3]));
    const [left, right] = await page.locator(".run").all();
    const [one, other] = [await left?.boundingBox(), await right?.boundingBox()];
    expect(one?.y).toBe(other?.y);
    await context.close();
  });

  it("goes from scale to scale by keyboard, with the account of each", async () => {
    const { page, context } = await openWindow(browser);
    await page.goto(pathToFileURL(reports.one).href);
    const before = page.getByRole("button", { name: "◂ Event" });
    await before.focus();
    await page.keyboard.press("Enter");
    const last = await page.locator(".account h3").textContent();
    await page.keyboard.press("Enter");
    const earlier = await page.locator(".account h3").textContent();
    expect(last).toMatch(/^The scale of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: \d+ → \d+$/);
    expect(earlier).not.toBe(last);
    expect(await page.locator(".account dt").allTextContents()).toContain("limits");
    await context.close();
  });

  it("zooms in and out without a pointer, around the instant that was chosen", async () => {
    const { page, context } = await openWindow(browser);
    await page.goto(pathToFileURL(reports.one).href);
    const chart = page.locator(".plot canvas").first();
    const whole = await chart.screenshot();
    await page.getByRole("button", { name: "Zoom in" }).press("Enter");
    const half = await chart.screenshot();
    expect(half.equals(whole)).toBe(false);
    await page.getByRole("button", { name: "Zoom out" }).press("Enter");
    expect((await chart.screenshot()).equals(whole)).toBe(true);
    await page.getByRole("button", { name: "Zoom in" }).press("Enter");
    await page.getByRole("button", { name: "End" }).press("Enter");
    expect((await chart.screenshot()).equals(whole)).toBe(true);
    await context.close();
  });

  it("is black on white on paper, whatever the theme, without what only a pointer can use", async () => {
    const { page, context } = await openWindow(browser, { scheme: "dark" });
    await page.goto(pathToFileURL(reports.one).href);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await page.locator(".scrub").isVisible()).toBe(false);
    await page.setViewportSize({ width: 700, height: 1000 });
    const chart = await page.locator(".plot canvas").first().boundingBox();
    expect(chart?.width).toBeLessThan(700);
    await picture(page, "report-printed");
    await context.close();
  });

  it("is readable without scripts: the figures and every scale", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(reports.one).href);
    expect(await page.locator(".figures").isVisible()).toBe(true);
    expect(await page.locator("details summary").textContent()).toMatch(/^\d+ scales$/);
    await context.close();
  });

  it("the same simulation gives the same bytes", async () => {
    const again = join(folder, "again.html");
    await simulate(again);
    expect(readFileSync(again).equals(readFileSync(reports.one))).toBe(true);
  });
});
