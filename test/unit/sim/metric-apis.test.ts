import { describe, expect, it } from "vitest";
import type { ValuesQuery } from "#sim/api/metric-api";
import { aggregatedDiscovery, apiGroupOf, apiResourceList } from "#sim/api/view/discovery";
import {
  DUPLICATED,
  deploymentDocument,
  loadDocument,
  policyDocument,
  type SmallFleet,
  scenarioDocument,
  smallFleet,
  weighted,
} from "./small-fleet.ts";

const SINCE = "2026-03-02T08:00:00Z";
const CUSTOM = "custom.metrics.k8s.io/v1beta2";
const START_MS = Date.parse("2026-03-02T09:00:00Z");

function world(load: object, placement: object = weighted({ member1: 3, member2: 1 }), replicas = 4) {
  return smallFleet([
    scenarioDocument(),
    deploymentDocument(replicas),
    policyDocument(placement),
    loadDocument({ since: SINCE, ...load }),
  ]);
}

/** The values of a member (or the hub), or the code of the refusal. */
function read({ fleet, now }: SmallFleet, server: string, apiVersion: string, query: object) {
  const { catalogue } = server === "hub" ? fleet.hub : (fleet.members.get(server) ?? fleet.hub);
  const found = catalogue.findMetricApi(apiVersion);
  if (found === undefined) return "not served";
  const asked = { namespace: "default", ...query } as ValuesQuery;
  const items = found.api.values(found.version, asked, START_MS + now() * 1000);
  return items.ok ? (items.value as { value: string }[]).map(({ value }) => value) : items.status.code;
}

const ofPods = { described: { resource: "pods", name: "*" }, metric: "requests" };
const ofWeb = { described: { resource: "deployments.apps", name: "web" }, metric: "waiting" };

describe("pod metrics of a Load", () => {
  it("are shared by the pods that serve, over all members", () => {
    const fleet = world({ podMetrics: [{ name: "requests", constant: 100 }] });
    expect(read(fleet, "member1", CUSTOM, ofPods)).toEqual(["25000m", "25000m", "25000m"]);
    expect(read(fleet, "member2", CUSTOM, ofPods)).toEqual(["25000m"]);
  });

  it("differ by cluster where factors say so", () => {
    const factors = { member1: 1.8, member2: 0.2 };
    const fleet = world({ podMetrics: [{ name: "requests", factors, constant: 200 }] }, DUPLICATED, 2);
    expect(read(fleet, "member1", CUSTOM, ofPods)).toEqual(["90000m", "90000m"]);
    expect(read(fleet, "member2", CUSTOM, ofPods)).toEqual(["10000m", "10000m"]);
  });

  it("are those of one pod by its name, and of none by another", () => {
    const fleet = world({ podMetrics: [{ name: "requests", constant: 100 }] });
    const [pod] = fleet.pods("member2");
    const one = (name: string) => ({ ...ofPods, described: { resource: "pods", name } });
    expect(read(fleet, "member2", CUSTOM, one(pod?.metadata.name ?? ""))).toEqual(["25000m"]);
    expect(read(fleet, "member2", CUSTOM, one("nobody"))).toEqual([]);
  });

  it("show a step at the first sample whose window it fills", () => {
    const steps = [{ afterSeconds: 3_620, demand: 40 }];
    const fleet = world({ podMetrics: [{ name: "requests", steps }] });
    const seen = [34, 35, 50].map((second) => {
      fleet.runTo(second);
      return read(fleet, "member2", CUSTOM, ofPods);
    });
    expect(seen).toEqual([["0m"], ["10000m"], ["10000m"]]);
  });
});

