import type { Read, ReadFaultCode } from "#domain/fleet/snapshot";
import { parseInstant } from "#domain/units/instant";
import { type MilliValue, sumMilli } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";
import { type JsonObject, readObject, readString, wrong } from "./kubernetes/reading.ts";

/** One value of a metric that does not belong to pods. It may be negative: whoever decides refuses that by name. */
export interface MetricValue {
  readonly milliValue: MilliValue;
  readonly timestampMs: number;
}

/**
 * The value of `custom.metrics.k8s.io` for one object; `metric-empty` where the adapter knows no series of it. More
 * than one item is no answer to the question.
 */
export function readObjectValue(items: readonly unknown[]): Read<MetricValue> {
  if (items.length > 1)
    return refuse("metric-unreadable", `${items.length} values were answered for one object`);
  return readSum(items);
}

/**
 * The sum over all series of `external.metrics.k8s.io`, as the HPA adds them, with the first one's instant;
 * `metric-empty` where there are none.
 */
export function readExternalSum(items: readonly unknown[]): Read<MetricValue> {
  return readSum(items);
}

function readSum(items: readonly unknown[]): Read<MetricValue> {
  const faults: string[] = [];
  const amounts: MilliValue[] = [];
  const instants: number[] = [];
  for (const [index, item] of items.entries()) {
    const path = `items[${index}]`;
    const value = readObject(item, path, faults);
    const amount = readAmount(value, path, faults);
    const instant = readTimestamp(value, path, faults);
    if (amount !== undefined) amounts.push(amount);
    if (instant !== undefined) instants.push(instant);
  }
  const [fault] = faults;
  if (fault !== undefined) return refuse("metric-unreadable", fault);
  const [timestampMs] = instants;
  if (timestampMs === undefined) return refuse("metric-empty", "no metrics returned");
  return { ok: true, value: { milliValue: sumMilli(amounts), timestampMs } };
}

function readAmount(item: JsonObject, path: string, faults: string[]): MilliValue | undefined {
  const text = readString(item.value, `${path}.value`, faults);
  const amount = text === undefined ? undefined : parseMilli(text);
  if (amount === undefined) faults.push(wrong(`${path}.value`, item.value, "a quantity such as 250m"));
  return amount;
}

function readTimestamp(item: JsonObject, path: string, faults: string[]): number | undefined {
  const instant = typeof item.timestamp === "string" ? parseInstant(item.timestamp) : undefined;
  if (instant === undefined) faults.push(wrong(`${path}.timestamp`, item.timestamp, "an RFC 3339 instant"));
  return instant;
}

function refuse(code: ReadFaultCode, message: string): Read<never> {
  return { ok: false, fault: { code, message } };
}
