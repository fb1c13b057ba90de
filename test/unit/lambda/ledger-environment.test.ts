import { describe, expect, it } from "vitest";
import { ledgerEnvironment, ledgerSettings } from "#lambda/ledger-environment";

const DAY_SECONDS = 86_400;

describe("the ledger's settings", () => {
  it.each<[string, Record<string, string>, ReturnType<typeof ledgerSettings>]>([
    ["nothing said: changes, for 14 days", {}, { choice: "changes", retentionSeconds: 14 * DAY_SECONDS }],
    [
      "all, for a day",
      { LEDGER_DECISIONS: "all", LEDGER_DAYS: "1" },
      { choice: "all", retentionSeconds: DAY_SECONDS },
    ],
    [
      "a sample",
      { LEDGER_DECISIONS: "sample:240" },
      { choice: { sampleEvery: 240 }, retentionSeconds: 14 * DAY_SECONDS },
    ],
  ])("%s", (_what, env, settings) => {
    expect(ledgerSettings(env)).toEqual(settings);
  });

  it("say in variables what was said in props, and nothing where nothing was", () => {
    expect(ledgerEnvironment("all", 7)).toEqual({ LEDGER_DECISIONS: "all", LEDGER_DAYS: "7" });
    expect(ledgerEnvironment(undefined, undefined)).toEqual({});
    expect(() => ledgerEnvironment(undefined, 0)).toThrow(/^LEDGER_DAYS is 0/);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["some", { LEDGER_DECISIONS: "some" }, /^LEDGER_DECISIONS is some; allowed: changes, all, and sample:N/],
    ["an empty text", { LEDGER_DECISIONS: "" }, /^LEDGER_DECISIONS is empty/],
    ["a sample of every 0th", { LEDGER_DECISIONS: "sample:0" }, /^LEDGER_DECISIONS is sample:0/],
    ["no days", { LEDGER_DAYS: "0" }, /^LEDGER_DAYS is 0; allowed: whole days from 1 to 3650/],
    ["half a day", { LEDGER_DAYS: "0.5" }, /^LEDGER_DAYS is 0.5/],
    ["empty days", { LEDGER_DAYS: "" }, /^LEDGER_DAYS is empty/],
  ])("refuses %s with one sentence", (_what, env, sentence) => {
    expect(() => ledgerSettings(env)).toThrow(sentence);
  });
});
