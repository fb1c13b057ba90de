import type {
  GetMetricDataCommandInput,
  GetMetricDataCommandOutput,
  MetricDataResult,
} from "@aws-sdk/client-cloudwatch";
import type { Read } from "#domain/fleet/snapshot";
import type { ExternalMetricsPort, ExternalValue } from "#ports/external-metrics";
import { type CloudWatchQuery, decodeCloudWatchQuery } from "#wire/cloudwatch-query";
import { isRefusal, sentenceOf } from "./faults.ts";
import { nameOf, newestOf } from "./newest.ts";
import { type Batch, batchesOf, entriesOf, MAX_ENTRIES, requestFor, resultId } from "./request.ts";

export type GetMetricData = (input: GetMetricDataCommandInput) => Promise<GetMetricDataCommandOutput>;

/**
 * CloudWatch as a source of External metrics; `definition` is one query of docs/external-metrics.md. All queries of a
 * period go in one request of at most 500 entries. One that CloudWatch refuses would take its whole request with it, so
 * a refused request is asked again in halves until the culprit is alone. The client is loaded by the first query: most
 * fleets never ask.
 */
export function cloudWatchMetrics(get: GetMetricData = onFirstUse()): ExternalMetricsPort {
  async function ask(batch: Batch, nowMs: number): Promise<readonly Read<ExternalValue>[]> {
    try {
      const results = await allPages(requestFor(batch, nowMs));
      return batch.map((query, index) =>
        newestOf(
          query,
          results.filter(({ Id }) => Id === resultId(index)),
          nowMs,
        ),
      );
    } catch (error) {
      const half = Math.ceil(batch.length / 2);
      const [first, second] = [batch.slice(0, half), batch.slice(half)];
      if (isRefusal(error) && isBatch(first) && isBatch(second)) {
        return (await Promise.all([ask(first, nowMs), ask(second, nowMs)])).flat();
      }
      return batch.map((query) => unreadable(`read ${nameOf(query)} from CloudWatch: ${sentenceOf(error)}`));
    }
  }

  async function allPages(request: GetMetricDataCommandInput): Promise<readonly MetricDataResult[]> {
    const results: MetricDataResult[] = [];
    let token: string | undefined;
    do {
      const page = await get(token === undefined ? request : { ...request, NextToken: token });
      results.push(...(page.MetricDataResults ?? []));
      token = page.NextToken;
    } while (token !== undefined);
    return results;
  }

  return {
    async read(queries, nowMs) {
      const decoded = queries.map(({ definition, selector }) => {
        const query = decodeCloudWatchQuery(definition, selector);
        if (!query.ok) return unreadable(query.fault.detail);
        const entries = entriesOf(query.value);
        if (entries > MAX_ENTRIES)
          return unreadable(`${entries} metrics; CloudWatch takes ${MAX_ENTRIES} at once`);
        return query;
      });
      const distinct = new Map(
        decoded.flatMap((query) => (query.ok ? [[keyOf(query.value), query.value]] : [])),
      );
      const batches = batchesOf([...distinct.values()]);
      const answers = await Promise.all(batches.map((batch) => ask(batch, nowMs)));
      const keys = batches.flatMap((batch) => batch.map(keyOf));
      const answered = new Map(answers.flat().map((answer, index) => [keys[index], answer]));
      return decoded.map((query) =>
        query.ok ? (answered.get(keyOf(query.value)) ?? unreadable("no answer")) : query,
      );
    },
  };
}

function onFirstUse(): GetMetricData {
  let loaded: Promise<GetMetricData> | undefined;
  return async (input) => {
    loaded ??= import("./client.ts").then(({ metricData }) => metricData());
    return (await loaded)(input);
  };
}

function keyOf(query: CloudWatchQuery): string {
  return JSON.stringify(query);
}

function isBatch(queries: readonly CloudWatchQuery[]): queries is Batch {
  return queries.length > 0;
}

function unreadable(message: string): Extract<Read<never>, { ok: false }> {
  return { ok: false, fault: { code: "metric-unreadable", message } };
}
