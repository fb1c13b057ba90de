import { type Judge, PASS } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import {
  inOrder,
  PODMETRICS_LEDGER,
  type SamplesAnswer,
  type SamplesInput,
} from "#test/golden/ledger/podmetrics";
import { readMetricValues, readPodMetrics } from "#wire/pod-metrics";

interface PodMetricsOut {
  readonly error?: string;
  readonly samples?: Readonly<
    Record<
      string,
      { readonly milliValue: number | string; readonly timestamp: string; readonly windowSeconds: number }
    >
  >;
}

/**
 * A list that failed or is empty never reaches the codec: the reader makes it a fault of that cluster. The instant of
 * the first item, which the vectors give too, decides nothing.
 */
export const judge: Judge<SamplesInput, PodMetricsOut> = ({ in: input, out }) => {
  if (!("api" in input) || "listError" in input || input.items.length === 0) {
    return out.error === undefined ? { fail: "Karmada reads samples where nothing was listed" } : PASS;
  }
  return settle(PODMETRICS_LEDGER, { in: input, out: answerOf(out) }, ours(input));
};

function answerOf({ error, samples = {} }: PodMetricsOut): SamplesAnswer {
  if (error !== undefined) return { error: true };
  const lines = Object.entries(samples).map(([pod, { milliValue, timestamp, windowSeconds }]) => ({
    pod,
    milliValue: String(milliValue),
    timestampMs: Date.parse(timestamp),
    windowSeconds,
  }));
  return { samples: inOrder(lines) };
}

function ours(input: Extract<SamplesInput, { api: string }>): SamplesAnswer {
  const { samples } =
    input.api === "metrics.k8s.io" ? readPodMetrics(input.items, input) : readMetricValues(input.items);
  return {
    samples: inOrder(samples.map((sample) => ({ ...sample, milliValue: String(sample.milliValue) }))),
  };
}
