import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const PROBE = fileURLToPath(new URL("answers-on-this-host.ts", import.meta.url));
const OFFSET_MINUTES = {
  UTC: 0,
  "America/New_York": -300,
  "Asia/Kolkata": 330,
  "Australia/Lord_Howe": 660,
  "Australia/Sydney": 660,
};

async function answersUnder(TZ: string) {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", PROBE], {
    env: { ...process.env, TZ },
  });
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

describe("the zone of the machine changes no answer", () => {
  it("B70: an hourly rule in UTC, and the runs of all vectors", { timeout: 60_000 }, async () => {
    const zones = Object.keys(OFFSET_MINUTES);
    const found = await Promise.all(zones.map(answersUnder));
    expect(found.map(({ hostOffsetMinutes }) => hostOffsetMinutes)).toEqual(Object.values(OFFSET_MINUTES));
    expect(found.map(({ hourly }) => hourly)).toEqual(zones.map(() => "2025-10-05T03:00:00+00:00"));
    expect(found.map(({ answers }) => answers)).toEqual(zones.map(() => 427));
    expect(new Set(found.map(({ digest }) => digest)).size).toBe(1);
  });
});
