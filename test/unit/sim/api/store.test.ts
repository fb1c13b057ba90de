import { describe, expect, it } from "vitest";
import { type Change, Store } from "#sim/api/store";
import { object } from "./fixture.ts";

const PODS = { group: "", resource: "pods" };
const named = (name: string, namespace = "a") => object({ metadata: { name, namespace } });

describe("the store of one API server", () => {
  it("gives every change of every resource the next number of one counter", () => {
    const store = new Store();
    const pod = store.put(PODS, named("web"));
    const other = store.put({ group: "apps", resource: "deployments" }, named("web"));
    const again = store.put(PODS, pod);
    const gone = store.remove(PODS, again);
    expect([pod, other, again, gone].map(({ metadata }) => metadata.resourceVersion)).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(store.resourceVersion).toBe(4);
    expect(store.get(PODS, "a", "web")).toBeUndefined();
  });

  it("lists in the order of etcd's keys: `a-b/…` before `a/…`", () => {
    const store = new Store();
    for (const [namespace, name] of [
      ["b", "x"],
      ["a", "y"],
      ["a-b", "z"],
      ["a", "x.y"],
      ["a", "x"],
    ] as const) {
      store.put(PODS, named(name, namespace));
    }
    const keys = store.list(PODS).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(keys).toEqual([...keys].sort());
    expect(keys).toEqual(["a-b/z", "a/x", "a/x.y", "a/y", "b/x"]);
  });

  it("journals a change before anyone sees it", () => {
    const order: string[] = [];
    const store = new Store({ onCommit: ({ resourceVersion }) => order.push(`journal ${resourceVersion}`) });
    store.subscribe(({ resourceVersion }) => order.push(`seen ${resourceVersion}`));
    store.put(PODS, named("web"));
    expect(order).toEqual(["journal 1", "seen 1"]);
  });

  it("does nothing when the journal fails", () => {
    const store = new Store({
      onCommit: () => {
        throw new Error("disk full");
      },
    });
    const seen: Change[] = [];
    store.subscribe((change) => seen.push(change));
    expect(() => store.put(PODS, named("web"))).toThrow("disk full");
    expect([store.resourceVersion, store.list(PODS), seen]).toEqual([0, [], []]);
  });

  it("delivers the writes of a listener after the change it listened to, to everyone in order", () => {
    const store = new Store();
    const seen: string[] = [];
    store.subscribe(({ resourceVersion }) => {
      if (resourceVersion === 1) store.put(PODS, named("second"));
    });
    store.subscribe(({ object: { metadata } }) => seen.push(`${metadata.name}@${metadata.resourceVersion}`));
    store.put(PODS, named("first"));
    expect(seen).toEqual(["first@1", "second@2"]);
  });

  it("forgets the oldest changes and says so", () => {
    const store = new Store({ historyLimit: 4 });
    for (let i = 0; i < 20; i++) store.put(PODS, named(`pod-${i}`));
    expect(store.changesSince(store.oldestResourceVersion - 1)).toBeUndefined();
    const known = store.changesSince(store.oldestResourceVersion) ?? [];
    expect(known.length).toBeGreaterThanOrEqual(4);
    expect(known.at(-1)?.resourceVersion).toBe(20);
    expect(store.changesSince(20)).toEqual([]);
  });

  it("goes on after a restore where the journal ended, with what each change replaced", () => {
    const journal: Change[] = [];
    const store = new Store({ onCommit: (change) => journal.push(change) });
    const first = store.put(PODS, named("web"));
    store.put(PODS, { ...first, status: { phase: "Running" } });
    store.put(PODS, named("db"));
    store.remove(PODS, named("db"));
    const restored = new Store();
    // As a file gives it back: without `previous`, and as other objects.
    restored.restore(journal.map(({ previous, ...kept }) => JSON.parse(JSON.stringify(kept)) as Change));
    expect(restored.list(PODS)).toEqual(store.list(PODS));
    expect(restored.changesSince(0)).toEqual(store.changesSince(0));
    expect(restored.put(PODS, named("new")).metadata.resourceVersion).toBe("5");
  });

  it("starts from a snapshot as from its history, but remembers no change before it", () => {
    const journal: Change[] = [];
    const store = new Store();
    for (const name of ["a", "b", "c"]) store.put(PODS, named(name));
    const b = store.put(PODS, { ...named("b"), status: { phase: "Running" } });
    store.remove(PODS, named("a"));
    journal.push(...store.snapshot());
    expect(journal.map(({ resourceVersion }) => resourceVersion)).toEqual([3, 4]);
    const restored = new Store();
    restored.restore(JSON.parse(JSON.stringify(journal)) as Change[]);
    expect(restored.list(PODS)).toEqual(store.list(PODS));
    expect(restored.changesSince(3)).toBeUndefined();
    const later = restored.put(PODS, b);
    expect(restored.changesSince(4)).toEqual([
      expect.objectContaining({ type: "MODIFIED", object: later, previous: b }),
    ]);
  });
});
