import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AwsCall } from "#infra/local/aws/server";
import { rbac } from "#infra/local/kube/authorize";
import type { ServedRequest } from "#infra/local/kube/request-counts";
import {
  hubManifests,
  type Manifest,
  memberManifests,
  type RbacOptions,
  type Rule,
  scaledKind,
} from "#infra/rbac";
import { TOPOLOGY, type Topology } from "#infra/topology";
import { describeMeasures } from "#test/infra/measures-recorded";
import { type Recording, recordEverything } from "#test/infra/privileged-host";
import { type Resource, resourcesOf, stackOf, standInBundles } from "#test/infra/stack";
import { topologyNames } from "#test/infra/topology-names";

const topology: Topology = TOPOLOGY;

const KINDS = ["Deployment", "StatefulSet", "clonesets.apps.kruise.io"];
const RBAC: RbacOptions = {
  kinds: KINDS.flatMap((text) => scaledKind(text) ?? []),
  subject: { kind: "Group", name: "mainsheet" },
  mode: "active",
  metrics: new Set(["custom", "external"]),
};
/** Some objects have their metrics from the members, some from the hub. */
const HUB_MANIFESTS = [
  ...hubManifests(RBAC),
  ...hubManifests({ ...RBAC, metrics: new Set(["custom", "hub"]) }).map(renamed),
];

function renamed(manifest: Manifest): Manifest {
  const text = JSON.stringify(manifest).replaceAll('"mainsheet-', '"mainsheet-hub-metrics-');
  return JSON.parse(text) as Manifest;
}

/** One run of every function in the local host, and what it was allowed: nothing missing, nothing spare (design 3, rule 11). */
let recording: Recording;
let bundles: string;

beforeAll(async () => {
  bundles = await standInBundles();
  recording = await recordEverything({ hub: rbac(HUB_MANIFESTS), members: rbac(memberManifests(RBAC)) });
}, 180_000);
afterAll(() => rm(bundles, { recursive: true }));

describe("AWS", () => {
  let granted: Readonly<Record<string, readonly string[]>>;
  beforeAll(() => {
    granted = grantsInTemplate();
  }, 60_000);

  it("nothing else failed while it was recorded", () => {
    const told = recording.log.flatMap(({ line }) => (line.level === "ERROR" ? [line.message] : []));
    expect(new Set(told)).toEqual(new Set(["message parked", "message parked: it cannot be read"]));
  });

  it.each(Object.keys(topology.functions))("%s may make exactly the calls that it makes", (name) => {
    const made = recording.calls.filter(({ caller }) => caller === name).flatMap(rightsOf);
    expect(made.length).toBeGreaterThan(0);
    // Lambda's own: its log, and its polling of the function's queues (Lambda Developer Guide).
    const polling = (topology.functions[name]?.triggers ?? []).flatMap((trigger) =>
      trigger.kind === "queue"
        ? ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"].map(
            (action) => `sqs:${action} on ${trigger.queue}`,
          )
        : [],
    );
    const log = ["logs:CreateLogStream", "logs:PutLogEvents"].map((action) => `${action} on ${name}`);
    expect(granted[name]).toEqual(sorted([...made, ...polling, ...log]));
  });
});

describeMeasures(
  () => recording,
  () => bundles,
);

describe("Kubernetes", () => {
  it("what `mainsheet rbac` prints for the hub is exactly what is asked of the hub", () => {
    const asked = recording.requests.filter(({ member }) => member === undefined).map(rightOf);
    // Members are asked through the hub, which sees a GET of their proxy.
    const proxied = recording.requests.some(({ member }) => member !== undefined)
      ? ["get cluster.karmada.io clusters/proxy"]
      : [];
    expect(withoutFallbacks(rightsIn(HUB_MANIFESTS))).toEqual(sorted([...asked, ...proxied]));
  });

  it("and under these rights nobody was refused, while the fleet enforced them", () => {
    expect(recording.requests.filter(({ code }) => code === 403)).toEqual([]);
  });

  it("and for members, who are only read", () => {
    const asked = recording.requests.filter(({ member }) => member !== undefined).map(rightOf);
    expect(withoutFallbacks(rightsIn(memberManifests(RBAC)))).toEqual(sorted(asked));
    expect(asked.filter((right) => !/^(get|list) /.test(right))).toEqual([]);
  });

  it("observe writes nothing, so it may write nothing", () => {
    const rights = rightsIn(hubManifests({ ...RBAC, mode: "observe" }));
    expect(rights.filter((right) => !/^(get|list) /.test(right))).toEqual([]);
    expect(rights.length).toBeGreaterThan(8);
  });

  it("the members' proxy is bound for the whole hub, since Karmada ignores RoleBindings there (B59)", () => {
    const manifests = hubManifests({ ...RBAC, activeNamespaces: ["shop", "web"] });
    const bindings = manifests.filter(({ kind }) => kind.endsWith("Binding"));
    expect(
      bindings.map(({ kind, metadata, roleRef }) => [
        kind,
        metadata.namespace,
        (roleRef as { name: string }).name,
      ]),
    ).toEqual([
      ["ClusterRoleBinding", undefined, "mainsheet-read"],
      ["RoleBinding", "shop", "mainsheet-write"],
      ["RoleBinding", "web", "mainsheet-write"],
    ]);
    expect(rightsIn(manifests.filter(({ metadata }) => metadata.name === "mainsheet-read"))).toContain(
      "get cluster.karmada.io clusters/proxy",
    );
  });
});

