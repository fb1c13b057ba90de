import type { Parsed } from "#domain/units/parsed";

/**
 * - `zone-form`    a path instead of a name
 * - `zone-unknown` not in the zone database
 */
export type ZoneFaultCode = "zone-form" | "zone-unknown";

const UTC = "UTC";
const SEGMENT = /^[A-Z][A-Za-z0-9_+-]*$/;

/**
 * The IANA zone that a name means, in the form that `Intl` takes. As Go's `time.LoadLocation`: `""` is UTC, names are
 * told apart by case. `Local` is UTC, because a function has no place of its own (B71); an unknown name is a fault
 * and never falls back.
 *
 * Differs from Go: the database is the JavaScript engine's, and the case of an alias (`asia/kolkata`) is checked
 * only in the first letter of each part.
 */
export function parseZone(name: string): Parsed<string> {
  if (name === "" || name === "Local") return { ok: true, value: UTC };
  if (name.split("/").includes("..") || name.startsWith("/") || name.includes("\\")) {
    return refuse("zone-form", `${JSON.stringify(name)} is a path; name a zone such as Europe/Berlin`);
  }
  const found = name.split("/").every((part) => SEGMENT.test(part)) ? canonicalZone(name) : undefined;
  const otherCase = found !== name && found?.toLowerCase() === name.toLowerCase();
  if (found === undefined || otherCase) {
    return refuse(
      "zone-unknown",
      `${JSON.stringify(name)} is not a known time zone; name one such as Europe/Berlin`,
    );
  }
  return { ok: true, value: name };
}

/** `Intl` takes some 40 µs for an answer that never changes within a process, and every rule asks each minute. */
const canonical = new Map<string, string>();
const MOST_KEPT = 1_000;

function canonicalZone(name: string): string | undefined {
  const known = canonical.get(name);
  if (known !== undefined) return known;
  try {
    const found = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
    if (canonical.size >= MOST_KEPT) canonical.clear();
    canonical.set(name, found);
    return found;
  } catch {
    return undefined;
  }
}

function refuse(code: ZoneFaultCode, detail: string): Parsed<never> {
  return { ok: false, fault: { code, detail } };
}
