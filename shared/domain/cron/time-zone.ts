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
  const canonical = name.split("/").every((part) => SEGMENT.test(part)) ? canonicalZone(name) : undefined;
  const otherCase = canonical !== name && canonical?.toLowerCase() === name.toLowerCase();
  if (canonical === undefined || otherCase) {
    return refuse(
      "zone-unknown",
      `${JSON.stringify(name)} is not a known time zone; name one such as Europe/Berlin`,
    );
  }
  return { ok: true, value: name };
}

function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function refuse(code: ZoneFaultCode, detail: string): Parsed<never> {
  return { ok: false, fault: { code, detail } };
}
