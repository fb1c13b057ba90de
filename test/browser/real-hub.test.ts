import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { virtualClock } from "#infra/local/clock";
import { type FleetHost, startFleet } from "#infra/local/fleet-host";
import { readScenario } from "#infra/local/scenario-file";
import { openWindow, picture, startChromium } from "./chromium.ts";
import { type LiveHost, startLive } from "./live-host.ts";

const MINUTE = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-real-"));
let browser: Browser;
let hub: FleetHost;
let live: LiveHost;

beforeAll(async () => {
  browser = await startChromium();
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  hub = await startFleet({ scenario: scenario.value, clock: virtualClock(scenario.value), dataDir });
  live = await startLive({ kind: "real", kubeconfig: hub.kubeconfig, mode: "observe" });
}, MINUTE);

afterAll(async () => {
  await live?.stop();
  await hub?.stop();
  await browser?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, MINUTE);

describe("the live page of a real hub", { timeout: 3 * MINUTE }, () => {
  it("shows what is decided, has nothing to change it with, says so, and refuses what is sent all the same", async () => {
    const { page, complaints, context } = await openWindow(browser);
    await page.goto(live.url);
    // The hub's time is the wall's: its first slot may be a while away.
    await page.locator(".row", { hasText: "default/nginx" }).waitFor({ timeout: 2 * MINUTE });
    await page.locator(".timeline canvas").first().waitFor();
    expect(await page.locator("#mode").textContent()).toBe("real hub, observe");
    expect(await page.locator("#notice").textContent()).toMatch(/^This is a real hub: .* changes nothing\./);
    expect(await page.locator(".controls").isVisible()).toBe(false);
    expect(await page.locator(".cluster").allTextContents()).toEqual(["member1ready1 replica"]);
    expect(await page.locator(".cluster button").count()).toBe(0);
    await page
      .locator("#account")
      .getByText(/^Deployment nginx: /)
      .waitFor();
    await picture(page, "page-real-hub");
    expect(complaints).toEqual([]);
    const refused = await page.evaluate(async () => {
      const body = JSON.stringify({ do: "cut-off", cluster: "member1" });
      const headers = { "Content-Type": "application/json" };
      const response = await fetch("/actions", { method: "POST", headers, body });
      return [response.status, await response.text()];
    });
    expect(refused).toEqual([403, "this page only shows a real hub: nothing can be changed from here\n"]);
    expect(hub.counts.totals().writes).toBe(0);
    await context.close();
  });
});
