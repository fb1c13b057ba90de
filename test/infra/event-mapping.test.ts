import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkMappings, type EventMapping, requestFor } from "#infra/event-mapping";
import { resourcesOf, stackOf, standInBundles } from "#test/infra/stack";
import { parseRouteMessage } from "#wire/work";

const WEB: EventMapping = {
  name: "orders",
  pattern: { source: ["shop"], "detail-type": ["OrderPlaced"], detail: { size: [{ numeric: [">", 100] }] } },
  evaluate: { hub: "hub", namespace: "shop", name: "web" },
};
const WORKERS: EventMapping = {
  name: "jobs",
  bus: "mainsheet",
  pattern: { source: ["jobs"] },
  evaluate: {
    hub: "hub",
    target: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "worker" },
  },
};

describe("rules of the user's own", () => {
  let bundles: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation has no types here.
  let rules: any[];
  beforeAll(async () => {
    bundles = await standInBundles();
    const resources = resourcesOf(stackOf(bundles, { events: [WEB, WORKERS] }));
    rules = Object.entries(resources)
      .filter(([id, { Type }]) => Type === "AWS::Events::Rule" && id.includes("Mapping"))
      .map(([, { Properties }]) => Properties);
  }, 60_000);
  afterAll(() => rm(bundles, { recursive: true }));

  it("match what they say, on the bus they say", () => {
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual([WEB.pattern, WORKERS.pattern]);
    expect(rules.map(({ EventBusName }) => EventBusName !== undefined)).toEqual([false, true]);
  });

  it.each([WEB, WORKERS])(
    "$name: what CloudFormation is told makes the message that the local host makes",
    (mapping) => {
      const rule = rules.find(
        ({ EventPattern }) => EventPattern.source[0] === mapping.pattern.source?.[0 as never],
      );
      const { InputPathsMap: paths, InputTemplate: template } = rule.Targets[0].InputTransformer;
      const event: Record<string, string> = {
        id: "e-1",
        time: "2026-03-02T09:00:00Z",
        "detail-type": "OrderPlaced",
      };
      const made = Object.entries(paths as Record<string, string>).reduce(
        (text, [name, path]) => text.replaceAll(`<${name}>`, JSON.stringify(event[path.replace("$.", "")])),
        String(template),
      );
      const local = requestFor(mapping, {
        id: "e-1",
        time: "2026-03-02T09:00:00Z",
        detailType: "OrderPlaced",
      });
      expect(JSON.parse(made)).toEqual(local);
      expect(parseRouteMessage(made)).toMatchObject({
        ok: true,
        value: { kind: "event", type: "ReconcileRequested", id: "e-1", detail: mapping.evaluate },
      });
    },
  );

  it.each<[string, Partial<EventMapping>]>([
    ['events[1].name is "a b"; allowed are letters, digits and dashes', { name: "a b" }],
    [`events[1].name is "orders", as another one's; give each its own`, { name: "orders" }],
    ['events[1].bus is "other"; allowed are default and mainsheet', { bus: "other" as never }],
    ["events[1].pattern is empty; give an EventBridge event pattern", { pattern: {} }],
    [
      "events[1].evaluate: needs namespace and name of a FederatedHPA, or a target, and not both",
      { evaluate: { hub: "hub" } as never },
    ],
    [
      'events[1].evaluate.hub is "us"; the hubs are hub',
      { evaluate: { hub: "us", namespace: "shop", name: "web" } },
    ],
  ])("%s", (sentence, change) => {
    expect(() => checkMappings([WEB, { ...WORKERS, ...change }], ["hub"])).toThrow(new Error(sentence));
  });
});
