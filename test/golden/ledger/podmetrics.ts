import type { LedgerEntry } from "#test/golden/ledger";
import { ceilMilli } from "#test/golden/ledger/quantity";

interface PodMetricsItem {
  readonly metadata: { readonly name: string };
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: Readonly<Record<string, string>> }[];
}
interface MetricValueItem {
  readonly describedObject: { readonly name: string };
  readonly timestamp: string;
  readonly windowSeconds?: number;
  readonly value: string;
}

export type SamplesInput =
  | { readonly listError: string }
  | {
      readonly api: "metrics.k8s.io";
      readonly resource: string;
      readonly container?: string;
      readonly items: readonly PodMetricsItem[];
    }
  | { readonly api: "custom.metrics.k8s.io"; readonly items: readonly MetricValueItem[] };

/** One sample as the vectors write it, in a list instead of a map by name. */
export interface SampleLine {
  readonly pod: string;
  readonly milliValue: string;
  readonly timestampMs: number;
  readonly windowSeconds: number;
}
export type SamplesAnswer = { readonly samples: readonly SampleLine[] } | { readonly error: true };

export const PODMETRICS_LEDGER: readonly LedgerEntry<SamplesInput, SamplesAnswer>[] = [
  {
    id: "D-14",
    holds: (input) =>
      "api" in input &&
      input.api === "metrics.k8s.io" &&
      input.items.some(
        ({ containers }) =>
          input.container !== undefined && !containers.some(({ name }) => name === input.container),
      ),
    instead: (input) => ({ samples: everySample(input) }),
  },
  {
    id: "D-03",
    holds: (input) => {
      const pods = everySample(input).map(({ pod }) => pod);
      return new Set(pods).size < pods.length;
    },
    instead: (input) => ({ samples: everySample(input) }),
  },
];

/** One sample per item that has what is asked for, whatever the other items are called or lack. */
function everySample(input: SamplesInput): readonly SampleLine[] {
  if (!("api" in input)) return [];
  const lines =
    input.api === "custom.metrics.k8s.io"
      ? input.items.map(valueLine)
      : input.items.flatMap((item) => usageLine(item, input.resource, input.container));
  return inOrder(lines);
}

function valueLine({ describedObject, timestamp, value, windowSeconds = 60 }: MetricValueItem): SampleLine {
  const milliValue = String(ceilMilli(value));
  return { pod: describedObject.name, milliValue, timestampMs: Date.parse(timestamp), windowSeconds };
}

function usageLine(item: PodMetricsItem, resource: string, container?: string): SampleLine[] {
  const asked = item.containers.filter(({ name }) => container === undefined || name === container);
  const usages = asked.map(({ usage }) => usage[resource]);
  if (usages.length === 0 || usages.includes(undefined)) return [];
  const milli = usages.reduce((sum, usage) => sum + ceilMilli(usage ?? ""), 0n);
  const [, minutes = "0", seconds = "0"] = /^(?:(\d+)m)?(\d+)s$/.exec(item.window) ?? [];
  return [
    {
      pod: item.metadata.name,
      milliValue: String(milli),
      timestampMs: Date.parse(item.timestamp),
      windowSeconds: Number(minutes) * 60 + Number(seconds),
    },
  ];
}

/** By pod; samples of equal names by instant, amount and window, because Karmada's map has no order. */
export function inOrder(lines: readonly SampleLine[]): readonly SampleLine[] {
  const key = (line: SampleLine) =>
    JSON.stringify([line.pod, line.timestampMs, line.milliValue, line.windowSeconds]);
  return [...lines].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}
