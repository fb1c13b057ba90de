import { formatInstant, formatMicroInstant, parseInstant } from "#domain/units/instant";
import type { ObjectKey } from "#domain/work/shards";

export interface RecordKey extends ObjectKey {
  readonly atMs: number;
}

/** What a decision on record is called: `shop/web@2026-03-02T09:01:00Z`. */
export function recordId({ namespace, name, atMs }: RecordKey): string {
  return `${namespace}/${name}@${instantText(atMs)}`;
}

/** The record that an id names; undefined for a text that is no id, such as a file's name. */
export function parseRecordId(text: string): RecordKey | undefined {
  const [, namespace, name, at] = /^([^/@]+)\/([^/@]+)@(.+)$/.exec(text) ?? [];
  const atMs = at === undefined ? undefined : parseInstant(at);
  if (namespace === undefined || name === undefined || atMs === undefined) return undefined;
  return { namespace, name, atMs };
}

/** To the millisecond, where an instant has any: a slot has none, an event may. */
function instantText(ms: number): string {
  return ms % 1000 === 0 ? formatInstant(ms) : formatMicroInstant(ms);
}
