import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Memory } from "#app/relay/memory";
import { AUTOSCALERS, HUB_SOURCES } from "#app/relay/sources";
import type { WatchedObject, WorkloadRef } from "#domain/relay/watched-object";

const workload: fc.Arbitrary<WorkloadRef> = fc.record({
  apiVersion: fc.constantFrom("apps/v1", "apps/v1beta1", "v1", "example.com/v1"),
  kind: fc.constantFrom("Deployment", "Pod"),
  namespace: fc.constantFrom("shop", "pay"),
  name: fc.constantFrom("web", "api"),
});
const UNIVERSE = ["apps/v1", "apps/v1beta1", "v1", "example.com/v1"].flatMap((apiVersion) =>
  ["Deployment", "Pod"].flatMap((kind) =>
    ["shop", "pay"].flatMap((namespace) =>
      ["web", "api"].map((name): WorkloadRef => ({ apiVersion, kind, namespace, name })),
    ),
  ),
);

/** Few names and uids, so that objects are made anew, come late, change their target, and share one. */
const watched: fc.Arbitrary<WatchedObject> = fc
  .record({
    name: fc.constantFrom("a", "b", "c"),
    namespace: fc.constantFrom("shop", "pay"),
    incarnation: fc.nat(2),
    resourceVersion: fc.nat(20).map(String),
    digest: fc.constantFrom("", "x", "y"),
    target: fc.option(workload, { nil: undefined }),
  })
  .map(({ incarnation, target, ...rest }) => ({
    ...{ ...rest, uid: `${rest.namespace}/${rest.name}/${incarnation}` },
    ...(target === undefined ? {} : { target }),
  }));
const list = fc.uniqueArray(watched, { selector: ({ namespace, name }) => `${namespace}/${name}` });

/** Of FederatedHPAs mostly; what other sources see makes no target. */
const source = fc.oneof(
  { weight: 4, arbitrary: fc.constant(AUTOSCALERS) },
  { weight: 1, arbitrary: fc.constantFrom(...HUB_SOURCES.map(({ name }) => name)) },
);
type Step = (memory: Memory) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(source, list).map(
    ([name, objects]): Step =>
      (memory) =>
        memory.begin(name, { objects }),
  ),
  fc.tuple(source, list).map(
    ([name, objects]): Step =>
      (memory) =>
        memory.of(name).replace(objects),
  ),
  fc.tuple(source, fc.constantFrom("ADDED" as const, "MODIFIED" as const, "DELETED" as const), watched).map(
    ([name, type, object]): Step =>
      (memory) =>
        memory.of(name).observe(type, object),
  ),
  fc.tuple(source, fc.constantFrom("added" as const, "modified" as const, "deleted" as const), watched).map(
    ([name, change, object]): Step =>
      (memory) =>
        memory.apply({ source: name, change, object }),
  ),
);

/** Of every FederatedHPA that is there, over again. */
function rebuilt(memory: Memory, { apiVersion, kind, namespace, name }: WorkloadRef): boolean {
  const groupOf = (version: string) => version.split("/").slice(0, -1).join();
  return [...memory.of(AUTOSCALERS).objects()].some(
    ({ target }) =>
      target !== undefined &&
      groupOf(target.apiVersion) === groupOf(apiVersion) &&
      target.kind === kind &&
      target.namespace === namespace &&
      target.name === name,
  );
}

describe("which workloads a relay takes for targets", () => {
  it("are those of the FederatedHPAs that are there, after any lists, events and recovered changes", () => {
    const met = { target: 0, none: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const memory = new Memory();
        for (const take of steps) {
          take(memory);
          const expected = UNIVERSE.map((one) => rebuilt(memory, one));
          expect(UNIVERSE.map((one) => memory.isTarget(one))).toEqual(expected);
          for (const is of expected) met[is ? "target" : "none"] += 1;
        }
        expect(memory.isTarget(undefined)).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(met.target).toBeGreaterThan(1_000);
    expect(met.none).toBeGreaterThan(1_000);
  });

  it("a burst of n events with a binding after each looks at each FederatedHPA a few times, not n times", () => {
    const N = 500;
    let looks = 0;
    const object = (i: number, digest: string): WatchedObject => ({
      ...{ uid: `u${i}`, name: `o${i}`, namespace: "shop", resourceVersion: digest, digest },
      get target() {
        looks += 1;
        return { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: `w${i}` };
      },
    });
    const memory = new Memory();
    memory.begin(AUTOSCALERS, { objects: Array.from({ length: N }, (_, i) => object(i, "1")) });
    looks = 0;
    for (let i = 0; i < N; i++) {
      memory.of(AUTOSCALERS).observe("MODIFIED", object(i, "2"));
      expect(memory.isTarget(object(i, "2").target)).toBe(true);
    }
    expect(looks).toBeLessThan(10 * N);
  });
});
