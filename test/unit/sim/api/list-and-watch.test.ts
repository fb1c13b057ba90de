import { describe, expect, it } from "vitest";
import type { ListQuery, SelectionQuery } from "#sim/api/api-server";
import { CONFIG_MAPS, EVENTS, PODS } from "#sim/api/kinds/core";
import { AT, configMap, hub, named, object, refusal, T0, value } from "./fixture.ts";

function filled() {
  const api = hub();
  for (const name of ["a", "b", "c", "d", "e"]) value(api.create(CONFIG_MAPS, configMap(name), AT));
  const names = (query: ListQuery) =>
    value(api.list(CONFIG_MAPS, query, T0)).items.map(({ metadata }) => metadata.name);
  return { api, names };
}

describe("lists in pages", () => {
  it("shows on every page the store as the first page saw it", () => {
    const { api } = filled();
    const first = value(api.list(CONFIG_MAPS, { limit: 2 }, T0));
    value(api.delete(CONFIG_MAPS, named("c"), AT));
    value(api.update(CONFIG_MAPS, configMap("d", { changed: "yes" }), AT));
    value(api.create(CONFIG_MAPS, configMap("cc"), AT));
    const second = value(api.list(CONFIG_MAPS, { limit: 2, continue: first.continue }, T0));
    const third = value(api.list(CONFIG_MAPS, { limit: 2, continue: second.continue }, T0));
    const pages = [first, second, third];
    expect(pages.map(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e"],
    ]);
    expect(second.items[1]?.data).toEqual({});
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    expect(pages.map(({ remainingItemCount }) => remainingItemCount)).toEqual([3, 1, undefined]);
    expect(third.continue).toBeUndefined();
  });

  it("answers 410 when the history no longer reaches back, with a token for the rest as it is now", () => {
    const { api } = filled();
    const first = value(api.list(CONFIG_MAPS, { limit: 2 }, T0));
    value(api.delete(CONFIG_MAPS, named("c"), AT));
    api.store.compact();
    const status = refusal(api.list(CONFIG_MAPS, { limit: 2, continue: first.continue }, T0));
    expect([status.code, status.reason]).toEqual([410, "Expired"]);
    const rest = value(api.list(CONFIG_MAPS, { continue: status.metadata.continue }, T0));
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["d", "e"]);
  });

  it("pages within a namespace and a selection", () => {
    const { api } = filled();
    value(api.update(CONFIG_MAPS, configMap("b", {}, { labels: { in: "yes" } }), AT));
    value(api.update(CONFIG_MAPS, configMap("e", {}, { labels: { in: "yes" } }), AT));
    const query = { namespace: "default", labelSelector: "in=yes", limit: 1 };
    const first = value(api.list(CONFIG_MAPS, query, T0));
    const second = value(api.list(CONFIG_MAPS, { ...query, continue: first.continue }, T0));
    expect([first, second].map(({ items }) => items[0]?.metadata.name)).toEqual(["b", "e"]);
    expect(first.remainingItemCount).toBeUndefined();
    expect(second.continue).toBeUndefined();
  });

  it("does not leave its namespace on later pages", () => {
    const { api } = filled();
    value(
      api.create(
        api.catalogue.find("v1", "namespaces") as never,
        object({ metadata: { name: "other" } }),
        AT,
      ),
    );
    value(api.create(CONFIG_MAPS, configMap("z", {}, { namespace: "other" }), AT));
    const first = value(api.list(CONFIG_MAPS, { namespace: "default", limit: 4 }, T0));
    value(api.delete(CONFIG_MAPS, named("a"), AT));
    const second = value(
      api.list(CONFIG_MAPS, { namespace: "default", limit: 4, continue: first.continue }, T0),
    );
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(["e"]);
  });

  it("reads an older version exactly where asked to, and no version that is still to come", () => {
    const { api, names } = filled();
    const version = String(api.store.resourceVersion);
    value(api.delete(CONFIG_MAPS, named("a"), AT));
    expect(names({ resourceVersion: version, resourceVersionMatch: "Exact" })).toContain("a");
    expect(names({ resourceVersion: version, resourceVersionMatch: "NotOlderThan" })).not.toContain("a");
    expect(names({ resourceVersion: "0" })).not.toContain("a");
    expect(refusal(api.list(CONFIG_MAPS, { resourceVersion: "999" }, T0))).toMatchObject({
      code: 504,
      reason: "Timeout",
      details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
    });
  });

  it("refuses a token that is none with 400", () => {
    expect(refusal(filled().api.list(CONFIG_MAPS, { continue: "what" }, T0)).code).toBe(400);
  });
});

