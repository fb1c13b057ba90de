import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NEW_FLEET, type ObjectKey, shardMode, shardOf, shardsOf } from "#domain/work/shards";

const objects = (namespace: string, count: number): ObjectKey[] =>
  Array.from({ length: count }, (_, i) => ({ namespace, name: `web-${i}` }));

describe("shards (design 1)", () => {
  it.each([
    [40, true],
    [41, false],
  ])("a new fleet of %i objects has one message per object: %s", (count, single) => {
    expect(shardMode(objects("shop", count), NEW_FLEET).single).toBe(single);
  });

  it("goes back to one message per object only below 32, so that a fleet at the edge does not flap", () => {
    const shared = shardMode(objects("shop", 41), NEW_FLEET);
    expect(shardMode(objects("shop", 33), shared).single).toBe(false);
    expect(shardMode(objects("shop", 32), shared).single).toBe(true);
  });

  it.each([
    [50, undefined],
    [51, 2],
    [61, 3],
    [300, 10],
  ])("a namespace of %i objects has %s buckets", (count, buckets) => {
    expect(shardMode(objects("shop", count), NEW_FLEET).buckets.shop).toBe(buckets);
  });

  it.each([
    ["grows a little", 72, 2],
    ["grows beyond 20 %", 73, 3],
    ["shrinks a little", 41, 2],
    ["shrinks to 40", 40, undefined],
  ])("two buckets, when the namespace %s", (_case, count, buckets) => {
    const former = { single: false, buckets: { shop: 2 } };
    expect(shardMode(objects("shop", count), former).buckets.shop).toBe(buckets);
  });

  it("keeps every bucket near 30 and under 60", () => {
    const fleet = objects("shop", 600);
    const sizes = shardsOf(fleet, shardMode(fleet, NEW_FLEET)).map(({ objects: members }) => members.length);
    expect(sizes).toHaveLength(20);
    expect(Math.max(...sizes)).toBeLessThan(60);
  });

  it("one bucket more moves only objects into the new bucket", () => {
    const before = { single: false, buckets: { shop: 4 } };
    const after = { single: false, buckets: { shop: 5 } };
    for (const object of objects("shop", 200)) {
      const [, , from] = shardOf(object, before).split("/");
      const [, , to] = shardOf(object, after).split("/");
      expect([from?.replace("of4", "of5"), "4of5"]).toContain(to);
    }
  });

  it("each object is in exactly one shard, and that is its own", () => {
    const key = fc.record({ namespace: fc.constantFrom("a", "b"), name: fc.string({ minLength: 1 }) });
    const keys = fc.uniqueArray(key, {
      selector: ({ namespace, name }) => `${namespace}/${name}`,
      maxLength: 120,
    });
    fc.assert(
      fc.property(keys, (fleet) => {
        const mode = shardMode(fleet, NEW_FLEET);
        const shards = shardsOf(fleet, mode);
        expect(shards.flatMap(({ objects: members }) => members)).toHaveLength(fleet.length);
        for (const { id, objects: members } of shards) {
          for (const object of members) expect(shardOf(object, mode)).toBe(id);
        }
      }),
    );
  });
});
