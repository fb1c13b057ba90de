import { describe, expect, it } from "vitest";
import { DEPLOYMENTS } from "#sim/api/kinds/apps";
import { CLUSTERS } from "#sim/api/kinds/cluster";
import { CONFIG_MAPS, EVENTS, NODES, PODS, SECRETS, SERVICES } from "#sim/api/kinds/core";
import { CUSTOM_RESOURCE_DEFINITIONS, crdObject } from "#sim/api/kinds/crd";
import { FEDERATED_HPA_CRD } from "#sim/api/kinds/karmada-autoscaling";
import { metricsTypes } from "#sim/api/kinds/metrics";
import type { ResourceType } from "#sim/api/resource-type";
import { age, humanDuration } from "#sim/api/view/age";
import { aggregatedDiscovery, apiGroupList, apiResourceList } from "#sim/api/view/discovery";
import { parseJsonPath } from "#sim/api/view/json-path";
import { openApiDocument, openApiIndex } from "#sim/api/view/openapi";
import { tableOf } from "#sim/api/view/table";
import { AT, deployment, hub, karmadaType, object, T0, value } from "./fixture.ts";

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

describe("ages as kubectl prints them (apimachinery pkg/util/duration)", () => {
  it.each([
    [-3 * S, "<invalid>"],
    [-1 * S, "0s"],
    [0, "0s"],
    [119 * S, "119s"],
    [120 * S, "2m"],
    [9 * M + 59 * S, "9m59s"],
    [10 * M + 5 * S, "10m"],
    [179 * M, "179m"],
    [3 * H, "3h"],
    [7 * H + 30 * M, "7h30m"],
    [8 * H + 30 * M, "8h"],
    [47 * H, "47h"],
    [2 * D + 4 * H, "2d4h"],
    [8 * D + 4 * H, "8d"],
    [729 * D, "729d"],
    [730 * D, "2y"],
    [731 * D, "2y1d"],
    [9 * 365 * D, "9y"],
  ])("%i ms is %s", (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it("says <unknown> where there is no time", () => {
    expect([undefined, "soon"].map((text) => age(text, T0))).toEqual(["<unknown>", "<unknown>"]);
  });
});

describe("JSONPath of printer columns", () => {
  const binding = {
    metadata: { annotations: { "a.b/c": "x" } },
    spec: { items: [{ kind: "A" }, { kind: "B" }] },
    status: {
      conditions: [
        { type: "Ready", status: "False" },
        { type: "Scheduled", status: "True" },
      ],
    },
  };
  it.each([
    ['.status.conditions[?(@.type=="Scheduled")].status', ["True"]],
    [".spec.items[*].kind", ["A", "B"]],
    [".spec.items[1].kind", ["B"]],
    [".metadata.annotations.a\\.b/c", ["x"]],
    [".metadata.annotations['a.b/c']", ["x"]],
    [".spec.nothing.here", []],
    ['.status.conditions[?(@.type=="None")].status', []],
  ])("%s", (path, expected) => {
    expect(parseJsonPath(path)?.(binding)).toEqual(expected);
  });

  it.each(["spec.items", ".spec[", ".spec.items[?(@.a>1)]"])("knows nothing of %s", (path) => {
    expect(parseJsonPath(path)).toBeUndefined();
  });
});

const headers = (type: ResourceType, wide = false) =>
  tableOf(type, [], {}, "None", T0)
    .columnDefinitions.filter(({ priority }) => wide || priority === 0)
    .map(({ name }) => name.toUpperCase())
    .join(" ");

describe("the columns of each kind", () => {
  const types = hub().catalogue;
  const known = (apiVersion: string, resource: string) => types.find(apiVersion, resource) as ResourceType;
  it.each([
    [CLUSTERS, "NAME VERSION MODE READY AGE"],
    [
      known("autoscaling.karmada.io/v1alpha1", "federatedhpas"),
      "NAME REFERENCE-KIND REFERENCE-NAME MINPODS MAXPODS REPLICAS AGE",
    ],
    [known("autoscaling.karmada.io/v1alpha1", "cronfederatedhpas"), "NAME REFERENCE-KIND REFERENCE-NAME AGE"],
    [known("policy.karmada.io/v1alpha1", "propagationpolicies"), "NAME CONFLICT-RESOLUTION PRIORITY AGE"],
    [
      known("policy.karmada.io/v1alpha1", "clusterpropagationpolicies"),
      "NAME CONFLICT-RESOLUTION PRIORITY AGE",
    ],
    [known("policy.karmada.io/v1alpha1", "overridepolicies"), "NAME AGE"],
    [known("work.karmada.io/v1alpha2", "resourcebindings"), "NAME SCHEDULED FULLYAPPLIED AGE"],
    [known("work.karmada.io/v1alpha1", "works"), "NAME WORKLOAD-KIND APPLIED AGE"],
    [DEPLOYMENTS, "NAME READY UP-TO-DATE AVAILABLE AGE"],
    [PODS, "NAME READY STATUS RESTARTS AGE"],
    [NODES, "NAME STATUS ROLES AGE VERSION"],
    [EVENTS, "NAME LAST SEEN TYPE REASON OBJECT MESSAGE"],
    [SERVICES, "NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE"],
    [CONFIG_MAPS, "NAME DATA AGE"],
    [SECRETS, "NAME TYPE DATA AGE"],
  ])("%#", (type, expected) => {
    expect(headers(type)).toBe(expected);
  });

  it("shows more of pods and clusters with -o wide", () => {
    expect(headers(PODS, true)).toBe("NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES");
    expect(headers(CLUSTERS, true)).toBe(
      "NAME VERSION MODE READY AGE ZONES REGION PROVIDER API-ENDPOINT PROXY-URL",
    );
  });

  it("a definition without columns of its own has an AGE", () => {
    const [bare] = [
      {
        ...FEDERATED_HPA_CRD,
        versions: FEDERATED_HPA_CRD.versions.map(({ additionalPrinterColumns, ...version }) => version),
      },
    ];
    const api = hub();
    value(api.create(CUSTOM_RESOURCE_DEFINITIONS, crdObject({ ...bare, group: "example.com" }), AT));
    expect(headers(karmadaType(api, "example.com/v1alpha1", "federatedhpas"))).toBe("NAME AGE");
  });
});

describe("the status of a pod", () => {
  const running = { ready: true, restartCount: 0, state: { running: {} } };
  it.each([
    ["before it is scheduled", { phase: "Pending" }, {}, "0/1 Pending 0"],
    [
      "while its image is pulled",
      {
        phase: "Pending",
        containerStatuses: [
          { ready: false, restartCount: 0, state: { waiting: { reason: "ContainerCreating" } } },
        ],
      },
      {},
      "0/1 ContainerCreating 0",
    ],
    [
      "running, not ready",
      { phase: "Running", containerStatuses: [{ ...running, ready: false }] },
      {},
      "0/1 Running 0",
    ],
    ["ready", { phase: "Running", containerStatuses: [running] }, {}, "1/1 Running 0"],
    [
      "in a crash loop",
      {
        phase: "Running",
        containerStatuses: [
          {
            ready: false,
            restartCount: 3,
            state: { waiting: { reason: "CrashLoopBackOff" } },
            lastState: { terminated: { finishedAt: "2026-03-02T08:58:00Z" } },
          },
        ],
      },
      {},
      "0/1 CrashLoopBackOff 3 (2m ago)",
    ],
    [
      "ended",
      {
        phase: "Succeeded",
        containerStatuses: [
          { ready: false, restartCount: 0, state: { terminated: { reason: "Completed" } } },
        ],
      },
      {},
      "0/1 Completed 0",
    ],
    [
      "ended by a signal",
      {
        phase: "Failed",
        containerStatuses: [{ ready: false, restartCount: 0, state: { terminated: { signal: 9 } } }],
      },
      {},
      "0/1 Signal:9 0",
    ],
    ["evicted", { phase: "Failed", reason: "Evicted" }, {}, "0/1 Evicted 0"],
    [
      "being deleted",
      { phase: "Running", containerStatuses: [running] },
      { deletionTimestamp: "2026-03-02T09:00:30Z" },
      "1/1 Terminating 0",
    ],
  ])("%s", (_when, status, metadata, expected) => {
    const pod = object({
      metadata: { name: "p", ...metadata },
      spec: { containers: [{ name: "c" }] },
      status,
    });
    const [row] = tableOf(PODS, [pod], {}, "None", T0).rows;
    expect(row?.cells.slice(1, 4).join(" ")).toBe(expected);
  });
});

describe("tables", () => {
  it("carry with each row as much of its object as was asked for", () => {
    const made = value(hub().create(DEPLOYMENTS, deployment("web"), AT));
    const row = (include: "None" | "Metadata" | "Object") =>
      tableOf(DEPLOYMENTS, [made], {}, include, T0).rows[0]?.object;
    expect(row("None")).toBeUndefined();
    expect(row("Metadata")).toEqual({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: made.metadata,
    });
    expect(row("Object")).toBe(made);
  });
});

describe("discovery", () => {
  const { catalogue } = hub();
  it("lists groups without the core one", () => {
    expect(JSON.stringify(apiGroupList(catalogue))).toContain(
      '"groupVersion":"autoscaling.karmada.io/v1alpha1"',
    );
  });

  it("lists a group's resources with their subresources, and nothing for a group it has not", () => {
    const apps = apiResourceList(catalogue, "apps/v1") as { resources: { name: string; kind: string }[] };
    const names = apps.resources.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["deployments", "deployments/status", "deployments/scale", "daemonsets"]),
    );
    expect(names).not.toContain("daemonsets/scale");
    expect(apiResourceList(catalogue, "nope/v1")).toBeUndefined();
  });

  it("gives all of it at once in the aggregated form", () => {
    const core = aggregatedDiscovery(catalogue, true, "v2") as {
      items: { versions: { resources: { resource: string; shortNames?: string[] }[] }[] }[];
    };
    expect(core.items).toHaveLength(1);
    expect(
      core.items[0]?.versions[0]?.resources.find(({ resource }) => resource === "pods")?.shortNames,
    ).toEqual(["po"]);
  });

  it("follows CustomResourceDefinitions as they come and go", () => {
    const api = hub();
    const spec = { ...FEDERATED_HPA_CRD, group: "example.com" };
    value(api.create(CUSTOM_RESOURCE_DEFINITIONS, crdObject(spec), AT));
    const type = karmadaType(api, "example.com/v1alpha1", "federatedhpas");
    const body = {
      metadata: { name: "x", namespace: "default" },
      spec: { scaleTargetRef: { kind: "A", name: "a" }, maxReplicas: 1 },
    };
    value(api.create(type, object(body), AT));
    value(api.delete(CUSTOM_RESOURCE_DEFINITIONS, { name: "federatedhpas.example.com" }, AT));
    expect(api.catalogue.find("example.com/v1alpha1", "federatedhpas")).toBeUndefined();
    expect(api.store.count(type)).toBe(0);
  });
});

