import type { Page } from "playwright-core";

export interface Scrolling {
  readonly framesPerSecond: number;
  /** The longest time between two frames. */
  readonly longestFrameMs: number;
  /** The longest task of the main thread, by the browser's own account; 0 where none took 50 ms. */
  readonly longestTaskMs: number;
  /** How many rows of the list there are as elements. */
  readonly rows: number;
}

/** Scrolls the list of objects from end to end and back for so long, a screenful with each frame. */
export function scrollObjects(page: Page, forMs: number): Promise<Scrolling> {
  return page.evaluate<Scrolling>(`(${SCROLL})(${forMs})`);
}

/** Runs in the page. A text, since the rooms of Node know no DOM. */
const SCROLL = `async (forMs) => {
  const list = document.getElementById("objects");
  let longestTaskMs = 0;
  const observer = new PerformanceObserver((found) => {
    for (const { duration } of found.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  });
  observer.observe({ entryTypes: ["longtask"] });
  const frame = () => new Promise(requestAnimationFrame);
  const start = await frame();
  let [last, frames, longestFrameMs, direction] = [start, 0, 0, 1];
  while (last - start < forMs) {
    list.scrollTop += direction * list.clientHeight;
    if (list.scrollTop <= 0 || list.scrollTop >= list.scrollHeight - list.clientHeight - 1) direction *= -1;
    const now = await frame();
    longestFrameMs = Math.max(longestFrameMs, now - last);
    frames += 1;
    last = now;
  }
  await frame();
  observer.disconnect();
  return {
    framesPerSecond: Math.round((frames / (last - start)) * 10000) / 10,
    longestFrameMs: Math.round(longestFrameMs),
    longestTaskMs: Math.round(longestTaskMs),
    rows: list.querySelectorAll("[role=option]").length,
  };
}`;
