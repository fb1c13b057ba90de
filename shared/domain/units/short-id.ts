import { mixedHash } from "#domain/units/hash";

/** What SQS takes for a group or de-duplication id. */
const MAX_LENGTH = 128;
const KEPT = 95;

/**
 * The text itself up to 128 characters; beyond, its first 95 and 128 bits of hash over all of it, so that ids that
 * differ only at their end stay apart (B92). Stable for ever: it names what queues de-duplicate.
 */
export function shortId(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const hash = [0, 1, 2, 3].map((part) => mixedHash(`${part}:${text}`).toString(16).padStart(8, "0"));
  return `${text.slice(0, KEPT)}~${hash.join("")}`;
}
