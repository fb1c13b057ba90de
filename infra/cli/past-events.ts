import {
  isKnown,
  type LedgerReader,
  listCronRuns,
  listRunsOf,
  listScales,
  listWouldScales,
  type PastScale,
  type Span,
} from "#app/ledger/read-ledger";
import { formatInstant } from "#domain/units/instant";
import type { CronRunRecord } from "#wire/cron-run-record";
import type { RecordHead } from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";

/** Something that happened to an object: a scale of it, or a run of a cron rule for it. */
export type PastEvent =
  | ({ readonly kind: "scale" } & PastScale)
  /** What an object that is only observed would have had. */
  | ({ readonly kind: "would-scale" } & RecordHead)
  | ({ readonly kind: "cron" } & CronRunRecord);

/**
 * The newest of what happened to a FederatedHPA and of the runs of a CronFederatedHPA of this name, oldest first;
 * undefined where neither was ever evaluated.
 */
export async function pastEvents(
  reader: LedgerReader,
  id: ObjectId,
  span: Span & { readonly limit: number },
): Promise<readonly PastEvent[] | undefined> {
  const [isObject, ownRuns] = await Promise.all([isKnown(reader, id), listRunsOf(reader, id, span)]);
  if (!isObject && ownRuns === undefined) return undefined;
  const [scales, runs] = await Promise.all([listScales(reader, id, span), listCronRuns(reader, id, span)]);
  const wouldScales = scales.length === 0 ? await listWouldScales(reader, id, span) : [];
  // A rule may be for the FederatedHPA of its own name: then the run stands in both places.
  const all = new Map(
    [...runs, ...(ownRuns ?? [])].map((run) => [`${run.cron}/${run.rule}/${run.atMs}`, run]),
  );
  return [
    ...scales.map((scale): PastEvent => ({ kind: "scale", ...scale })),
    ...wouldScales.map((head): PastEvent => ({ kind: "would-scale", ...head })),
    ...[...all.values()].map((run): PastEvent => ({ kind: "cron", ...run })),
  ]
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-span.limit);
}

export const PAST_HEADING = ["AT", "FROM", "TO", "CLUSTERS BEFORE", "OUTCOME", "CAUSE"];

export function pastCells(event: PastEvent): readonly string[] {
  const at = formatInstant(event.atMs);
  if (event.kind === "cron") {
    return [at, "-", "-", "-", event.outcome, `cron ${event.cron} ${event.rule}: ${event.message}`];
  }
  if (event.kind === "would-scale") {
    const { from = "-", to = "-", clusters, summary } = event;
    return [at, String(from), String(to), clustersText(clusters), "would-scale", summary];
  }
  const { from, to, outcome, seen, reason } = event;
  return [at, String(from), String(to), clustersText(seen?.clusters), outcome, seen?.summary ?? reason];
}

function clustersText(clusters: RecordHead["clusters"] = {}): string {
  const known = Object.entries(clusters);
  return known.length === 0
    ? "-"
    : known.map(([cluster, replicas]) => `${cluster} ${replicas ?? "?"}`).join(", ");
}

export function pastJson(event: PastEvent): object {
  if (event.kind === "cron") {
    const { atMs, executionMs, ...run } = event;
    return { at: formatInstant(atMs), ...run, executedAt: formatInstant(executionMs) };
  }
  if (event.kind === "would-scale") {
    const { kind, atMs, from, to, clusters, summary, code } = event;
    return {
      at: formatInstant(atMs),
      kind,
      from,
      to,
      outcome: "would-scale",
      clustersBefore: clusters,
      summary,
      code,
    };
  }
  const { seen, atMs, ...scale } = event;
  return {
    at: formatInstant(atMs),
    ...scale,
    ...(seen === undefined ? {} : { clustersBefore: seen.clusters, summary: seen.summary, code: seen.code }),
  };
}
