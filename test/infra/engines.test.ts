import { readFileSync } from "node:fs";
import { satisfies } from "semver";
import { describe, expect, it } from "vitest";

interface Package {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const locked: Record<string, Package> = read("package-lock.json").packages;

/** The oldest of each major that the project is developed and tested on. */
const MAJORS = ["20.19.0", "22.13.0", "24.0.0"];

describe("npm ci gives no engine warning", () => {
  it.each(MAJORS)("on Node %s", (node) => {
    const refusing = Object.entries(locked)
      .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(node, engines.node))
      .map(([path, { engines }]) => `${path} wants ${engines?.node}`);
    expect(refusing).toEqual([]);
  });

  it("and package.json says the same of itself", () => {
    const { engines } = read("package.json");
    expect(MAJORS.every((node) => satisfies(node, engines.node))).toBe(true);
    expect(["18.20.0", "20.18.3", "22.12.0"].some((node) => satisfies(node, engines.node))).toBe(false);
  });
});

describe("packages", () => {
  it("are pinned exactly", () => {
    const { dependencies, devDependencies } = read("package.json");
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)),
    );
    expect(loose).toEqual([]);
  });

  it("hold one undici, the one that runs on Node 20 (serverless 1.1)", () => {
    const copies = Object.keys(locked).filter((path) => path.endsWith("node_modules/undici"));
    expect(copies).toEqual(["node_modules/undici"]);
  });

  it("hold AWS clients of one version, from before Node 22 was needed (serverless 1.1)", () => {
    const versions = Object.entries(read("package.json").dependencies)
      .filter(([name]) => name.startsWith("@aws-sdk/"))
      .map(([, version]) => version);
    expect([...new Set(versions)]).toEqual(["3.1164.0"]);
  });
});
