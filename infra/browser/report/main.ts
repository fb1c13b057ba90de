import { accountElement } from "#infra/browser/charts/account";
import { element } from "#infra/browser/charts/element";
import { themeChoice } from "#infra/browser/charts/theme-choice";
import { dayAndTimeText } from "#infra/browser/charts/time-text";
import { type TimelineCharts, timelineCharts } from "#infra/browser/charts/timeline-charts";
import type { SimulatedObject, SimulationReport, SimulationResult } from "#infra/simulate/result";
import { resultTimeline } from "./result-timeline.ts";

const report = JSON.parse(document.getElementById("report")?.textContent ?? "") as SimulationReport;
const drawn: TimelineCharts[] = [];
const waiting = new Set(document.querySelectorAll<HTMLElement>("[data-object]"));

// A report of many objects is there at once: charts are drawn when the reader comes near them.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target as HTMLElement);
  },
  { rootMargin: "800px" },
);
for (const host of waiting) near.observe(host);

themeChoice(document.getElementById("theme") as HTMLSelectElement, repaint);
// A canvas keeps the colours that it was drawn in; paper is white.
let before: string | undefined;
addEventListener("beforeprint", () => {
  for (const host of waiting) draw(host);
  before = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  repaint();
});
addEventListener("afterprint", () => {
  if (before === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = before;
  repaint();
});

function repaint(): void {
  for (const charts of drawn) charts.repaint();
}

function draw(host: HTMLElement): void {
  near.unobserve(host);
  if (waiting.delete(host)) drawObject(host);
}

/** The charts of one object, one column for each run that has it. */
function drawObject(host: HTMLElement): void {
  const key = host.dataset.object ?? "";
  const found = report.runs.flatMap((run) => {
    const object = run.objects.find(({ namespace, name }) => `${namespace}/${name}` === key);
    return object === undefined ? [] : [{ run, object, timeline: resultTimeline(run, object) }];
  });
  const timelines = found.map(({ timeline }) => timeline);
  for (const { run, object, timeline } of found) {
    const account = element("div", { class: "account" });
    const charts = timelineCharts({
      label: `${key}${report.runs.length > 1 ? `, ${run.title}` : ""} over time`,
      isLive: false,
      peers: { name: key, timelines },
      onPick: (atMs) => tell(account, run, object, atMs),
    });
    const heading = report.runs.length > 1 ? [element("h3", {}, run.title)] : [];
    host.append(element("div", { class: "run" }, ...heading, charts.root, account));
    charts.update(timeline);
    drawn.push(charts);
    tell(account, run, object, undefined);
  }
}

/** The account of the last scale up to an instant. */
function tell(
  host: HTMLElement,
  run: SimulationResult,
  { scales }: SimulatedObject,
  atMs: number | undefined,
): void {
  const scale = scales.findLast((one) => one.atMs <= (atMs ?? run.toMs));
  if (scale === undefined) {
    host.replaceChildren(element("p", { class: "quiet" }, "Nothing was scaled up to this instant."));
    return;
  }
  const heading = `The scale of ${dayAndTimeText(scale.atMs)}: ${scale.from} → ${scale.to}`;
  host.replaceChildren(accountElement(heading, scale.account));
}
