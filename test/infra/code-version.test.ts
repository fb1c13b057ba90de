import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "#test/infra/source-files";
import { CODE_VERSION } from "#wire/code-version";

it("records of decisions name the version of the package", async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(CODE_VERSION).toBe(version);
});
