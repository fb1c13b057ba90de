import { describe, expect, it } from "vitest";
import { shortId } from "#domain/units/short-id";

describe("ids of at most 128 characters (B92)", () => {
  const namespace = "n".repeat(63);
  const id = (name: string) => `hub:o/${namespace}/${name}:1700000000000`;

  it("leaves what is short enough as it is", () => {
    expect(shortId("hub:n/shop:1700000000000")).toBe("hub:n/shop:1700000000000");
    expect(shortId("x".repeat(128))).toBe("x".repeat(128));
  });

  it("a namespace of 63 and a name of 253 characters give 128, always the same", () => {
    const long = id("w".repeat(253));
    expect(shortId(long)).toHaveLength(128);
    expect(shortId(long)).toBe(shortId(long));
  });

  it("20,000 long names that differ only at their end stay apart", () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => shortId(id(`${"w".repeat(240)}${i}`)));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
