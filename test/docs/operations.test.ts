import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { FUNCTION_ALARMS, HUB_ALARMS } from "#infra/alarms";
import { policyEnvironment } from "#lambda/policy-environment";
import { finished, mainsheet } from "#test/e2e/mainsheet";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const text = read("docs/operations.md");

/** The rows of the table under this heading row. */
function table(heading: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  expect(start).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

describe("docs/operations.md", () => {
  it("shows the cost that mainsheet cost prints", async () => {
    const { code, lines } = await finished(mainsheet("cost"));
    expect(code).toBe(0);
    expect(text).toContain(`\`\`\`\n${lines.join("\n")}\n\`\`\``);
    expect(lines.at(-1)).toMatch(/^total +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d$/);
  }, 60_000);

  it("and the README says the same in round numbers", async () => {
    const { lines } = await finished(mainsheet("cost", "--objects", "100,1000"));
    const [, ...totals] = lines.at(-1)?.trim().split(/ +/) ?? [];
    const [hundred, thousand] = totals.map((total) => Math.round(Number(total)));
    const claim = `about $${hundred} for 100 FederatedHPAs and $${thousand} for 1,000`;
    expect(read("README.md").replaceAll(/\s+/g, " ")).toContain(claim);
  }, 60_000);

  it("says of every alarm what the alarm says", () => {
    const alarms = [...HUB_ALARMS, ...FUNCTION_ALARMS];
    expect(table("alarm")).toEqual(alarms.map(({ name, means, doThis }) => [name, means, doThis]));
  });

  it("lists every option that the stack takes from its context", () => {
    const context = read("infra/cloud/context.ts");
    const [, props = ""] = /const PROPS[^{]*\{(.*?)\n\};/s.exec(context) ?? [];
    const taken = [
      ...[...props.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
      ...[...context.matchAll(/contextValue\(scope, "(\w+)"/g)].map(([, name]) => name),
    ];
    expect(taken.length).toBeGreaterThan(10);
    expect(
      table("option")
        .map(([name]) => name)
        .sort(),
    ).toEqual(taken.sort());
  });

  it("lists every setting of the controller, with the default that it has (C13)", () => {
    const rows = table("setting of controller");
    const [settings] = /there are (.*)$/.exec(sentence({ nothing: 1 }))?.slice(1) ?? [];
    expect(rows.map(([name]) => name).sort()).toEqual(settings?.split(", ").sort());
    for (const [name = "", , value] of rows) {
      const known = (DEFAULT_POLICY as unknown as Record<string, unknown>)[name];
      expect([name, value]).toEqual([name, known === undefined ? "" : String(known)]);
    }
  });
});

function sentence(settings: object): string {
  try {
    policyEnvironment(settings);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}
