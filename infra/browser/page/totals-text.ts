import type { ClusterView, ObjectView } from "./protocol.ts";

/** The fleet in one line. @example `3 objects, 1 limited · 2 clusters, all ready · 9 of 10 replicas ready` */
export function totalsText(clusters: readonly ClusterView[], objects: readonly ObjectView[]): string {
  const limited = objects.filter(({ state }) => state === "limited").length;
  const troubled = objects.filter(({ state }) => state === "trouble").length;
  const readyClusters = clusters.filter(({ state }) => state === "ready").length;
  const wanted = objects.reduce((sum, object) => sum + (object.wanted ?? 0), 0);
  const isToldReady = objects.some(({ ready }) => ready !== undefined);
  const ready = objects.reduce((sum, object) => sum + (object.ready ?? 0), 0);
  const parts = [
    [
      counted(objects.length, "object"),
      ...(limited > 0 ? [`${limited} limited`] : []),
      ...(troubled > 0 ? [`${troubled} in trouble`] : []),
    ].join(", "),
    `${counted(clusters.length, "cluster")}, ${readyClusters === clusters.length ? "all" : readyClusters} ready`,
    isToldReady
      ? `${ready.toLocaleString("en")} of ${counted(wanted, "replica")} ready`
      : counted(wanted, "replica"),
  ];
  return parts.join(" · ");
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
