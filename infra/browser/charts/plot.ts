import uPlot from "uplot";
import { element } from "./element.ts";
import type { Palette } from "./palette.ts";
import { tickText } from "./time-text.ts";
import type { Timeline } from "./timeline.ts";

/** What the plots of one timeline share. */
export interface Shared {
  /** Plots of one key have one cursor. */
  readonly syncKey: string;
  /** Timelines that axes must have room for as well. */
  readonly peers: readonly Timeline[];
  palette(): Palette;
  /** The span that is shown, in seconds. */
  view(): readonly [number, number];
  /** The instant that was picked, in seconds. */
  picked(): number | undefined;
  hover(index: number | undefined): void;
  pick(index: number): void;
  /** Without a span: all of it again. */
  zoom(span?: readonly [number, number]): void;
}

export interface Layer {
  readonly key: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  /** Holds its value until the next instant. */
  readonly stepped?: boolean;
  readonly stroke: (palette: Palette) => string;
  readonly fill?: (palette: Palette) => string;
  /** What the key says at an index; absent: the layer has no key. */
  readonly text?: (index: number) => string;
}

export interface PlotOptions {
  readonly title: string;
  readonly height: number;
  readonly layers: readonly Layer[];
  /** The largest value of the y axis for the data at hand; its smallest is 0. */
  readonly top: () => number;
  readonly tick: (value: number) => string;
  readonly whole?: boolean;
  readonly draw?: (plot: uPlot) => void;
}

export interface Plot {
  readonly root: HTMLElement;
  setData(data: uPlot.AlignedData): void;
  /** Fills the keys' values in, as they are at an index. */
  tell(index: number): void;
  resize(width: number): void;
  redraw(): void;
  destroy(): void;
}

const FONT = "12px system-ui, sans-serif";
/** Room for the y axis: the same in every plot, so that instants stand above each other. */
const AXIS_WIDTH = 52;

export function plot(shared: Shared, options: PlotOptions): Plot {
  const { layers, title, height } = options;
  const keys = layers.map(({ key, text, stroke, fill, dash }) => {
    if (text === undefined) return undefined;
    const swatch = element("i", { class: "swatch", "aria-hidden": "true" });
    const value = element("b");
    const paint = () => {
      const palette = shared.palette();
      swatch.style.borderTop = `${fill === undefined ? 3 : 10}px ${dash === undefined ? "solid" : "dashed"} ${(fill ?? stroke)(palette)}`;
    };
    return { root: element("span", { class: "key" }, swatch, `${key} `, value), value, paint, text };
  });
  const legend = element("span", { class: "keys" }, ...keys.flatMap((key) => (key ? [key.root] : [])));
  const canvas = element("div", { class: "canvas" });
  const root = element(
    "figure",
    { class: "plot" },
    element("figcaption", {}, element("b", {}, title), legend),
  );
  root.append(canvas);

  const line = (color: (palette: Palette) => string) => () => color(shared.palette());
  const axis = { stroke: line(({ muted }) => muted), font: FONT, ticks: { show: false } };
  const grid = { stroke: line((palette) => palette.grid), width: 1 };
  const u = new uPlot(
    {
      width: Math.max(200, canvas.clientWidth),
      height,
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      padding: [8, 32, 0, 0],
      cursor: {
        sync: { key: shared.syncKey, setSeries: false },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        points: { show: false },
        y: false,
        bind: { dblclick: () => () => backToAll(shared) },
      },
      scales: {
        x: { time: true, range: () => [...shared.view()] },
        y: { range: () => [0, Math.max(options.top(), Number.MIN_VALUE)] },
      },
      axes: [
        {
          ...axis,
          grid,
          size: 26,
          space: 84,
          values: (_u, splits, _axis, _space, step) => splits.map((seconds) => tickText(seconds, step)),
        },
        {
          ...axis,
          grid,
          size: AXIS_WIDTH,
          space: 28,
          ...(options.whole ? { incrs: WHOLE_STEPS } : {}),
          values: (_u, splits) => splits.map(options.tick),
        },
      ],
      series: [{}, ...layers.map((layer) => seriesOf(layer, line))],
      hooks: {
        setCursor: [({ cursor }) => shared.hover(cursor.idx ?? undefined)],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width < 6) return;
            shared.zoom([self.posToVal(left, "x"), self.posToVal(left + width, "x")]);
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        draw: [(self) => options.draw?.(self), (self) => drawPicked(self, shared)],
      },
    },
    [[], ...layers.map(() => [])],
    canvas,
  );
  u.over.addEventListener("click", () => {
    if (u.cursor.idx !== null && u.cursor.idx !== undefined) shared.pick(u.cursor.idx);
  });

  return {
    root,
    setData(data) {
      for (const key of keys) key?.paint();
      u.setData(data, true);
    },
    tell(index) {
      for (const key of keys) if (key) key.value.textContent = key.text(index);
    },
    resize(width) {
      if (width > 0 && width !== u.width) u.setSize({ width, height: heightAt(width, height) });
    },
    redraw() {
      for (const key of keys) key?.paint();
      u.redraw(true, true);
    },
    destroy() {
      u.destroy();
      root.remove();
    },
  };
}

/** A wide plot is a little taller: slopes stay readable. */
function heightAt(width: number, least: number): number {
  return Math.round(least * Math.min(1.5, Math.max(1, width / 900)));
}

const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000];

function seriesOf(
  { key, width = 1.5, dash, stepped, stroke, fill }: Layer,
  line: (color: (palette: Palette) => string) => () => string,
): uPlot.Series {
  const paths = stepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  return {
    label: key,
    width,
    stroke: line(stroke),
    points: { show: false },
    ...(dash === undefined ? {} : { dash: [...dash] }),
    ...(fill === undefined ? {} : { fill: line(fill) }),
    ...(paths === undefined ? {} : { paths }),
  };
}

function backToAll(shared: Shared): null {
  shared.zoom();
  return null;
}

function drawPicked(u: uPlot, shared: Shared): void {
  const seconds = shared.picked();
  if (seconds === undefined) return;
  const x = Math.round(u.valToPos(seconds, "x", true));
  const { left, top, width, height } = u.bbox;
  if (x < left || x > left + width) return;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = shared.palette().text;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.restore();
}
