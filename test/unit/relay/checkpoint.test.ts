import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WatchedObject } from "#domain/relay/watched-object";
import { checkItem } from "#wire/item";
import {
  decodeCheckpoint,
  decodeSeen,
  encodeCheckpoint,
  encodeSeen,
  partItems,
  type RelayCheckpoint,
} from "#wire/relay-checkpoint";

const name = fc.stringMatching(/^[a-z]{1,10}$/);
const target = fc.record({ apiVersion: name, kind: name, namespace: name, name });
const object: fc.Arbitrary<WatchedObject> = fc.record(
  { uid: name, resourceVersion: name, name, digest: fc.string(), namespace: name, target },
  { requiredKeys: ["uid", "resourceVersion", "name", "digest"] },
);
const change = fc.constantFrom("added", "modified", "deleted");
const checkpoint: fc.Arbitrary<RelayCheckpoint> = fc.record(
  {
    version: fc.nat(),
    fence: fc.nat(),
    holder: name,
    released: fc.boolean(),
    positions: fc.dictionary(name, name),
    log: fc.array(fc.record({ source: name, change, object })),
    confirmed: fc.nat(),
    base: fc.record({ stamp: name, parts: fc.nat() }),
  },
  { requiredKeys: ["version", "fence", "holder", "released", "positions", "log", "confirmed"] },
);

describe("a relay's checkpoint", () => {
  it("comes back from its item as it was", () => {
    fc.assert(
      fc.property(checkpoint, (given) => {
        const checked = checkItem(encodeCheckpoint("eu", given, "w"));
        expect(checked.ok && decodeCheckpoint(checked.item)).toEqual(given);
      }),
    );
  });

  it("so does what was seen, by its text", () => {
    const seen = fc.dictionary(name, fc.record({ objects: fc.array(object), gone: fc.array(name) }));
    fc.assert(
      fc.property(seen, (given) => {
        expect(decodeSeen(encodeSeen(given))).toEqual(given);
      }),
    );
  });

  it.each(["", "{", "[1]", '{"Pod/a":[]}'])("what is no such text is nothing: %s", (text) => {
    expect(decodeSeen(text)).toBeUndefined();
  });

  it("parts hold the text in order, each well below what an item may", () => {
    const text = "x".repeat(700_001);
    const items = partItems("eu", "s", text);
    expect(items.map((item) => String(item.text)).join("")).toBe(text);
    expect(items.map(({ sk }) => sk)).toEqual(["relay#s#0", "relay#s#1", "relay#s#2"]);
    expect(items.every((item) => checkItem(item).ok)).toBe(true);
  });
});
