import { memoryExternalMetrics } from "#adapters/memory/external-metrics";
import { parseMilli } from "#domain/units/quantity";
import { externalMetricsContract } from "#test/contract/external-metrics.contract";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");

externalMetricsContract("memory", async () => {
  const values = new Map<string, number>();
  let isCut = false;
  let requests = 0;
  const refused = { namespace: "shop", name: "refused", selector: "" };
  return {
    port: memoryExternalMetrics({
      read({ name }) {
        const milliValue = parseMilli(String(values.get(name)));
        return milliValue === undefined ? undefined : { milliValue, timestampMs: NOW_MS };
      },
      refuse: ({ name }) => (isCut || name === "refused" ? `read ${name}: refused by the test` : undefined),
      observe: (queries) => {
        requests += queries.length > 0 ? 1 : 0;
      },
    }),
    nowMs: () => NOW_MS,
    query: (name) => ({ namespace: "shop", name, selector: "" }),
    async put(more) {
      for (const [name, value] of Object.entries(more)) values.set(name, value);
    },
    refused,
    cut() {
      isCut = true;
    },
    requests: () => requests,
    async close() {},
  };
});
