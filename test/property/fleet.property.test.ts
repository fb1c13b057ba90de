import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Change, Store } from "#sim/api/store";
import { isActive, isReady } from "#sim/member/pod-state";
import {
  deploymentDocument,
  loadDocument,
  policyDocument,
  type SmallFleet,
  scenarioDocument,
  smallFleet,
  weighted,
} from "#test/unit/sim/small-fleet";

const MEMBERS = ["member1", "member2", "member3"];
const documents = [
  scenarioDocument({ pods: { jitterSeconds: 3 } }, MEMBERS),
  deploymentDocument(4),
  policyDocument(weighted({ member1: 2, member2: 1, member3: 1 })),
  loadDocument({ cpu: { constant: 1 }, noisePercent: 10 }),
];

type Operation =
  | { readonly kind: "scale"; readonly replicas: number }
  | { readonly kind: "cut-off" | "reconnect"; readonly member: string }
  | { readonly kind: "weights"; readonly weights: readonly number[] }
  | { readonly kind: "end-pod"; readonly member: string };

const member = fc.constantFrom(...MEMBERS);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant("scale" as const), replicas: fc.nat(12) }),
  fc.record({ kind: fc.constantFrom("cut-off" as const, "reconnect" as const), member }),
  fc.record({
    kind: fc.constant("weights" as const),
    weights: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(4), fc.nat(4)),
  }),
  fc.record({ kind: fc.constant("end-pod" as const), member }),
);
/** What happens, and how many tenths of a second pass before. */
const story = fc.array(fc.tuple(fc.nat(60), operation), { minLength: 1, maxLength: 8 });

function perform(world: SmallFleet, operation: Operation): void {
  switch (operation.kind) {
    case "scale":
      world.scale("web", operation.replicas);
      break;
    case "weights": {
      // A cluster without a weight gets nothing: a weight of 0 is refused.
      const given = MEMBERS.map((name, index) => [name, operation.weights[index] ?? 0] as const);
      const weights = Object.fromEntries(given.filter(([, weight]) => weight > 0));
      world.patch("policy.karmada.io/v1alpha1", "PropagationPolicy", "everywhere", {
        spec: { placement: weighted(weights) },
      });
      break;
    }
    case "end-pod": {
      const server = world.fleet.members.get(operation.member);
      const type = server?.catalogue.find("v1", "pods");
      const [pod] = world.pods(operation.member);
      if (server === undefined || type === undefined || pod?.metadata.name === undefined) break;
      server.delete(
        type,
        { namespace: "default", name: pod.metadata.name },
        { nowMs: world.scenario.startMs + world.now() * 1000 },
      );
      world.runTo(world.now());
      break;
    }
    default:
      world.fault(operation.member, { kind: operation.kind });
  }
}

function everything({ fleet, cpu }: SmallFleet): string {
  const servers = [fleet.hub, ...fleet.members.values()].map(({ store }) => [
    store.resourceVersion,
    store.snapshot().map(({ object }) => object),
  ]);
  return JSON.stringify([servers, MEMBERS.map(cpu)]);
}

describe("a fleet, whatever happens to it", () => {
  it("comes to rest with as many ready pods as each cluster's share, and sums them up", () => {
    fc.assert(
      fc.property(story, (events) => {
        const world = smallFleet(documents);
        for (const [tenths, event] of events) {
          world.runTo(world.now() + tenths / 10);
          perform(world, event);
        }
        for (const name of MEMBERS) world.fault(name, { kind: "reconnect" });
        world.runTo(world.now() + 120);
        const shares = (world.binding("web")?.spec?.clusters ?? []) as { name: string; replicas?: number }[];
        const template = world.template("web");
        expect(shares.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(template?.spec?.replicas);
        for (const name of MEMBERS) {
          const pods = world.pods(name);
          expect(pods.every((pod) => isActive(pod) && isReady(pod))).toBe(true);
          expect(pods).toHaveLength(shares.find((share) => share.name === name)?.replicas ?? 0);
        }
        expect(template?.status?.readyReplicas ?? 0).toBe(template?.spec?.replicas);
        expect(world.fleet.nextDueMs(0)).toBeUndefined();
      }),
      { numRuns: 12 },
    );
  });

  it("goes on identically when it is built anew over its journal between any two events", () => {
    fc.assert(
      fc.property(story, fc.nat(7), (events, cut) => {
        const journals = new Map<string, Change[]>();
        const storeOf = (server: string) => {
          const journal: Change[] = [];
          journals.set(server, journal);
          return new Store({ onCommit: (change) => journal.push(change) });
        };
        let world = smallFleet(documents, { storeOf });
        const unbroken = smallFleet(documents);
        for (const [index, [tenths, event]] of events.entries()) {
          const at = unbroken.now() + tenths / 10;
          for (const each of [world, unbroken]) {
            each.runTo(at);
            perform(each, event);
          }
          if (index !== cut % events.length) continue;
          world = smallFleet(documents, {
            storeOf: (server) => {
              const store = new Store();
              store.restore(JSON.parse(JSON.stringify(journals.get(server) ?? [])) as Change[]);
              return store;
            },
          });
          world.runTo(at);
        }
        const end = unbroken.now() + 50;
        for (const each of [world, unbroken]) each.runTo(end);
        expect(everything(world)).toBe(everything(unbroken));
      }),
      { numRuns: 12 },
    );
  });
});
