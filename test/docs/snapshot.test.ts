import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decideScale } from "#domain/scale/decide";
import { accountText } from "#infra/cli/account-text";
import { decodeSavedDecision } from "#wire/saved-decision";

const document = readFileSync(new URL("../../docs/snapshot.md", import.meta.url), "utf8");

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(document)?.[1];
  if (found === undefined) throw new Error(`docs/snapshot.md has no ${language} block`);
  return found;
}

describe("docs/snapshot.md", () => {
  it("its example is read and decides to the account below it", () => {
    const saved = decodeSavedDecision(block("json"));
    if (!saved.ok) throw new Error(saved.fault);
    const { snapshot, history, policy } = saved.value;
    const lines = accountText(saved.value, decideScale(snapshot, history, policy));
    expect(lines.join("\n")).toBe(block("text").trimEnd());
  });

  it("names every member of the file at its top", () => {
    const { snapshot, ...others } = JSON.parse(block("json")) as Record<string, object>;
    const named = new Set([...document.matchAll(/`(?:snapshot)?\.?(\w+)`/g)].map(([, name]) => name));
    // Only who it was read from needs no row.
    const { hub: _hub, ...rest } = snapshot as Record<string, unknown>;
    for (const name of [...Object.keys(others), ...Object.keys(rest)]) expect(named).toContain(name);
  });
});
