import { describe, expect, it } from "vitest";
import { Seen } from "#domain/relay/seen";
import type { WatchedObject } from "#domain/relay/watched-object";

const web = (resourceVersion: string, digest: string, uid = "u1"): WatchedObject => ({
  ...{ uid, resourceVersion, digest },
  namespace: "shop",
  name: "web",
});
type Step = readonly ["ADDED" | "MODIFIED" | "DELETED", WatchedObject];

describe("events of one object, and what they change", () => {
  it.each<[string, readonly Step[], readonly (string | undefined)[]]>([
    ["what is new", [["ADDED", web("1", "a")]], ["added u1:1"]],
    [
      "the same digest again",
      [
        ["ADDED", web("1", "a")],
        ["MODIFIED", web("2", "a")],
      ],
      ["added u1:1", undefined],
    ],
    [
      "another digest",
      [
        ["ADDED", web("1", "a")],
        ["MODIFIED", web("2", "b")],
      ],
      ["added u1:1", "modified u1:2"],
    ],
    [
      "an event that comes twice",
      [
        ["ADDED", web("1", "a")],
        ["ADDED", web("1", "a")],
      ],
      ["added u1:1", undefined],
    ],
    [
      "an event that comes late",
      [
        ["ADDED", web("1", "a")],
        ["MODIFIED", web("3", "c")],
        ["MODIFIED", web("2", "b")],
      ],
      ["added u1:1", "modified u1:3", undefined],
    ],
    [
      "a version with more digits is later",
      [
        ["ADDED", web("9", "a")],
        ["MODIFIED", web("10", "b")],
      ],
      ["added u1:9", "modified u1:10"],
    ],
    [
      "versions that are no numbers are taken as they come",
      [
        ["ADDED", web("b", "a")],
        ["MODIFIED", web("a", "b")],
      ],
      ["added u1:b", "modified u1:a"],
    ],
    [
      "a deletion",
      [
        ["ADDED", web("1", "a")],
        ["DELETED", web("2", "a")],
      ],
      ["added u1:1", "deleted u1:deleted"],
    ],
    [
      "a deletion under the version of the last state",
      [
        ["ADDED", web("1", "a")],
        ["DELETED", web("1", "a")],
      ],
      ["added u1:1", "deleted u1:deleted"],
    ],
    [
      "what comes after its deletion",
      [
        ["ADDED", web("1", "a")],
        ["DELETED", web("3", "a")],
        ["MODIFIED", web("2", "b")],
      ],
      ["added u1:1", "deleted u1:deleted", undefined],
    ],
    ["the deletion of what nobody knew", [["DELETED", web("2", "a")]], [undefined]],
    [
      "one of the same name that was made anew, its deletion late",
      [
        ["ADDED", web("1", "a")],
        ["ADDED", web("3", "a", "u2")],
        ["DELETED", web("2", "a")],
      ],
      ["added u1:1", "added u2:3", undefined],
    ],
    [
      "one that matters no more than none: a pod that is not ready, ready, and no longer",
      [
        ["ADDED", web("1", "")],
        ["MODIFIED", web("2", "a")],
        ["MODIFIED", web("3", "")],
        ["DELETED", web("4", "")],
      ],
      [undefined, "modified u1:2", "modified u1:3", undefined],
    ],
    [
      "a ready one that was made anew and is not ready yet",
      [
        ["ADDED", web("1", "a")],
        ["ADDED", web("2", "", "u2")],
      ],
      ["added u1:1", "deleted u1:deleted"],
    ],
  ])("%s", (_case, steps, expected) => {
    const seen = new Seen();
    const told = steps.map(([type, object]) => seen.observe(type, object));
    expect(told.map((change) => change && `${change.change} ${change.id}`)).toEqual(expected);
  });
});

describe("a list in place of what was seen", () => {
  const cases: readonly [string, readonly WatchedObject[], readonly WatchedObject[], readonly string[]][] = [
    ["nothing new", [web("1", "a")], [web("5", "a")], []],
    ["another digest", [web("1", "a")], [web("5", "b")], ["modified u1:5"]],
    ["gone", [web("1", "a")], [], ["deleted u1:deleted"]],
    ["new", [], [web("5", "a")], ["added u1:5"]],
    ["made anew", [web("1", "a")], [web("5", "a", "u2")], ["deleted u1:deleted", "added u2:5"]],
    [
      "an older version, as after an etcd backup was put back",
      [web("9", "a")],
      [web("5", "b")],
      ["modified u1:5"],
    ],
  ];
  it.each(cases)("%s", (_case, before, listed, expected) => {
    const seen = new Seen();
    for (const object of before) seen.restore(object);
    expect(seen.replace(listed).map(({ change, id }) => `${change} ${id}`)).toEqual(expected);
    expect([...seen.objects()]).toEqual(listed);
  });

  it("remembers the last two hundred that were deleted", () => {
    const seen = new Seen();
    for (let i = 0; i < 250; i++) seen.remove(web("1", "a", `u${i}`));
    expect(seen.gone).toHaveLength(200);
    expect(seen.observe("MODIFIED", web("2", "b", "u249"))).toBeUndefined();
  });
});