describe("object metrics of a Load", () => {
  const waiting = { name: "waiting", constant: 100 };

  it("are shared by the members that hold the object, by their serving pods", () => {
    const fleet = world({ objectMetrics: [waiting] });
    expect(read(fleet, "member1", CUSTOM, ofWeb)).toEqual(["75000m"]);
    expect(read(fleet, "member2", CUSTOM, ofWeb)).toEqual(["25000m"]);
  });

  it("are the whole in each member where the source is shared", () => {
    const fleet = world({ objectMetrics: [{ ...waiting, whole: true }] });
    expect(read(fleet, "member1", CUSTOM, ofWeb)).toEqual(["100000m"]);
    expect(read(fleet, "member2", CUSTOM, ofWeb)).toEqual(["100000m"]);
  });

  it("are 404 in a member that does not hold the object", () => {
    const fleet = world({ objectMetrics: [waiting] }, weighted({ member1: 1 }));
    expect(read(fleet, "member1", CUSTOM, ofWeb)).toEqual(["100000m"]);
    expect(read(fleet, "member2", CUSTOM, ofWeb)).toBe(404);
  });

  it("are shared evenly while no pod serves, so that work can be seen that nobody does", () => {
    const fleet = world({
      objectMetrics: [{ ...waiting, object: { apiVersion: "v1", kind: "Namespace", name: "default" } }],
    });
    fleet.scale("web", 0);
    fleet.runTo(30);
    const ofNamespace = { described: { resource: "metrics" }, metric: "waiting" };
    expect(read(fleet, "member1", CUSTOM, ofNamespace)).toEqual(["50000m"]);
  });
});

describe("external metrics of a Load", () => {
  const EXTERNAL = "external.metrics.k8s.io/v1beta1";

  it("are on the hub, as they are now, narrowed by labels", () => {
    const steps = [{ afterSeconds: 3_601, demand: "1500m" }];
    const fleet = world({ externalMetrics: [{ name: "queue", labels: { name: "orders" }, steps }] });
    expect(read(fleet, "hub", EXTERNAL, { metric: "queue" })).toEqual(["0m"]);
    fleet.runTo(1);
    expect(read(fleet, "hub", EXTERNAL, { metric: "queue", labelSelector: "name=orders" })).toEqual([
      "1500m",
    ]);
    expect(read(fleet, "hub", EXTERNAL, { metric: "queue", labelSelector: "name=other" })).toEqual([]);
    expect(read(fleet, "hub", EXTERNAL, { metric: "other" })).toBe(404);
    expect(read(fleet, "hub", EXTERNAL, { metric: "queue", labelSelector: "=" })).toBe(400);
    expect(read(fleet, "member1", EXTERNAL, { metric: "queue" })).toBe("not served");
  });
});

describe("discovery of metrics APIs", () => {
  const load = {
    podMetrics: [{ name: "requests", constant: 1 }],
    objectMetrics: [{ name: "waiting", constant: 1 }],
    externalMetrics: [{ name: "queue", constant: 1 }],
  };
  const member1 = (fleet: SmallFleet) => {
    const server = fleet.fleet.members.get("member1");
    if (server === undefined) throw new Error("no member1");
    return server.catalogue;
  };

  it("a server without such metrics does not serve their API", () => {
    const fleet = world({});
    expect(apiGroupOf(member1(fleet), "custom.metrics.k8s.io")).toBeUndefined();
    expect(apiGroupOf(fleet.fleet.hub.catalogue, "external.metrics.k8s.io")).toBeUndefined();
  });

  it("the newer version is preferred", () => {
    expect(apiGroupOf(member1(world(load)), "custom.metrics.k8s.io")).toMatchObject({
      versions: [{ version: "v1beta2" }, { version: "v1beta1" }],
      preferredVersion: { version: "v1beta2" },
    });
  });

  it("the older form lists `resource/metric`", () => {
    const fleet = world(load);
    const listed = (document: object | undefined) =>
      (document as { resources: { name: string; kind: string; verbs: string[] }[] }).resources.map(
        ({ name, kind, verbs }) => [name, kind, ...verbs],
      );
    expect(listed(apiResourceList(member1(fleet), CUSTOM))).toEqual([
      ["deployments.apps/waiting", "MetricValueList", "get"],
      ["pods/requests", "MetricValueList", "get"],
    ]);
    const external = apiResourceList(fleet.fleet.hub.catalogue, "external.metrics.k8s.io/v1beta1");
    expect(listed(external)).toEqual([["queue", "ExternalMetricValueList", "get"]]);
  });

  it("the aggregated form has them as subresources of parents without verbs, as the API server makes it", () => {
    const { items } = aggregatedDiscovery(member1(world(load)), false, "v2") as {
      items: { metadata: { name: string }; versions: { resources: object[] }[] }[];
    };
    const custom = items.find(({ metadata }) => metadata.name === "custom.metrics.k8s.io");
    expect(custom?.versions[0]?.resources[1]).toMatchObject({
      resource: "pods",
      verbs: [],
      subresources: [{ subresource: "requests", verbs: ["get"] }],
    });
  });
});
