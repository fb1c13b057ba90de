import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApiServer, ListQuery } from "#sim/api/api-server";
import { seededIds } from "#sim/api/ids";
import { CONFIG_MAPS, NAMESPACES } from "#sim/api/kinds/core";
import type { KubeObject } from "#sim/api/object";
import {
  differenceOf,
  type FieldSet,
  fromFieldsV1,
  intersectionOf,
  isEmptySet,
  toFieldsV1,
  unionOf,
} from "#sim/api/ownership/field-set";
import { hubCatalogue } from "#sim/api/resources";
import { createApiServer } from "#sim/api/server";
import { Store } from "#sim/api/store";

const NOW = { nowMs: 1_772_442_000_000 };

/** One write: a name in a namespace, its label, or its removal. */
const write = fc.record({
  namespace: fc.constantFrom("a", "a-b"),
  name: fc.constantFrom("x", "x.y", "y", "z"),
  label: fc.constantFrom("red", "blue", undefined),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

function server(): ApiServer {
  const api = createApiServer({
    name: "hub",
    store: new Store(),
    catalogue: hubCatalogue(),
    ids: seededIds("p"),
  });
  for (const name of ["a", "a-b"]) api.create(NAMESPACES, { metadata: { name } } as KubeObject, NOW);
  return api;
}

function carryOut(api: ApiServer, { namespace, name, label }: Write): void {
  const object = { metadata: { namespace, name, labels: { color: label } } } as unknown as KubeObject;
  if (label === undefined) api.delete(CONFIG_MAPS, { namespace, name }, NOW);
  else if (api.store.get(CONFIG_MAPS, namespace, name) === undefined) api.create(CONFIG_MAPS, object, NOW);
  else api.update(CONFIG_MAPS, object, NOW);
}

function listed(api: ApiServer, query: ListQuery) {
  const list = api.list(CONFIG_MAPS, query, NOW.nowMs);
  if (!list.ok) throw new Error(list.status.message);
  return list.value;
}

const selection = fc.record({
  namespace: fc.constantFrom(undefined, "a", "a-b"),
  labelSelector: fc.constantFrom(undefined, "color=red", "color!=red"),
});

const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`;

describe("an API server over any writes", () => {
  it("a list and the changes after it are the list of later", () => {
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 30 }),
        fc.array(write, { maxLength: 30 }),
        selection,
        (before, after, query) => {
          const api = server();
          for (const each of before) carryOut(api, each);
          const first = listed(api, query);
          for (const each of after) carryOut(api, each);
          const seen = new Map(first.items.map((object) => [keyOf(object), object]));
          const changes = api.changes(CONFIG_MAPS, query, Number(first.resourceVersion));
          for (const { type, object } of changes.ok ? changes.value : []) {
            expect(seen.has(keyOf(object))).toBe(type !== "ADDED");
            if (type === "DELETED") seen.delete(keyOf(object));
            else seen.set(keyOf(object), object);
          }
          const now = listed(api, query).items;
          expect([...seen.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))).toEqual(now);
          const version = first.resourceVersion;
          expect(
            listed(api, { ...query, resourceVersion: version, resourceVersionMatch: "Exact" }).items,
          ).toEqual(first.items);
        },
      ),
    );
  });

  it("the pages of a list are the list, whatever is written between them", () => {
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 20 }),
        fc.array(write, { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        selection,
        (before, between, limit, query) => {
          const api = server();
          for (const each of before) carryOut(api, each);
          const whole = listed(api, query).items;
          const writes = [...between];
          let page = listed(api, { ...query, limit });
          const items = [...page.items];
          while (page.continue !== undefined) {
            const next = writes.shift();
            if (next !== undefined) carryOut(api, next);
            page = listed(api, { ...query, limit, continue: page.continue });
            items.push(...page.items);
          }
          expect(items).toEqual(whole);
        },
      ),
    );
  });

  it("a restored store holds the same objects and tells the same changes", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const api = server();
        for (const each of writes) carryOut(api, each);
        const restored = new Store();
        restored.restore(JSON.parse(JSON.stringify(api.store.changesSince(0))));
        expect(restored.list(CONFIG_MAPS)).toEqual(api.store.list(CONFIG_MAPS));
        expect(restored.changesSince(0)).toEqual(JSON.parse(JSON.stringify(api.store.changesSince(0))));
        const short = new Store();
        short.restore(JSON.parse(JSON.stringify(api.store.snapshot())));
        expect(short.list(CONFIG_MAPS)).toEqual(api.store.list(CONFIG_MAPS));
      }),
    );
  });
});

const { fieldSet } = fc.letrec<{ fieldSet: FieldSet; child: FieldSet }>((tie) => ({
  fieldSet: fc
    .dictionary(fc.constantFrom("f:a", "f:b", 'k:{"name":"c"}', 'v:"d"'), tie("child"))
    .map((children) => ({ member: false, children: new Map(Object.entries(children)) })),
  child: fc.oneof(
    { maxDepth: 3 },
    fc.constant<FieldSet>({ member: true, children: new Map() }),
    tie("fieldSet").map((set) => ({ ...set, member: true })),
    tie("fieldSet").map((set) => (isEmptySet(set) ? { ...set, member: true } : set)),
  ),
}));

describe("sets of fields", () => {
  const json = (set: FieldSet) => toFieldsV1(set);

  it("come back from fieldsV1 as they went", () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        expect(json(fromFieldsV1(json(set)))).toEqual(json(set));
      }),
    );
  });

  it("are sets: what is taken away and what both have make up the whole", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        expect(json(unionOf(differenceOf(a, b), intersectionOf(a, b)))).toEqual(json(a));
        expect(isEmptySet(intersectionOf(differenceOf(a, b), b))).toBe(true);
        expect(json(unionOf(a, b))).toEqual(json(unionOf(b, a)));
        expect(isEmptySet(differenceOf(a, unionOf(a, b)))).toBe(true);
      }),
    );
  });
});
