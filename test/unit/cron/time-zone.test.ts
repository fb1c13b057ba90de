import { describe, expect, it } from "vitest";
import { parseZone } from "#domain/cron/time-zone";

const zone = (name: string) => {
  const parsed = parseZone(name);
  return parsed.ok ? parsed.value : parsed.fault.code;
};

describe("names of zones (Go's time.LoadLocation, B71)", () => {
  it.each([
    ["empty is UTC, as for Karmada", "", "UTC"],
    ["so is Local, because a function has no place of its own", "Local", "UTC"],
    ["a city", "Europe/Berlin", "Europe/Berlin"],
    ["three parts", "America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["a link keeps its name", "Asia/Calcutta", "Asia/Calcutta"],
    ["an offset by name", "Etc/GMT+5", "Etc/GMT+5"],
    ["a city that has no zone of its own", "Asia/Beijing", "zone-unknown"],
    ["another case, which Linux tells apart", "europe/berlin", "zone-unknown"],
    ["another case", "EUROPE/BERLIN", "zone-unknown"],
    ["an offset, which only JavaScript knows", "+05:30", "zone-unknown"],
    ["a blank", "Europe/Berlin ", "zone-unknown"],
    ["a path upwards", "../etc/passwd", "zone-form"],
    ["a path from the root", "/etc/localtime", "zone-form"],
    ["a path of Windows", "Europe\\Berlin", "zone-form"],
  ])("%s: %j", (_, name, expected) => {
    expect(zone(name)).toBe(expected);
  });
});
