import { setTimeout as sleep } from "node:timers/promises";
import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from "@aws-sdk/client-eventbridge";
import { utf8Length } from "#domain/units/utf8";
import type { BusEvent, BusPort, FailedEvent } from "#ports/bus";
import { eventBridgeClient } from "./client.ts";
import { busFault } from "./faults.ts";

const MAX_ENTRIES = 10;
const MAX_REQUEST_BYTES = 256 * 1024;
/** What the time of an entry counts. Ref: EventBridge User Guide, "Calculating PutEvents event entry size". */
const TIME_BYTES = 14;
/** Waits before entries that failed are sent again, alone (B91). */
const PAUSES_MS = [50, 250];

/** An EventBridge bus behind `BusPort`. An event over 256 KB is named as failed without being sent. */
export function eventBridgeBus(busName: string, client: EventBridgeClient = eventBridgeClient()): BusPort {
  const toEntry = (event: BusEvent): PutEventsRequestEntry => ({
    EventBusName: busName,
    Source: event.source,
    DetailType: event.detailType,
    Detail: JSON.stringify(event.detail),
    Time: new Date(event.atMs),
    ...(event.resources !== undefined && { Resources: [...event.resources] }),
  });

  async function putBatch(batch: readonly BusEvent[]): Promise<readonly FailedEvent[]> {
    let left = batch;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await client.send(new PutEventsCommand({ Entries: left.map(toEntry) }));
      const failed = left.flatMap((event, index) => {
        const { ErrorCode, ErrorMessage } = answer.Entries?.[index] ?? { ErrorCode: "NoAnswer" };
        return ErrorCode === undefined ? [] : { event, reason: `${ErrorCode}: ${ErrorMessage ?? ""}` };
      });
      const pauseMs = PAUSES_MS[attempt];
      if (failed.length === 0 || pauseMs === undefined) return failed;
      await sleep(pauseMs);
      left = failed.map((entry) => entry.event);
    }
  }

  return {
    async put(events) {
      const sized = events.map((event) => ({ event, bytes: entryBytes(toEntry(event)) }));
      const failed: FailedEvent[] = sized
        .filter(({ bytes }) => bytes > MAX_REQUEST_BYTES)
        .map(({ event, bytes }) => ({
          event,
          reason: `${bytes} bytes; an event has at most ${MAX_REQUEST_BYTES}`,
        }));
      for (const batch of batches(sized.filter(({ bytes }) => bytes <= MAX_REQUEST_BYTES))) {
        try {
          failed.push(...(await putBatch(batch)));
        } catch (error) {
          throw busFault(`put ${batch.length} events on bus ${busName}`, error);
        }
      }
      return failed;
    },
  };
}

function entryBytes(entry: PutEventsRequestEntry): number {
  const texts = [entry.Source ?? "", entry.DetailType ?? "", entry.Detail ?? "", ...(entry.Resources ?? [])];
  return texts.reduce((sum, text) => sum + utf8Length(text), TIME_BYTES);
}

function* batches(sized: readonly { event: BusEvent; bytes: number }[]): Generator<readonly BusEvent[]> {
  let batch: BusEvent[] = [];
  let total = 0;
  for (const { event, bytes } of sized) {
    if (batch.length > 0 && (batch.length === MAX_ENTRIES || total + bytes > MAX_REQUEST_BYTES)) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(event);
    total += bytes;
  }
  if (batch.length > 0) yield batch;
}
