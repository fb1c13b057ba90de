import { describe, expect, it } from "vitest";
import { failure, hubAt, json, type Received, stub } from "./stub-server.ts";

const verbs = ["get", "list"];
const expected = [
  { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true, scalable: false },
  {
    group: "apps",
    version: "v1",
    resource: "deployments",
    kind: "Deployment",
    namespaced: true,
    scalable: true,
  },
  { group: "example.io", version: "v2", resource: "gears", kind: "Gear", namespaced: false, scalable: false },
  { group: "example.io", version: "v1", resource: "gears", kind: "Gear", namespaced: false, scalable: false },
];

const resource = (name: string, kind: string, scope: string, subresources: string[] = []) => ({
  resource: name,
  responseKind: { kind },
  scope,
  verbs,
  subresources: subresources.map((subresource) => ({ subresource, verbs })),
});

const aggregated: Record<string, object> = {
  "/api": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: {},
        versions: [{ version: "v1", resources: [resource("pods", "Pod", "Namespaced", ["status"])] }],
      },
    ],
  },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: { name: "apps" },
        versions: [
          {
            version: "v1",
            resources: [
              resource("deployments", "Deployment", "Namespaced", ["status", "scale"]),
              { ...resource("secrets", "Hidden", "Namespaced"), verbs: [] },
            ],
          },
        ],
      },
      {
        metadata: { name: "example.io" },
        versions: [
          { version: "v2", resources: [resource("gears", "Gear", "Cluster")] },
          { version: "v1", resources: [resource("gears", "Gear", "Cluster")] },
        ],
      },
    ],
  },
};

const gears = [{ name: "gears", kind: "Gear", namespaced: false, verbs }];
const legacy: Record<string, object> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": {
    kind: "APIGroupList",
    groups: [
      { name: "apps", versions: [{ version: "v1" }], preferredVersion: { version: "v1" } },
      {
        name: "example.io",
        versions: [{ version: "v1" }, { version: "v2" }],
        preferredVersion: { version: "v2" },
      },
      { name: "metrics.k8s.io", versions: [{ version: "v1beta1" }] },
    ],
  },
  "/api/v1": {
    kind: "APIResourceList",
    resources: [
      { name: "pods", kind: "Pod", namespaced: true, verbs },
      { name: "pods/status", kind: "Pod", namespaced: true, verbs },
    ],
  },
  "/apis/apps/v1": {
    kind: "APIResourceList",
    resources: [
      { name: "deployments", kind: "Deployment", namespaced: true, verbs },
      {
        name: "deployments/scale",
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        namespaced: true,
        verbs,
      },
      { name: "secrets", kind: "Hidden", namespaced: true, verbs: [] },
    ],
  },
  "/apis/example.io/v1": { kind: "APIResourceList", resources: gears },
  "/apis/example.io/v2": { kind: "APIResourceList", resources: gears },
};

const serve = (answers: Record<string, object>, prefix = "") =>
  stub(({ path }: Received, response) => {
    const body = answers[path.slice(prefix.length)];
    if (body === undefined)
      json(response, 503, failure(503, "the server is currently unable to handle the request"));
    else json(response, 200, body);
  });

describe("discovery", () => {
  it("takes two requests where the server aggregates", async () => {
    const server = await serve(aggregated);
    expect(await hubAt(server.url).discover("hub")).toEqual(expected);
    expect(server.received).toHaveLength(2);
    expect(server.received[0]?.headers.accept).toMatch(
      /g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/,
    );
  });

  it("asks version by version where it does not, the preferred first, and leaves out a group whose server is away", async () => {
    const server = await serve(legacy);
    expect(await hubAt(server.url).discover("hub")).toEqual(expected);
    expect(server.received).toHaveLength(7);
  });

  it("of a member goes through the hub's proxy", async () => {
    const prefix = "/apis/cluster.karmada.io/v1alpha1/clusters/eu-1/proxy";
    const server = await serve(aggregated, prefix);
    expect(await hubAt(server.url).discover({ member: "eu-1" })).toEqual(expected);
  });

  it("of a member that does not answer is a fault, not an empty catalogue", async () => {
    const server = await serve({});
    await expect(hubAt(server.url).discover({ member: "eu-1" })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(
        /^discover \/apis? in cluster eu-1: 503 service unavailable: the server is/,
      ),
    });
  });
});
