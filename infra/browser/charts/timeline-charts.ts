import { element } from "./element.ts";
import { demandPlot, metricPlot } from "./line-plots.ts";
import { type Palette, readPalette } from "./palette.ts";
import type { Plot, Shared } from "./plot.ts";
import { replicasPlot } from "./replicas-plot.ts";
import { dayAndTimeText, timeText } from "./time-text.ts";
import type { Mark, Timeline } from "./timeline.ts";

export interface TimelineCharts {
  readonly root: HTMLElement;
  /** Draws another state of the timeline. What was picked or zoomed stays. */
  update(timeline: Timeline): void;
  /** Shows only so many milliseconds before the end; undefined: all. */
  show(spanMs: number | undefined): void;
  /** Goes to an instant as if the reader had picked it; undefined: follow the newest. */
  pick(atMs: number | undefined): void;
  /** To be called when the theme has changed. */
  repaint(): void;
  destroy(): void;
}

export interface TimelineChartsOptions {
  /** What the timeline is of, for those who do not see it. */
  readonly label: string;
  /** The reader went to an instant of the timeline, or (undefined) back to the newest. */
  readonly onPick: (atMs: number | undefined) => void;
  /** Whether the newest instant moves on by itself. */
  readonly isLive: boolean;
  /** Others that it is compared with: charts of one name have one cursor, and axes that reach as far as theirs. */
  readonly peers?: { readonly name: string; readonly timelines: readonly Timeline[] };
}

type Drawn = Plot & { update(): void };

const EMPTY: Timeline = {
  atMs: [],
  untilMs: 0,
  demand: [],
  metrics: [],
  template: [],
  clusters: [],
  ready: [],
  minReplicas: [],
  maxReplicas: [],
  marks: [],
};

/** A few slots: nothing happens in between. */
const LEAST_SPAN_SECONDS = 60;

let timelines = 0;

