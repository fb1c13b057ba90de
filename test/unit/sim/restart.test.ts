import { describe, expect, it } from "vitest";
import type { KubeObject } from "#sim/api/object";
import { type Change, Store } from "#sim/api/store";
import {
  builtIn,
  deploymentDocument,
  loadDocument,
  policyDocument,
  type SmallFleet,
  scenarioDocument,
  smallFleet,
  weighted,
} from "./small-fleet.ts";

const documents = [
  scenarioDocument({
    pods: { jitterSeconds: 4 },
    timeline: [
      {
        afterSeconds: 20,
        do: "scale",
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "default",
        name: "web",
        replicas: 9,
      },
      { afterSeconds: 22, do: "cut-off", cluster: "member2" },
      {
        afterSeconds: 40,
        do: "scale",
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "default",
        name: "web",
        replicas: 3,
      },
      { afterSeconds: 70, do: "reconnect", cluster: "member2" },
      {
        afterSeconds: 90,
        do: "delete",
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "default",
        name: "web",
      },
    ],
  }),
  deploymentDocument(4),
  policyDocument(weighted({ member1: 2, member2: 1 })),
  loadDocument({ noisePercent: 20, cpu: { sine: { mean: 1, amplitude: "500m", periodSeconds: 60 } } }),
];

/** Stores that keep a journal, as the host does. */
function journalled() {
  const journals = new Map<string, Change[]>();
  const storeOf = (server: string) => {
    const journal: Change[] = [];
    journals.set(server, journal);
    return new Store({ onCommit: (change) => journal.push(change) });
  };
  return { journals, storeOf };
}

function restored(journals: ReadonlyMap<string, readonly Change[]>) {
  return (server: string) => {
    const store = new Store();
    // Through JSON, as a journal on a disk.
    store.restore(JSON.parse(JSON.stringify(journals.get(server) ?? [])) as Change[]);
    return store;
  };
}

/** Every object of every server, and what the metrics say. */
function everything({ fleet, cpu }: SmallFleet): string {
  const servers = [fleet.hub, ...fleet.members.values()].map(({ store, name }) => ({
    name,
    resourceVersion: store.resourceVersion,
    objects: store.snapshot().map(({ object }: { object: KubeObject }) => object),
  }));
  return JSON.stringify([servers, [...fleet.members.keys()].map(cpu)]);
}

describe("a fleet is its stored objects", () => {
  it.each([0, 5, 20, 21.5, 22, 30, 41, 52, 71, 90, 90.5])(
    "built anew after %d s over the same objects it goes on identically",
    (second) => {
      const { journals, storeOf } = journalled();
      const first = smallFleet(documents, { storeOf });
      first.runTo(second);
      const again = smallFleet(documents, { storeOf: restored(journals) });
      again.runTo(second);
      expect(everything(again)).toBe(everything(first));
      for (const later of [second + 0.7, second + 4, second + 33, 130]) {
        first.runTo(later);
        again.runTo(later);
        expect(again.fleet.nextDueMs(later)).toBe(first.fleet.nextDueMs(later));
        expect(everything(again)).toBe(everything(first));
      }
    },
  );

  it("two runs with one seed are byte-equal, in however many steps", () => {
    const [coarse, fine] = [smallFleet(documents), smallFleet(documents)];
    coarse.runTo(130);
    for (let tenth = 1; tenth <= 1300; tenth++) fine.runTo(tenth / 10);
    expect(everything(fine)).toBe(everything(coarse));
  });

  it("another seed makes other names", () => {
    const run = (seed: string) => {
      const small = smallFleet(documents, { seed });
      small.runTo(30);
      return small.pods("member1").map(({ metadata }) => metadata.name);
    };
    expect(run("a")).not.toEqual(run("b"));
  });

  it("a step at an instant that was stepped to changes nothing", () => {
    const small = smallFleet(builtIn("tutorial"));
    small.runTo(60);
    const before = everything(small);
    small.runTo(60);
    expect(everything(small)).toBe(before);
    expect(small.fleet.nextDueMs(small.scenario.startMs + 60_000)).toBeUndefined();
  });
});
