import { drawMarks } from "./draw-marks.ts";
import { heldInstants, heldValues } from "./hold.ts";
import { type Palette, SERIES_COLORS } from "./palette.ts";
import { type Plot, plot, type Shared } from "./plot.ts";
import { peak, stack } from "./stack.ts";
import type { Timeline, Values } from "./timeline.ts";

/** A bound so many times above what runs would flatten everything else: it is told in the key, not drawn. */
const FAR = 3;

/** Replicas per cluster on each other, with those that are ready, the bounds, and what happened. */
export function replicasPlot(shared: Shared, timeline: () => Timeline): Plot & { update(): void } {
  const { clusters } = timeline();
  const count = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : String(value);
  let top = 1;
  let stepSeconds = 15;
  const drawn = plot(shared, {
    title: "Replicas",
    height: 240,
    whole: true,
    tick: (value) => (Number.isInteger(value) ? String(value) : ""),
    top: () => top,
    draw: (u) => drawMarks(u, timeline().marks, stepSeconds, shared.palette()),
    layers: [
      // The highest layer first: each is painted over by those below it.
      ...clusters
        .map(({ name }, index) => ({
          key: name,
          stepped: true,
          width: 1,
          stroke: colorOf(index),
          fill: colorOf(index),
          text: (at: number) => count(timeline().clusters[index]?.replicas[at]),
        }))
        .reverse(),
      {
        key: "ready",
        stepped: true,
        width: 2,
        stroke: ({ line }) => line,
        text: (at) => count(timeline().ready[at]),
      },
      {
        key: "template",
        stepped: true,
        width: 1,
        dash: [1, 2],
        stroke: ({ line }) => line,
        text: (at) => count(timeline().template[at]),
      },
      {
        key: "min",
        stepped: true,
        dash: [2, 4],
        stroke: ({ target }) => target,
        text: (at) => count(timeline().minReplicas[at]),
      },
      {
        key: "max",
        stepped: true,
        dash: [8, 4],
        stroke: ({ target }) => target,
        text: (at) => count(timeline().maxReplicas[at]),
      },
      ...(timeline().shadow === undefined
        ? []
        : [
            {
              key: "shadow wants",
              stepped: true,
              width: 2,
              dash: [3, 3],
              stroke: ({ shadow }: Palette) => shadow,
              text: (at: number) => count(timeline().shadow?.[at]),
            },
          ]),
    ],
  });

  return {
    ...drawn,
    update() {
      const { atMs, clusters, ready, template, minReplicas, maxReplicas, shadow } = timeline();
      const tops = stack(clusters);
      const all = [timeline(), ...shared.peers];
      const runs = Math.max(1, peak(...all.map((one) => stack(one.clusters).at(-1) ?? []), ready));
      const bound = peak(...all.map((one) => one.maxReplicas));
      top = Math.max(runs, peak(minReplicas, template, shadow ?? []), bound <= FAR * runs ? bound : 0) * 1.1;
      stepSeconds = stepOf(atMs);
      const held = (values: Values) => heldValues(timeline(), values);
      drawn.setData([
        heldInstants(timeline()),
        ...tops.map(held).reverse(),
        held(ready),
        held(template),
        held(minReplicas),
        held(maxReplicas),
        ...(shadow === undefined ? [] : [held(shadow)]),
      ]);
    },
  };
}

function colorOf(index: number) {
  return ({ series }: { readonly series: readonly string[] }) => series[index % SERIES_COLORS] ?? "gray";
}

/** Seconds between two instants, as they mostly are. */
function stepOf(atMs: readonly number[]): number {
  const [first, second] = [atMs.at(-3), atMs.at(-2)];
  return first === undefined || second === undefined ? 15 : Math.min(60, (second - first) / 1000);
}
