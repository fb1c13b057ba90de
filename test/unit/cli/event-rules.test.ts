import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readEventRules } from "#infra/cli/event-rules";

const folder = mkdtempSync(join(tmpdir(), "event-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, "rules.yaml");
const RULE = "{ name: a, pattern: { source: [shop] }, evaluate: { hub: local, namespace: shop, name: web } }";

const read = (text: string) => {
  writeFileSync(FILE, text);
  return readEventRules(FILE, "local");
};

describe("mainsheet local --events", () => {
  it("reads rules in YAML or JSON", async () => {
    const rule = {
      name: "a",
      pattern: { source: ["shop"] },
      evaluate: { hub: "local", namespace: "shop", name: "web" },
    };
    expect(await read(`- ${RULE}`)).toEqual([rule]);
    expect(await read(JSON.stringify([rule]))).toEqual([rule]);
  });

  it.each([
    ["no list", "a: 1", "a list of rules is needed, as docs/events.md has it"],
    ["an empty file", "", "a list of rules is needed, as docs/events.md has it"],
    ["no rule", "- 7", "events[0] is no rule; give it a name, a pattern and what to evaluate"],
    ["nothing", "- null", "events[0] is no rule; give it a name, a pattern and what to evaluate"],
    ["no name", "- {}", 'events[0].name is "undefined"; allowed are letters, digits and dashes'],
    ["another hub", `- ${RULE.replace("local", "eu")}`, 'events[0].evaluate.hub is "eu"; the hubs are local'],
    [
      "no pattern of EventBridge's",
      `- ${RULE.replace("[shop]", "shop")}`,
      "Event pattern is not valid. Reason: source must be an object or a list of values",
    ],
  ])("%s is one sentence", async (_name, text, sentence) => {
    await expect(read(text)).rejects.toThrow(`${FILE}: ${sentence}`);
  });

  it("a file that is not there", async () => {
    await expect(readEventRules("/nowhere.yaml", "local")).rejects.toThrow(
      "/nowhere.yaml cannot be read (ENOENT)",
    );
  });
});
