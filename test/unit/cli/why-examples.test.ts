import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { whyText } from "#infra/cli/why";
import { SITUATIONS, type Situation } from "#test/unit/cli/why-situations";
import { snapshotOf } from "#test/unit/scale/fleet";

const PAGE = readFileSync(new URL("../../../docs/examples/why.md", import.meta.url), "utf8");

/** What `mainsheet why` prints in a situation. */
function printed({ fleet, history = EMPTY_HISTORY, result }: Situation): string {
  const saved = { v: 1, snapshot: snapshotOf(fleet), history, policy: DEFAULT_POLICY } as const;
  const decision = decideScale(saved.snapshot, history, DEFAULT_POLICY);
  expect(decision.scale === undefined ? "unchanged" : "scaled").toBe(result);
  return whyText({
    id: { hub: "hub", namespace: "shop", name: "web" },
    atMs: decision.instantMs,
    result,
    code: "0.1.0",
    decision,
    inputs: { replayable: true, saved },
  }).join("\n");
}

describe("docs/examples/why.md shows what is printed", () => {
  it.each(SITUATIONS.map((situation) => [situation.heading, situation] as const))(
    "%s",
    (heading, situation) => {
      const [, block] = PAGE.split(`\n## ${heading}\n\n\`\`\`\n`);
      expect(block?.slice(0, block.indexOf("\n```\n"))).toBe(printed(situation));
    },
  );

  it("and nothing else", () => {
    expect([...PAGE.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(
      SITUATIONS.map(({ heading }) => heading),
    );
  });
});