describe("selections", () => {
  it.each([
    [{ labelSelector: "app=a" }, ["a1", "a2"]],
    [{ labelSelector: "app!=a" }, ["b1"]],
    [{ labelSelector: "app in (a,b),!old" }, ["a2", "b1"]],
    [{ fieldSelector: "status.phase=Running" }, ["a1"]],
    [{ fieldSelector: "status.phase!=Running,spec.nodeName=node-1" }, ["a2"]],
    [{ fieldSelector: "metadata.name==b1" }, ["b1"]],
    [{ fieldSelector: "metadata.namespace=other" }, []],
    [{ labelSelector: "app=a", fieldSelector: "status.phase=Pending" }, ["a2"]],
  ] as const satisfies readonly (readonly [SelectionQuery, readonly string[]])[])("%j", (query, expected) => {
    const api = hub();
    const pods = [
      ["a1", { app: "a", old: "1" }, "Running"],
      ["a2", { app: "a" }, "Pending"],
      ["b1", { app: "b" }, "Pending"],
    ] as const;
    for (const [name, labels, phase] of pods) {
      const spec = {
        containers: [{ name: "c", image: "x" }],
        ...(name === "a2" ? { nodeName: "node-1" } : {}),
      };
      value(api.create(PODS, object({ metadata: { ...named(name), labels }, spec }), AT));
      value(
        api.patch(
          PODS,
          named(name),
          { type: "merge", body: { status: { phase } } },
          { ...AT, subresource: "status" },
        ),
      );
    }
    const list = value(api.list(PODS, query, T0));
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  it("finds the events of an object, as `kubectl describe` asks for them", () => {
    const api = hub();
    const involvedObject = { kind: "FederatedHPA", namespace: "default", name: "web", uid: "u1" };
    value(
      api.create(EVENTS, object({ metadata: named("e1"), involvedObject, reason: "SuccessfulRescale" }), AT),
    );
    value(
      api.create(
        EVENTS,
        object({ metadata: named("e2"), involvedObject: { ...involvedObject, uid: "u2" } }),
        AT,
      ),
    );
    const fieldSelector =
      "involvedObject.name=web,involvedObject.namespace=default,involvedObject.kind=FederatedHPA,involvedObject.uid=u1";
    const found = value(api.list(EVENTS, { fieldSelector }, T0)).items;
    expect(found.map(({ reason }) => reason)).toEqual(["SuccessfulRescale"]);
  });

  it.each([
    ["an unknown field", { fieldSelector: "spec.replicas=1" }, "field label not supported: spec.replicas"],
    ["a field without operator", { fieldSelector: "x" }, "invalid selector: 'x'; can't understand 'x'"],
    ["labels that cannot be read", { labelSelector: "a b c" }, /^unable to parse requirement: /],
  ])("refuses %s with 400", (_what, query, message) => {
    const status = refusal(hub().list(CONFIG_MAPS, query, T0));
    expect(status.code).toBe(400);
    expect(status.message).toMatch(message);
  });
});

describe("watches", () => {
  it("sees what it missed since a version, and nothing twice", () => {
    const { api } = filled();
    const from = api.store.resourceVersion;
    value(api.update(CONFIG_MAPS, configMap("a", { x: "1" }), AT));
    value(api.delete(CONFIG_MAPS, named("b"), AT));
    const changes = value(api.changes(CONFIG_MAPS, {}, from));
    expect(changes.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`)).toEqual([
      "MODIFIED a",
      "DELETED b",
    ]);
    expect(value(api.changes(CONFIG_MAPS, {}, api.store.resourceVersion))).toEqual([]);
  });

  it("announces an object that comes to match as ADDED, one that ceases to as DELETED with its last matching state", () => {
    const { api } = filled();
    const from = api.store.resourceVersion;
    const label = (labels: object) => value(api.update(CONFIG_MAPS, configMap("a", {}, { labels }), AT));
    label({ in: "yes" });
    label({ in: "yes", more: "yes" });
    label({ in: "no" });
    label({ in: "never" });
    const changes = value(api.changes(CONFIG_MAPS, { labelSelector: "in=yes" }, from));
    expect(changes.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(changes[2]?.object.metadata).toMatchObject({
      labels: { in: "yes", more: "yes" },
      resourceVersion: String(from + 3),
    });
  });

  it("answers 410 for a version that is forgotten", () => {
    const { api } = filled();
    api.store.compact();
    expect(refusal(api.changes(CONFIG_MAPS, {}, 2))).toMatchObject({
      code: 410,
      reason: "Expired",
      message: "too old resource version: 2 (6)",
    });
  });
});
