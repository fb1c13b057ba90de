import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Update } from "#infra/browser/page/protocol";
import { readScenario } from "#infra/local/scenario-file";
import type { KubeObject } from "#sim/api/object";
import { finished, mainsheet } from "#test/e2e/mainsheet";
import { openWindow, picture, startChromium, type Visit } from "./chromium.ts";
import { faintTexts } from "./faint-texts.ts";
import { type LiveHost, startLive } from "./live-host.ts";

const MINUTE = 60_000;
const SLOT_MS = 15_000;
let browser: Browser;
let live: LiveHost;

beforeAll(async () => {
  browser = await startChromium();
  const scenario = readScenario("lost-cluster");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  // Without its timeline: what is lost here, the reader cuts off.
  const quiet = { ...scenario.value, timeline: [], manifests: withShadow(scenario.value.manifests) };
  const { startMs } = quiet;
  live = await startLive({ kind: "embedded", scenario: quiet, startMs, speed: 15, webhooks: true, port: 0 });
}, MINUTE);

afterAll(async () => {
  await live?.stop();
  await browser?.close();
}, MINUTE);

/** The FederatedHPA with another spec beside it, whose target is higher. */
function withShadow(manifests: readonly KubeObject[]): readonly KubeObject[] {
  const made = manifests.map((manifest) => {
    if (manifest.kind !== "FederatedHPA") return manifest;
    const annotations = { "mainsheet.io/shadow": "calmer" };
    return { ...manifest, metadata: { ...manifest.metadata, annotations } };
  });
  const metric = {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
  };
  const spec = JSON.stringify({ minReplicas: 3, maxReplicas: 24, metrics: [metric] });
  const metadata = { name: "calmer", namespace: "default" };
  return [{ apiVersion: "v1", kind: "ConfigMap", metadata, data: { spec } } as KubeObject, ...made];
}

async function visit(look: Parameters<typeof openWindow>[1] = {}): Promise<Visit> {
  const made = await openWindow(browser, look);
  await made.page.goto(live.url);
  await made.page.locator(".timeline canvas").first().waitFor();
  await made.page.locator("#account dl").first().waitFor();
  return made;
}

/** Every text of an account, as `mainsheet why` prints it, without the margin's spaces. */
const accountLines = (page: Page) =>
  page.evaluate(() => [
    document.querySelector("#account h3")?.textContent ?? "",
    ...[...document.querySelectorAll("#account > .account-text dd div")].map(
      (line) => line.textContent?.trim() ?? "",
    ),
  ]);

/** What the key of a chart says: `ready` → 6. */
const keyValue = async (page: Page, name: string) =>
  Number(
    await page
      .locator(".plot .key", { hasText: new RegExp(`^${name} `) })
      .locator("b")
      .textContent(),
  );

const said = (page: Page) => page.locator("#said");

/** The instants of the course that are no slots, as the stream tells them to whoever comes anew. */
async function instantsBetweenSlots(): Promise<readonly number[]> {
  const response = await fetch(`${live.url}events?object=default/shop`);
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/data: .*\n\n/.test(text)) break;
  }
  const { course } = JSON.parse(/data: (.*)\n\n/.exec(text)?.[1] ?? "{}") as Update;
  return (course?.points ?? []).map(({ atMs }) => atMs).filter((atMs) => atMs % SLOT_MS !== 0);
}

