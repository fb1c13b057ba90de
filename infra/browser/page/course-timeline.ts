import { clusterLayers } from "#infra/browser/charts/cluster-layers";
import type { ClusterLine, Line, Mark, MetricLine, Timeline } from "#infra/browser/charts/timeline";
import type { Point } from "./protocol.ts";

const TROUBLES = new Set(["failed", "out-of-time", "refused", "unknown", "quarantined"]);

/** The course of an object as charts draw it. */
export function courseTimeline(points: readonly Point[], nowMs: number): Timeline {
  return {
    atMs: points.map(({ atMs }) => atMs),
    untilMs: Math.max(nowMs, points.at(-1)?.atMs ?? 0),
    demand: demandLines(points),
    metrics: metricLines(points),
    template: points.map(({ result, from, to }) => (result === "scaled" ? to : from) ?? null),
    clusters: clusterLines(points),
    ready: points.map(({ ready }) => ready ?? null),
    minReplicas: points.map(({ minReplicas }) => minReplicas ?? null),
    maxReplicas: points.map(({ maxReplicas }) => maxReplicas ?? null),
    ...(points.some(({ shadow }) => shadow !== undefined)
      ? { shadow: points.map(({ shadow }) => shadow?.to ?? null) }
      : {}),
    marks: points.flatMap(marksOf),
  };
}

function clusterLines(points: readonly Point[]): readonly ClusterLine[] {
  const names = [...new Set(points.flatMap(({ clusters }) => Object.keys(clusters)))].sort();
  const lines = names.map((name) => ({
    name,
    replicas: points.map(({ clusters }) => (name in clusters ? (clusters[name] ?? null) : 0)),
  }));
  return clusterLayers(lines);
}

function metricLines(points: readonly Point[]): readonly MetricLine[] {
  const latest = points.findLast(({ figures }) => (figures?.metrics.length ?? 0) > 0)?.figures?.metrics ?? [];
  return latest.map(({ name, unit }, index) => {
    const figures = points.map((point) => {
      const figure = point.figures?.metrics[index];
      return figure?.name === name && figure.unit === unit ? figure : undefined;
    });
    return {
      name,
      unit,
      values: figures.map((figure) => figure?.value ?? null),
      target: figures.map((figure) => figure?.target ?? null),
    };
  });
}

function demandLines(points: readonly Point[]): readonly Line[] {
  return (points.at(-1)?.demand ?? []).map(({ name, unit }, index) => ({
    name,
    unit,
    values: points.map(({ demand }) => (demand[index]?.name === name ? demand[index].value : null)),
  }));
}

function marksOf({ atMs, result, from, to, why, figures, unread, cron = [] }: Point): readonly Mark[] {
  const marks: Mark[] = cron.map((text) => ({ atMs, kind: "cron", text }));
  const isScale = result === "scaled" || result === "would-scale" || result === "unknown";
  if (isScale && from !== undefined && to !== undefined && from !== to) {
    const text = `${from} → ${to}${result === "scaled" ? "" : ` (${result})`}: ${why}`;
    marks.push({ atMs, kind: to > from ? "up" : "down", text });
  }
  if (unread.length > 0)
    marks.push({ atMs, kind: "trouble", text: `${unread.join(", ")} could not be read` });
  if (TROUBLES.has(result)) marks.push({ atMs, kind: "trouble", text: `${result}: ${why}` });
  const limits = figures?.limits ?? [];
  if (limits.length > 0 || result === "held" || result === "yielded") {
    marks.push({ atMs, kind: "limited", text: limits.length > 0 ? limits.join(", ") : `${result}: ${why}` });
  }
  return marks;
}
