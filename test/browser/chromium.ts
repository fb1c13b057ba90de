import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Where Debian, and most others, put it; another place is named by CHROMIUM. */
const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the machine's own Chromium; without one, says what to install. A test that cannot look has failed. */
export async function startChromium(): Promise<Browser> {
  const path = process.env.CHROMIUM ?? PATHS.find((one) => existsSync(one));
  if (path === undefined) {
    throw new Error(
      "the browser tests need Chromium: apt-get install chromium, or set CHROMIUM to the path of one",
    );
  }
  // Its sandbox cannot be made by root, as in containers, and it sees nothing here but this machine's own pages.
  return chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
}

export interface Visit {
  readonly page: Page;
  /** What the page complained of: console errors and warnings, exceptions, requests that failed or left this machine. */
  readonly complaints: readonly string[];
  readonly context: BrowserContext;
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

/** A window of its own, of this size and theme. */
export async function openWindow(browser: Browser, look: Look = {}): Promise<Visit> {
  const { width = 1280, height = 900, scheme = "light" } = look;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isHere = url.protocol === "file:" || url.protocol === "data:" || url.hostname === "127.0.0.1";
    if (!isHere) complaints.push(`request to ${url.href}`);
  });
  return { page, complaints, context };
}

/** Where this run's pictures go: for people to look at. */
export const PICTURES = process.env.PICTURES ?? mkdtempSync(join(tmpdir(), "mainsheet-pictures-"));

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Texts whose contrast with what is behind them is below 4.5 (3 for large ones), WCAG 1.4.3; each once. */
export function faintTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    type Color = readonly [number, number, number, number];
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const read = (color: string): Color => {
      context?.clearRect(0, 0, 1, 1);
      if (context) context.fillStyle = color;
      context?.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return [r, g, b, a / 255];
    };
    const channel = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]: Color) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (at: Element | null): Color => {
      if (at === null) return [255, 255, 255, 1];
      const color = read(getComputedStyle(at).backgroundColor);
      return color[3] > 0.99 ? color : behind(at.parentElement);
    };
    const faint = new Set<string>();
    for (const at of document.querySelectorAll("body *")) {
      const hasText = [...at.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!hasText || at.getClientRects().length === 0) continue;
      const style = getComputedStyle(at);
      const [over, under] = [light(read(style.color)), light(behind(at))];
      const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) faint.add(`${at.tagName} ${at.className}: ${ratio.toFixed(2)}`);
    }
    return [...faint];
  });
}
