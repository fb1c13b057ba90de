import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knownVectorFiles, loadJudge, readCases, reportOn, VECTORS } from "./vector-files.ts";

describe("what Karmada computed, and we compute too (vectors/README)", () => {
  it.each(knownVectorFiles(VECTORS))(
    "$file",
    async ({ file, kind }) => {
      const explained: string[] = [];
      const report = await reportOn(file, readCases(join(VECTORS, file)), await loadJudge(kind), (id, text) =>
        explained.push(`${id}: ${text}`),
      );
      expect(explained).toEqual([]);
      expect(report.cases).toBeGreaterThan(0);
      expect(report.passed).toBe(report.cases);
    },
    60_000,
  );
});
