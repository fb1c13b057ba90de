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
