import type { Section } from "#test/bench/section";
import { openWindow, startChromium } from "#test/browser/chromium";
import { startCrowd } from "#test/browser/crowd";
import { scrollObjects } from "#test/browser/scroll";

const SECONDS = 5;

/** The live page in this machine's Chromium while its list is scrolled and every object changes twice a second. */
export const pageSection: Section = {
  name: "page",
  async run() {
    const [browser, crowd] = await Promise.all([startChromium(), startCrowd(1_000)]);
    crowd.evaluate();
    const evaluating = setInterval(crowd.evaluate, 500);
    try {
      const { page, complaints } = await openWindow(browser);
      await page.goto(crowd.url);
      await page.getByText("1,000 objects").waitFor();
      const measured = await scrollObjects(page, SECONDS * 1000);
      if (complaints.length > 0) throw new Error(complaints.join("; "));
      return [{ objects: 1_000, scrolledSeconds: SECONDS, ...measured }];
    } finally {
      clearInterval(evaluating);
      await browser.close();
      await crowd.close();
    }
  },
};