describe("the live page", { timeout: 2 * MINUTE }, () => {
  it("shows the fleet at a glance, in both themes and at every width, without a fault", async () => {
    for (const [width, height, scheme] of [
      [360, 800, "light"],
      [1280, 900, "light"],
      [1280, 900, "dark"],
      [2560, 1300, "dark"],
    ] as const) {
      const { page, complaints, context } = await visit({ width, height, scheme });
      expect(await page.locator("#totals").textContent()).toMatch(/^1 object.* · 3 clusters, all ready · /);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([width, overflow]).toEqual([width, 0]);
      expect(await faintTexts(page)).toEqual([]);
      await picture(page, `page-${width}-${scheme}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

  it("load up: the scale is on the chart, and load as before brings it down", async () => {
    const { page, complaints, context } = await visit();
    await page.getByLabel("Demand from now on, over all pods").fill("2400m");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await said(page).getByText("default/shop: 2400m cpu from now on").waitFor();
    await page.waitForFunction(
      () =>
        /^(\d+)\/\1 ready · from 3 to 24/.test(document.querySelector("#glance")?.textContent ?? "") &&
        Number.parseInt(document.querySelector("#glance")?.textContent ?? "", 10) === 24,
    );
    expect(await keyValue(page, "asked for")).toBe(2.4);
    await picture(page, "page-after-load");
    await page.getByRole("button", { name: "As before" }).click();
    await said(page).getByText("the load is the scenario's again").waitFor();
    await page.waitForFunction(
      () => Number.parseInt(document.querySelector("#glance")?.textContent ?? "", 10) < 24,
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("refuses a load that is none in one sentence, and changes nothing", async () => {
    const { page, context } = await visit();
    await page.getByLabel("Demand from now on, over all pods").fill("-3");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await said(page).getByText("give an amount from 0 up, like 500m, 2 or 300Mi").waitFor();
    await context.close();
  });

  it("a cluster is cut off, seen as such by the decisions, and brought back", async () => {
    const { page, complaints, context } = await visit();
    const card = page.locator(".cluster", { hasText: "member3" });
    await card.getByRole("button", { name: "Cut off member3" }).click();
    await card.getByText("not ready, cut off").waitFor();
    await page.locator(".row .state", { hasText: "member3 unread" }).waitFor();
    await page
      .locator("#account > .account-text")
      .getByText(/member3: left out/)
      .waitFor();
    await picture(page, "page-cut-off");
    await card.getByRole("button", { name: "Reconnect member3" }).click();
    await card.getByText("ready", { exact: true }).waitFor();
    await page.waitForFunction(() => !document.querySelector(".row .state")?.textContent?.includes("unread"));
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("the account at an instant is what mainsheet why prints of it", async () => {
    const { page, context } = await visit();
    await page.waitForFunction(() => Number(document.querySelector<HTMLInputElement>(".scrubber")?.max) > 8);
    const box = await page.locator(".plot .u-over").first().boundingBox();
    if (box === null) throw new Error("there is no chart");
    await page.mouse.click(box.x + box.width * 0.4, box.y + box.height / 2);
    const picked = (await page.locator(".readout").textContent())?.slice(11, 19) ?? "";
    await page.locator("#account h3").first().getByText(picked).waitFor();
    const heading = (await accountLines(page))[0] ?? "";
    const at = /at (\S+)$/.exec(heading)?.[1] ?? "";
    const run = mainsheet("why", "default/shop", "--at", at, "--endpoint", live.host.aws.endpoint);
    const { lines, code } = await finished(run);
    expect(code).toBe(0);
    expect(await accountLines(page)).toEqual([
      lines[0],
      ...lines.slice(1).map((line) => line.slice(12).trim()),
    ]);
    await context.close();
  });

  it("works from the keyboard alone, with the focus in sight", async () => {
    const { page, complaints, context } = await visit();
    const active = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.className || "");
    const seen: string[] = [];
    for (let press = 0; press < 40 && !(await active()).includes("scrubber"); press++) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(() => {
        const style = getComputedStyle(document.activeElement ?? document.body);
        return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
      });
      expect([await active(), outline]).toEqual([await active(), true]);
      seen.push(await active());
    }
    expect(seen).toEqual(expect.arrayContaining(["theme", "filter", "restless", "objects", "span"]));
    const before = await page.locator(".scrubber").getAttribute("aria-valuetext");
    for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowLeft");
    const after = await page.locator(".scrubber").getAttribute("aria-valuetext");
    expect(after).toMatch(/^\d\d:\d\d:\d\d, member1 \d+, .*cpu \d+% of 50%/);
    expect(after).not.toBe(before);
    const picked = await page.locator(".readout").textContent();
    await page
      .locator("#account h3")
      .first()
      .getByText((picked ?? "").slice(11, 19))
      .waitFor();
    const text = () => page.evaluate(() => document.activeElement?.textContent);
    for (let press = 0; press < 6 && (await text()) !== "Newest"; press++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("button", { name: "Newest" }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("what a shadow spec wants stands beside what is done", async () => {
    const { page, context } = await visit();
    await page
      .locator("#glance")
      .getByText(/ · shadow calmer wants \d+: cpu \d+% of 80% /)
      .waitFor();
    expect(await keyValue(page, "shadow wants")).toBeGreaterThanOrEqual(3);
    await page.locator(".shadow h3").getByText("Its shadow: FederatedHPA default/shop").waitFor();
    await page
      .locator(".shadow dd")
      .getByText(/^cpu \(Resource\): \d+% of 80%/)
      .waitFor();
    await picture(page, "page-shadow");
    await context.close();
  });

  it("an event is put on the bus, and the object evaluated at once, between two slots", async () => {
    const { page, context } = await visit();
    await page.getByRole("button", { name: "Put an event on the bus" }).click();
    await said(page).getByText("ReconcileRequested for default/shop is on the bus").waitFor();
    expect(live.events).toContain("ReconcileRequested");
    await expect.poll(instantsBetweenSlots, { timeout: 10_000 }).toHaveLength(1);
    const [atMs = 0] = await instantsBetweenSlots();
    // Its account is its own, not that of the slot before.
    const account = async () => {
      const at = new Date(atMs).toISOString();
      const answer = await fetch(`${live.url}account?object=default/shop&at=${at}`);
      return ((await answer.json()) as { readonly atMs?: number }).atMs;
    };
    await expect.poll(account).toBe(atMs);
    await context.close();
  });

  it("a theme that is chosen stays", async () => {
    const { page, context } = await visit({ scheme: "light" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const inLight = await background();
    await page.getByLabel("Theme").selectOption("dark");
    const inDark = await background();
    expect(inDark).not.toBe(inLight);
    await page.reload();
    await page.locator(".timeline canvas").first().waitFor();
    expect(await background()).toBe(inDark);
    await context.close();
  });
});