/** Demand, metrics and replicas over time with one cursor; each instant can be picked, by pointer and by keyboard. */
export function timelineCharts(options: TimelineChartsOptions): TimelineCharts {
  const { label, onPick, isLive, peers } = options;
  let timeline = EMPTY;
  let shape = "";
  let plots: Drawn[] = [];
  let pickedMs: number | undefined;
  let hovered: number | undefined;
  let spanMs: number | undefined;
  let zoomed: readonly [number, number] | undefined;
  let palette: Palette | undefined;

  const area = element("div", { class: "plots" });
  const scrubber = element("input", { type: "range", class: "scrubber", min: 0, max: 0, step: 1, value: 0 });
  scrubber.setAttribute("aria-label", `Instant of ${label}`);
  const readout = element("p", { class: "readout" });
  const button = (text: string, title: string, act: () => void, name?: string) => {
    const made = element("button", { type: "button", title, "aria-label": name }, text);
    made.addEventListener("click", act);
    return made;
  };
  const newest = button(isLive ? "Newest" : "End", "Go to the newest instant", () => go(undefined));
  const bar = element(
    "div",
    { class: "scrub", role: "group", "aria-label": "Go to an instant" },
    button("◂ Event", "Go to the scale or run before", () => step(-1)),
    scrubber,
    button("Event ▸", "Go to the scale or run after", () => step(1)),
    button("+", "Zoom in (or drag over a chart)", () => zoomBy(0.5), "Zoom in"),
    button("−", "Zoom out (or double-click for all)", () => zoomBy(2), "Zoom out"),
    newest,
  );
  const marks = element("p", { class: "marks-key" });
  const root = element("section", { class: "timeline", "aria-label": label }, area, bar, readout, marks);
  marks.append(
    ...(["up", "down", "limited", "trouble", "cron"] as const).map((kind) =>
      element("span", { class: `mark ${kind}` }, MARK_NAMES[kind]),
    ),
  );

  const shared: Shared = {
    syncKey: peers?.name ?? `timeline-${++timelines}`,
    peers: peers?.timelines ?? [],
    palette: () => {
      palette ??= readPalette(root);
      return palette;
    },
    view: () => zoomed ?? viewOf(timeline, spanMs),
    picked: () => (pickedMs === undefined ? undefined : pickedMs / 1000),
    hover(index) {
      hovered = index;
      tell();
    },
    pick: (index) => go(timeline.atMs[index]),
    zoom(span) {
      zoomed = span;
      redraw();
    },
  };

  function go(atMs: number | undefined): void {
    pickedMs = atMs;
    if (atMs === undefined && zoomed !== undefined) shared.zoom();
    scrubber.value = String(indexInForce());
    for (const drawn of plots) drawn.redraw();
    tell();
    onPick(atMs);
  }

  /** The instant that is told of: the one under the pointer, else the picked one, else the newest. */
  function indexInForce(): number {
    if (pickedMs === undefined) return timeline.atMs.length - 1;
    return Math.max(
      0,
      timeline.atMs.findLastIndex((ms) => ms <= (pickedMs ?? 0)),
    );
  }

  function step(direction: 1 | -1): void {
    const now = pickedMs ?? Number.POSITIVE_INFINITY;
    const events = timeline.marks.filter(({ kind }) => kind === "up" || kind === "down" || kind === "cron");
    const found =
      direction > 0 ? events.find(({ atMs }) => atMs > now) : events.findLast(({ atMs }) => atMs < now);
    if (found !== undefined) go(found.atMs);
  }

  /** Shows so many times the span, with the instant that is told of as near to its middle as may be. */
  function zoomBy(factor: number): void {
    const [from, to] = shared.view();
    const [first, last] = viewOf(timeline, spanMs);
    const span = Math.max(LEAST_SPAN_SECONDS, (to - from) * factor);
    const middle = (pickedMs ?? timeline.untilMs) / 1000;
    const start = Math.max(first, Math.min(last - span, middle - span / 2));
    shared.zoom(span >= last - first ? undefined : [start, start + span]);
  }

  function tell(): void {
    const index = Math.min(hovered ?? indexInForce(), timeline.atMs.length - 1);
    const atMs = timeline.atMs[index];
    if (atMs === undefined) {
      readout.textContent = "Nothing was evaluated yet.";
      return;
    }
    for (const drawn of plots) drawn.tell(index);
    const happened = timeline.marks.filter((mark) => mark.atMs === atMs).map(({ text }) => text);
    readout.textContent = [dayAndTimeText(atMs), ...new Set(happened)].join(" · ");
    scrubber.setAttribute("aria-valuetext", spoken(timeline, indexInForce()));
    newest.disabled = pickedMs === undefined && zoomed === undefined;
  }

  function redraw(): void {
    for (const drawn of plots) drawn.update();
    tell();
  }

  function rebuild(): void {
    for (const drawn of plots) drawn.destroy();
    plots = [
      replicasPlot(shared, () => timeline),
      ...timeline.metrics.map((_, index) => metricPlot(shared, () => timeline, index)),
      ...timeline.demand.map((_, index) => demandPlot(shared, () => timeline, index)),
    ];
    area.replaceChildren(...plots.map((drawn) => drawn.root));
    adjustWidths();
  }

  function adjustWidths(): void {
    for (const drawn of plots) drawn.resize(area.clientWidth);
  }

  const resized = new ResizeObserver(adjustWidths);
  resized.observe(area);
  scrubber.addEventListener("input", () => go(timeline.atMs[Number(scrubber.value)]));

  return {
    root,
    update(next) {
      timeline = next;
      const names = [next.clusters, next.metrics, next.demand].map((lines) => lines.map(({ name }) => name));
      const nextShape = JSON.stringify([...names, next.shadow !== undefined]);
      if (nextShape !== shape) {
        shape = nextShape;
        rebuild();
      }
      scrubber.max = String(Math.max(0, next.atMs.length - 1));
      scrubber.value = String(indexInForce());
      redraw();
    },
    show(ms) {
      spanMs = ms;
      zoomed = undefined;
      redraw();
    },
    pick: go,
    repaint() {
      palette = undefined;
      for (const drawn of plots) drawn.redraw();
    },
    destroy() {
      resized.disconnect();
      for (const drawn of plots) drawn.destroy();
      root.remove();
    },
  };
}

const MARK_NAMES: Readonly<Record<Mark["kind"], string>> = {
  up: "scaled out",
  down: "scaled in",
  limited: "limited or held",
  trouble: "failed, or a cluster unread",
  cron: "cron rule",
};

/** At least a minute, so that the first instants do not fill the width. */
function viewOf({ atMs, untilMs }: Timeline, spanMs: number | undefined): readonly [number, number] {
  const from = Math.max(atMs[0] ?? 0, spanMs === undefined ? 0 : untilMs - spanMs);
  return [from / 1000, Math.max(untilMs, from + 60_000) / 1000];
}

/** An instant in words. */
function spoken({ atMs, clusters, metrics, ready, marks }: Timeline, index: number): string {
  const at = atMs[index];
  if (at === undefined) return "nothing yet";
  const placed = clusters.map(({ name, replicas }) => `${name} ${replicas[index] ?? "unknown"}`);
  const measured = metrics.map(
    ({ name, unit, values, target }) =>
      `${name} ${values[index] ?? "unknown"}${unit} of ${target[index] ?? "unknown"}${unit}`,
  );
  const events = marks.filter((mark) => mark.atMs === at).map(({ text }) => text);
  return [timeText(at), ...placed, `${ready[index] ?? "unknown"} ready`, ...measured, ...events].join(", ");
}