/** The actions and resources of a call, as IAM names them. A batch of messages needs the right to send one. */
function rightsOf({ service, operation, input }: AwsCall): string[] {
  const action = `${service}:${operation.replace(/^SendMessageBatch$/, "SendMessage")}`;
  const { TableName, RequestItems, QueueUrl, Entries, SecretId } = input as {
    readonly TableName?: string;
    readonly RequestItems?: object;
    readonly QueueUrl?: string;
    readonly Entries?: readonly { readonly EventBusName?: string }[];
    readonly SecretId?: string;
  };
  const on: Readonly<Record<string, () => readonly (string | undefined)[]>> = {
    dynamodb: () => (RequestItems === undefined ? [TableName] : Object.keys(RequestItems)),
    sqs: () => [
      QueueUrl?.split("/")
        .at(-1)
        ?.replace(/\.fifo$/, ""),
    ],
    events: () => Entries?.map(({ EventBusName }) => EventBusName) ?? [],
    secretsmanager: () => [SecretId],
    cloudwatch: () => ["*"],
  };
  const resources = on[service]?.();
  if (resources === undefined) throw new Error(`${action}: say here on what it works`);
  return resources.map((resource) => `${action} on ${resource}`);
}

/** What each function's role allows in the synthesized template; a denial or a wildcard in an action fails. */
function grantsInTemplate(): Record<string, readonly string[]> {
  const stack = stackOf(bundles, {
    hubs: [{ name: "eu", kubeconfig: { secret: "eu/kubeconfig" }, mode: "active" }],
  });
  const { nameOf, referred } = topologyNames(stack);
  const rights: Record<string, string[]> = {};
  for (const { Type, Properties } of Object.values<Resource>(resourcesOf(stack))) {
    if (Type !== "AWS::IAM::Policy") continue;
    for (const { Action, Resource, Effect } of Properties.PolicyDocument.Statement) {
      expect([Effect, String(Action).includes("*")]).toEqual(["Allow", false]);
      const on = [Resource].flat().map((resource) => {
        const secret = /secret:(.+)-\?{6}$/.exec(resource["Fn::Join"]?.[1].at(-1) ?? "")?.[1];
        return secret ?? (resource === "*" ? "*" : referred(resource));
      });
      const actions = [Action].flat().flatMap((action) => on.map((resource) => `${action} on ${resource}`));
      for (const role of Properties.Roles) {
        const name = nameOf(role.Ref);
        rights[name] = [...(rights[name] ?? []), ...actions];
      }
    }
  }
  return Object.fromEntries(Object.entries(rights).map(([name, list]) => [name, sorted(list)]));
}

/** `list apps deployments`; what a metrics API serves is called as it likes, so a rule names `*`. */
function rightOf({ verb, group, resource }: ServedRequest): string {
  const any = group === "custom.metrics.k8s.io" || group === "external.metrics.k8s.io";
  return `${verb} ${group} ${any ? "*" : resource}`;
}

function rightsIn(manifests: readonly Manifest[]): string[] {
  const rules = manifests.flatMap(({ kind, rules }) =>
    kind === "ClusterRole" ? (rules as readonly Rule[]) : [],
  );
  return sorted(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group} ${resource}`)),
      ),
    ),
  );
}

/** CloneSet's paths are known here; of other custom kinds the CRD is read (kinds.test.ts). */
function withoutFallbacks(rights: readonly string[]): string[] {
  const crds = "get apiextensions.k8s.io customresourcedefinitions";
  expect(rights).toContain(crds);
  return sorted(rights.filter((right) => right !== crds));
}

function sorted(list: readonly string[]): string[] {
  return [...new Set(list)].sort();
}
