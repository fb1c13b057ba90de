import { amountText } from "./amount-text.ts";
import { heldInstants, heldValues } from "./hold.ts";
import { type Plot, plot, type Shared } from "./plot.ts";
import { peak } from "./stack.ts";
import type { Timeline, Values } from "./timeline.ts";

type Updated = Plot & { update(): void };

/** A metric against its target. */
export function metricPlot(shared: Shared, timeline: () => Timeline, index: number): Updated {
  const metric = () => timeline().metrics[index];
  const unit = metric()?.unit ?? "";
  let top = 1;
  const drawn = plot(shared, {
    title: `Metric ${metric()?.name ?? ""}`,
    height: 150,
    top: () => top,
    tick: (value) => amountText(unit, value),
    layers: [
      {
        key: "measured",
        width: 2,
        stroke: ({ line }) => line,
        text: (at) => amountText(unit, metric()?.values[at]),
      },
      {
        key: "target",
        stepped: true,
        dash: [8, 4],
        stroke: ({ target }) => target,
        text: (at) => amountText(unit, metric()?.target[at]),
      },
    ],
  });
  return {
    ...drawn,
    update() {
      const { values = [], target = [] } = metric() ?? {};
      const others = shared.peers.flatMap(({ metrics }) => metrics[index]?.values ?? []);
      top = peak(values, target, others) * 1.15 || 1;
      const held = (list: Values) => heldValues(timeline(), list);
      drawn.setData([heldInstants(timeline()), held(values), held(target)]);
    },
  };
}

/** What is asked of the workload. */
export function demandPlot(shared: Shared, timeline: () => Timeline, index: number): Updated {
  const demand = () => timeline().demand[index];
  const unit = demand()?.unit ?? "";
  let top = 1;
  const drawn = plot(shared, {
    title: `Demand ${demand()?.name ?? ""}`,
    height: 120,
    top: () => top,
    tick: (value) => amountText(unit, value),
    layers: [
      {
        key: "asked for",
        stepped: true,
        stroke: ({ series }) => series[0] ?? "gray",
        fill: ({ series }) => series[0] ?? "gray",
        text: (at) => amountText(unit, demand()?.values[at]),
      },
    ],
  });
  return {
    ...drawn,
    update() {
      const { values = [] } = demand() ?? {};
      const others = shared.peers.flatMap((peer) => peer.demand[index]?.values ?? []);
      top = peak(values, others) * 1.15 || 1;
      drawn.setData([heldInstants(timeline()), heldValues(timeline(), values)]);
    },
  };
}
