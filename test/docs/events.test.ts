import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { checkMappings, type EventMapping } from "#infra/event-mapping";
import { compilePattern } from "#infra/local/aws/events/pattern";
import { EVENT_SCHEMAS } from "#wire/events";

const document = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");
const sections = new Map(
  document
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const blocks = [...section.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = ""]) => json);
      return [section.split("\n")[0] ?? "", { examples: blocks.slice(0, -1), schema: blocks.at(-1) }];
    }),
);

describe("docs/events.md", () => {
  it("has a section for each type, and no other", () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(EVENT_SCHEMAS).sort());
  });

  describe.each(Object.entries(EVENT_SCHEMAS))("%s", (name, schema) => {
    const { examples = [], schema: written = "" } = sections.get(name) ?? {};

    it("has the code's schema", () => {
      expect(JSON.parse(written)).toEqual(z.toJSONSchema(schema, { io: "input" }));
    });

    it("has an example, which is sound and has no field that the schema does not know", () => {
      expect(examples).toHaveLength(1);
      const example: unknown = JSON.parse(examples[0] ?? "");
      expect(z.parse(schema as z.ZodMiniType<unknown>, example)).toEqual(example);
    });

    it("has an id and a hub", () => {
      expect(JSON.parse(examples[0] ?? "")).toMatchObject({ v: 1, id: expect.any(String), hub: "hub" });
    });
  });
});

describe("the rules of one's own that documents show", () => {
  it.each([
    ["docs/events.md", document],
    [
      "docs/examples/queue-driven.md",
      readFileSync(new URL("../../docs/examples/queue-driven.md", import.meta.url), "utf8"),
    ],
  ])("%s: are sound", (_name, text) => {
    const blocks = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = ""]) => JSON.parse(json));
    const mappings = blocks.flat().filter((block) => "pattern" in block) as EventMapping[];
    expect(mappings).not.toEqual([]);
    checkMappings(mappings, ["hub"]);
    for (const { pattern } of mappings) compilePattern(pattern);
  });
});
