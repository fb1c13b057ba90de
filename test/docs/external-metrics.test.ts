import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { decodeCloudWatchQuery } from "#wire/cloudwatch-query";
import { externalQueryOf } from "#wire/external-query";
import { decodeFederatedHpa } from "#wire/federated-hpa";

const document = readFileSync(new URL("../../docs/external-metrics.md", import.meta.url), "utf8");
const blocks = [...document.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = ""]) => text);

describe("docs/external-metrics.md", () => {
  it.each(blocks)("its examples are sound, and ask CloudWatch what they say: %#", (text) => {
    const object = decodeFederatedHpa(parse(text));
    expect(object.invalid).toEqual([]);
    const external = object.spec.metrics.filter((metric) => metric.type === "External");
    expect(external).toHaveLength(1);
    for (const metric of external) {
      const { source, query } = externalQueryOf(object, metric);
      expect(source).toBe("cloudwatch");
      expect(decodeCloudWatchQuery(query.definition, query.selector)).toMatchObject({ ok: true });
    }
  });

  it("has an example of each form", () => {
    expect(blocks).toHaveLength(2);
    expect(blocks.filter((text) => text.includes('"expression"'))).toHaveLength(1);
  });
});
