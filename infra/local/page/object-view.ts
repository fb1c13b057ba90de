import type { MetricFigure } from "#domain/scale/figures";
import { amountText } from "#infra/browser/charts/amount-text";
import type { ObjectView, Point } from "#infra/browser/page/protocol";
import type { Placed } from "./fleet-eye.ts";

/** Results after which an object is not as it should be. */
const TROUBLES = new Set(["failed", "out-of-time", "refused", "unknown", "quarantined"]);

/** One line of the list of objects: how it is placed, and how its last evaluation went. */
export function objectView(key: string, placed: Placed | undefined, last: Point | undefined): ObjectView {
  const metric = last?.figures?.metrics[0];
  const wanted = placed === undefined ? (last?.to ?? last?.from) : sum(placed.clusters);
  const minReplicas = placed?.minReplicas ?? last?.minReplicas;
  const maxReplicas = placed?.maxReplicas ?? last?.maxReplicas;
  return {
    key,
    ...(wanted === undefined ? {} : { wanted }),
    ...(placed === undefined ? {} : { ready: sum(placed.readyIn) }),
    ...(minReplicas === undefined ? {} : { minReplicas }),
    ...(maxReplicas === undefined ? {} : { maxReplicas }),
    ...(metric === undefined ? {} : { metric: metricText(metric) }),
    ...stateOf(last),
  };
}

function stateOf(last: Point | undefined): Pick<ObjectView, "state" | "note"> {
  if (last === undefined) return { state: "new" };
  if (TROUBLES.has(last.result)) return { state: "trouble", note: last.result };
  if (last.unread.length > 0) return { state: "trouble", note: `${last.unread.join(", ")} unread` };
  const [limit] = last.figures?.limits ?? [];
  if (limit !== undefined) return { state: "limited", note: limit };
  if (last.result === "held" || last.result === "yielded" || last.result === "would-scale") {
    return { state: "limited", note: last.result };
  }
  return { state: "steady" };
}

/** @example `cpu 45% of 60%` */
function metricText({ name, unit, value, target }: MetricFigure): string {
  return `${name} ${amountText(unit, value)} of ${amountText(unit, target)}`;
}

export function sum(counts: Readonly<Record<string, number | null>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}
