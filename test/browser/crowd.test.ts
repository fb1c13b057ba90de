import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWindow, picture, startChromium } from "./chromium.ts";
import { type Crowd, startCrowd } from "./crowd.ts";
import { type Scrolling, scrollObjects } from "./scroll.ts";

const MINUTE = 60_000;
let browser: Browser;
let crowd: Crowd;
let evaluating: ReturnType<typeof setInterval>;

beforeAll(async () => {
  [browser, crowd] = await Promise.all([startChromium(), startCrowd(1_000)]);
  crowd.evaluate();
  evaluating = setInterval(crowd.evaluate, 500);
}, MINUTE);

afterAll(async () => {
  clearInterval(evaluating);
  await crowd?.close();
  await browser?.close();
}, MINUTE);

/** Counts the streams that begin with everything from now on, by what the server was asked for. */
async function watchWholes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let count = 0;
  session.on("Network.eventSourceMessageReceived", ({ data }) => {
    if (data.includes('"whole":true')) count += 1;
  });
  return () => count;
}

describe("the live page with 1,000 objects, all of them changing twice a second", { timeout: MINUTE }, () => {
  it("scrolls at 20 frames a second at least, with no task over 200 ms", async () => {
    const { page, complaints, context } = await openWindow(browser);
    await page.goto(crowd.url);
    await page.getByText("1,000 objects").waitFor();
    await page.locator(".row").first().waitFor();
    const isSmooth = ({ framesPerSecond, longestTaskMs }: Scrolling) =>
      framesPerSecond >= 20 && longestTaskMs < 200;
    // A machine that does something else for a moment is not the page's fault: one of three must do.
    let measured = await scrollObjects(page, 2_000);
    for (let more = 0; more < 2 && !isSmooth(measured); more++) measured = await scrollObjects(page, 2_000);
    expect([measured, isSmooth(measured)]).toEqual([measured, true]);
    expect(measured.rows).toBeLessThan(100);
    await picture(page, "page-1000");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("finds an object by its name, and those that are not steady", async () => {
    const { page, context } = await openWindow(browser, { width: 360, height: 800 });
    await page.goto(crowd.url);
    await page.getByText("1,000 objects").waitFor();
    await page.getByLabel("Filter by name").fill("web-999");
    const found = page.locator("[role=option]:visible");
    await expect.poll(() => found.count()).toBe(1);
    expect(await found.first().getAttribute("aria-setsize")).toBe("1");
    await found.first().click();
    await expect.poll(() => page.locator("#detail-title").textContent()).toMatch(/\/web-999$/);
    await page.getByLabel("Filter by name").fill("");
    await page.getByLabel("only those not steady").check();
    await expect.poll(() => found.first().locator(".state").textContent()).toBe("ScaleUpLimit");
    await context.close();
  });

  it.each(["same", "new"] as const)(
    "a connection that is lost comes back by itself, to the %s run",
    async (run) => {
      const { page, context } = await openWindow(browser);
      await page.goto(crowd.url);
      await page.getByText("1,000 objects").waitFor();
      const wholes = await watchWholes(page);
      // Asked for before it happens: a slow restart may take longer than the page needs to be back.
      const lost = page.locator("#connection").getByText("connection lost, trying again").waitFor();
      await Promise.all([lost, crowd.restart(run)]);
      await page.locator("#connection").getByText("live", { exact: true }).waitFor();
      const clock = await page.locator("#clock").textContent();
      await expect.poll(() => page.locator("#clock").textContent()).not.toBe(clock);
      expect(await page.locator("#totals").textContent()).toMatch(/^1,000 objects/);
      // The same run goes on from the last event; another one cannot.
      expect(wholes()).toBe(run === "same" ? 0 : 1);
      await context.close();
    },
  );

  it("End and Home go to the last and the first object, and say where they are", async () => {
    const { page, context } = await openWindow(browser);
    await page.goto(crowd.url);
    await page.getByText("1,000 objects").waitFor();
    const list = page.getByRole("listbox");
    await list.focus();
    for (const [key, place] of [
      ["End", "1000"],
      ["Home", "1"],
    ]) {
      await page.keyboard.press(key ?? "");
      const active = async () => {
        const id = await list.getAttribute("aria-activedescendant");
        return id === null ? null : page.locator(`#${id}`).getAttribute("aria-posinset");
      };
      await expect.poll(active).toBe(place);
    }
    await context.close();
  });
});