describe("OpenAPI v3", () => {
  const { catalogue } = hub();
  it("has a document for each group and version", () => {
    const { paths } = openApiIndex(catalogue) as { paths: Record<string, { serverRelativeURL: string }> };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["api/v1", "apis/apps/v1", "apis/autoscaling.karmada.io/v1alpha1"]),
    );
    for (const path of Object.keys(paths)) expect(openApiDocument(catalogue, path)).toBeDefined();
    expect(openApiDocument(catalogue, "apis/nope/v1")).toBeUndefined();
  });

  it("tells `apply` that a patch takes fieldValidation, and which patches built-in kinds take", () => {
    const text = (path: string) => JSON.stringify(openApiDocument(catalogue, path));
    expect(text("apis/apps/v1")).toContain("application/strategic-merge-patch+json");
    expect(text("apis/autoscaling.karmada.io/v1alpha1")).not.toContain(
      "application/strategic-merge-patch+json",
    );
    expect(text("apis/autoscaling.karmada.io/v1alpha1")).toContain('"name":"fieldValidation"');
  });

  it("defines everything that it refers to", () => {
    for (const path of ["api/v1", "apis/apps/v1", "apis/autoscaling.karmada.io/v1alpha1"]) {
      const document = openApiDocument(catalogue, path) as {
        components: { schemas: Record<string, object> };
      };
      const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name,
      );
      expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
    }
  });
});

describe("metrics.k8s.io", () => {
  it("is computed for each request, selected like any list, and never stored", () => {
    const api = hub();
    const sample = (name: string, nowMs: number) =>
      object({
        metadata: { name, namespace: "default", labels: { app: name } },
        window: "15s",
        timestamp: String(nowMs),
      });
    const [pods] = metricsTypes({
      pods: (_namespace, nowMs) => [sample("a", nowMs), sample("b", nowMs)],
      nodes: () => [],
    });
    if (pods === undefined) throw new Error("no type for pod metrics");
    api.catalogue.add(pods);
    const list = value(api.list(pods, { namespace: "default", labelSelector: "app=b" }, T0));
    expect(list.items.map(({ metadata, timestamp }) => [metadata.name, timestamp])).toEqual([
      ["b", String(T0)],
    ]);
    expect(value(api.get(pods, { namespace: "default", name: "a" }, T0)).metadata.name).toBe("a");
    expect(api.store.count(pods)).toBe(0);
  });
});
