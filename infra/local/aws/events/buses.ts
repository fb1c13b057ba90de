/** The event buses of this machine: what is put on one reaches the targets of its rules before the put is answered. */
import { randomUUID } from "node:crypto";
import { AwsError } from "#infra/local/aws/error";
import type { Clock } from "#ports/clock";
import { type EventEnvelope, envelope } from "./envelope.ts";
import { compilePattern, type EventPattern } from "./pattern.ts";

export interface BusRule {
  readonly bus: string;
  readonly pattern: EventPattern;
  readonly deliver: (event: EventEnvelope) => void;
}

export interface PutEventsEntry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  /** Epoch seconds. */
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

export interface BusesOptions {
  readonly names: readonly string[];
  readonly rules: readonly BusRule[];
  readonly clock: Clock;
  /** Sees every accepted event; `known` is false where there is no such bus, which AWS does not tell (B91). */
  readonly observe?: (event: EventEnvelope, bus: string, known: boolean) => void;
}

const MAX_ENTRIES = 10;
const MAX_REQUEST_BYTES = 256 * 1024;

export class Buses {
  readonly #options: BusesOptions;
  readonly #rules: readonly (BusRule & { readonly matches: (event: object) => boolean })[];

  constructor(options: BusesOptions) {
    this.#options = options;
    this.#rules = options.rules.map((rule) => ({ ...rule, matches: compilePattern(rule.pattern) }));
  }

  /** One entry's fault is its own: the request answers 200 and counts (B91). */
  putEvents(entries: readonly PutEventsEntry[]) {
    if (entries.length < 1 || entries.length > MAX_ENTRIES) {
      throw new AwsError(
        "ValidationException",
        `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${MAX_ENTRIES}`,
      );
    }
    if (entries.reduce((sum, entry) => sum + entryBytes(entry), 0) > MAX_REQUEST_BYTES) {
      throw new AwsError(
        "ValidationException",
        "Total size of the entries in the request is over the limit.",
      );
    }
    const results = entries.map((entry) => {
      const refusal = refusalOf(entry);
      return refusal === undefined ? { EventId: this.#accept(entry) } : refusal;
    });
    return { FailedEntryCount: results.filter((result) => "ErrorCode" in result).length, Entries: results };
  }

  /** What happens to an event on a bus, whoever put it there: a service, a rule of another bus. */
  emit(bus: string, event: EventEnvelope): void {
    const { names, observe } = this.#options;
    for (const rule of this.#rules) {
      if (rule.bus === bus && rule.matches(event)) rule.deliver(event);
    }
    observe?.(event, bus, bus === "default" || names.includes(bus));
  }

  #accept(entry: PutEventsEntry): string {
    const { clock } = this.#options;
    const bus = entry.EventBusName?.split("/").at(-1) ?? "default";
    const event = envelope({
      id: randomUUID(),
      source: entry.Source ?? "",
      detailType: entry.DetailType ?? "",
      atMs: entry.Time === undefined ? clock.nowMs() : entry.Time * 1000,
      resources: entry.Resources ?? [],
      detail: JSON.parse(entry.Detail ?? "{}") as object,
    });
    this.emit(bus, event);
    return event.id;
  }
}

function refusalOf(entry: PutEventsEntry): { ErrorCode: string; ErrorMessage: string } | undefined {
  for (const name of ["Source", "DetailType", "Detail"] as const) {
    if (!entry[name]) {
      return {
        ErrorCode: "InvalidArgument",
        ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      };
    }
  }
  if (entry.Source?.startsWith("aws.")) {
    return { ErrorCode: "NotAuthorizedForSourceException", ErrorMessage: "Not authorized for the source." };
  }
  try {
    const detail: unknown = JSON.parse(entry.Detail ?? "");
    if (typeof detail === "object" && detail !== null && !Array.isArray(detail)) return undefined;
  } catch {
    // Said below, together with JSON that is no object.
  }
  return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
}

function entryBytes(entry: PutEventsEntry): number {
  const texts = [entry.Source ?? "", entry.DetailType ?? "", entry.Detail ?? "", ...(entry.Resources ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), entry.Time === undefined ? 0 : 14);
}
