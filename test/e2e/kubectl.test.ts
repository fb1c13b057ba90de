import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "#sim/api/object";
import { type KubectlFleet, kubectlFleet, put } from "./kubectl-fleet.ts";

const deployment = (replicas: number, cpu = "25m") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "nginx", labels: { app: "nginx" } },
  spec: {
    replicas,
    selector: { matchLabels: { app: "nginx" } },
    template: {
      metadata: { labels: { app: "nginx" } },
      spec: {
        containers: [
          {
            name: "nginx",
            image: "nginx",
            ports: [{ containerPort: 80 }],
            resources: { requests: { cpu }, limits: { cpu } },
          },
        ],
      },
    },
  },
});

const federatedHpa = (maxReplicas: number) => ({
  apiVersion: "autoscaling.karmada.io/v1alpha1",
  kind: "FederatedHPA",
  metadata: { name: "nginx" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" },
    minReplicas: 1,
    maxReplicas,
    metrics: [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 10 } },
      },
    ],
    behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
  },
});

const cronFederatedHpa = (schedule: string) => ({
  apiVersion: "autoscaling.karmada.io/v1alpha1",
  kind: "CronFederatedHPA",
  metadata: { name: "nginx-daily" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" },
    // Spelled out: kubectl calls an object configured, not unchanged, when the hub filled in a field of a list's item.
    rules: [
      {
        name: "morning",
        schedule,
        targetReplicas: 5,
        suspend: false,
        successfulHistoryLimit: 3,
        failedHistoryLimit: 3,
      },
    ],
  },
});

const policy = (clusterNames: readonly string[]) => ({
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "PropagationPolicy",
  metadata: { name: "nginx" },
  spec: {
    resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "nginx" }],
    placement: { clusterAffinity: { clusterNames } },
  },
});

const FIRST = manifest(
  deployment(1),
  federatedHpa(10),
  cronFederatedHpa("0 8 * * *"),
  policy(["member1", "member2"]),
);
const SECOND = manifest(
  deployment(3, "50m"),
  federatedHpa(12),
  cronFederatedHpa("0 9 * * *"),
  policy(["member1"]),
);
const EXAMPLES = "docs/examples";

const APPLIED = [
  "deployment.apps/nginx",
  "federatedhpa.autoscaling.karmada.io/nginx",
  "cronfederatedhpa.autoscaling.karmada.io/nginx-daily",
  "propagationpolicy.policy.karmada.io/nginx",
];

/** As JSON: in YAML, kubectl takes `yes` for a truth and this side for a text. */
function manifest(...objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join("\n");
}

/** A table with its gaps evened out, ages hidden. */
function table(text: string): string[] {
  return text.split("\n").map((line) =>
    line
      .trim()
      .replace(/ {2,}|\t/g, " ")
      .replace(/\b\d+s$/, "AGE"),
  );
}

describe.each(["v32", "v35"] as const)("the real kubectl %s", (release) => {
  let fleet: KubectlFleet;
  const kubectl = async (...args: string[]) => (await fleet.kubectl(args)).stdout;
  const apply = (text: string, ...flags: string[]) => fleet.kubectl(["apply", ...flags, "-f", "-"], text);

  beforeAll(async () => {
    fleet = await kubectlFleet(release);
    for (const name of fleet.members.keys()) {
      put(fleet.hub, {
        apiVersion: "cluster.karmada.io/v1alpha1",
        kind: "Cluster",
        metadata: { name },
        spec: { syncMode: "Push", apiEndpoint: `https://${name}:6443`, region: "eu" },
        status: { kubernetesVersion: "v1.36.0", conditions: [{ type: "Ready", status: "True" }] },
      });
    }
  });
  afterAll(() => fleet.stop());

  it("gets clusters with Karmada's columns", async () => {
    expect(table(await kubectl("get", "clusters"))).toEqual([
      "NAME VERSION MODE READY AGE",
      "member1 v1.36.0 Push True AGE",
      "member2 v1.36.0 Push True AGE",
    ]);
    expect(await kubectl("get", "clusters", "-o", "wide")).toMatch(
      /ZONES +REGION +PROVIDER +API-ENDPOINT +PROXY-URL\nmember1 .*<none> +eu +<none> +https:\/\/member1:6443 +<none>/,
    );
  });

  it("applies from the client, twice the same, then changed", async () => {
    expect((await apply(FIRST)).stdout.split("\n")).toEqual(APPLIED.map((name) => `${name} created`));
    expect((await apply(FIRST)).stdout.split("\n")).toEqual(APPLIED.map((name) => `${name} unchanged`));
    const changed = await apply(SECOND);
    expect(changed.stdout.split("\n")).toEqual(APPLIED.map((name) => `${name} configured`));
    expect(changed.stderr).toBe("");
    expect(await kubectl("get", "deploy", "nginx", "-o", "jsonpath={.spec.replicas} {..cpu}")).toBe(
      "3 50m 50m",
    );
    const clusters = "jsonpath={.spec.placement.clusterAffinity.clusterNames}";
    expect(await kubectl("get", "pp", "nginx", "-o", clusters)).toBe('["member1"]');
  });

  it("gets the two kinds of autoscaler, policies and bindings with Karmada's columns", async () => {
    put(fleet.hub, {
      apiVersion: "work.karmada.io/v1alpha2",
      kind: "ResourceBinding",
      metadata: { name: "nginx-deployment", namespace: "default" },
      spec: { resource: { apiVersion: "apps/v1", kind: "Deployment", name: "nginx", namespace: "default" } },
      status: { conditions: ["Scheduled", "FullyApplied"].map((type) => condition(type)) },
    });
    expect(table(await kubectl("get", "fhpa"))).toEqual([
      "NAME REFERENCE-KIND REFERENCE-NAME MINPODS MAXPODS REPLICAS AGE",
      "nginx Deployment nginx 1 12 AGE",
    ]);
    expect(table(await kubectl("get", "cronfhpa"))).toEqual([
      "NAME REFERENCE-KIND REFERENCE-NAME AGE",
      "nginx-daily Deployment nginx AGE",
    ]);
    expect(table(await kubectl("get", "pp"))).toEqual([
      "NAME CONFLICT-RESOLUTION PRIORITY AGE",
      "nginx Abort 0 AGE",
    ]);
    expect(table(await kubectl("get", "rb"))).toEqual([
      "NAME SCHEDULED FULLYAPPLIED AGE",
      "nginx-deployment True True AGE",
    ]);
  });

  it("describes a FederatedHPA with its events", async () => {
    const uid = await kubectl("get", "fhpa", "nginx", "-o", "jsonpath={.metadata.uid}");
    const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    put(fleet.hub, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "nginx.1", namespace: "default" },
      involvedObject: {
        apiVersion: "autoscaling.karmada.io/v1alpha1",
        kind: "FederatedHPA",
        namespace: "default",
        name: "nginx",
        uid,
      },
      type: "Normal",
      reason: "SuccessfulRescale",
      message: "New size: 5; reason: cpu resource utilization (percentage of request) above target",
      source: { component: "mainsheet" },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    const text = await kubectl("describe", "fhpa", "nginx");
    expect(text).toMatch(/Kind: +FederatedHPA/);
    expect(text).toMatch(/Max Replicas: +12/);
    expect(text).toMatch(
      /Normal +SuccessfulRescale +\d+s +mainsheet +New size: 5; reason: cpu resource utilization/,
    );
  });

  it("scales a Deployment through its scale", async () => {
    expect(await kubectl("scale", "deployment", "nginx", "--replicas", "6")).toBe(
      "deployment.apps/nginx scaled",
    );
    expect(table(await kubectl("get", "deployment", "nginx"))[1]).toMatch(/^nginx 0\/6 0 0 /);
    const managers = "jsonpath={.metadata.managedFields[?(@.subresource=='scale')].manager}";
    expect(await kubectl("get", "deployment", "nginx", "--show-managed-fields", "-o", managers)).toBe(
      "kubectl",
    );
  });

  it("applies on the server, and learns there whose field it would take", async () => {
    await kubectl("delete", "deploy,fhpa,cronfhpa,pp", "--all");
    const first = await apply(FIRST, "--server-side");
    expect(first.stdout.split("\n")).toEqual(APPLIED.map((name) => `${name} serverside-applied`));
    expect((await apply(SECOND, "--server-side")).code).toBe(0);
    expect(await kubectl("get", "deploy", "nginx", "-o", "jsonpath={.spec.replicas} {..cpu}")).toBe(
      "3 50m 50m",
    );
    await kubectl("scale", "deployment", "nginx", "--replicas", "6");
    const conflict = await apply(SECOND, "--server-side");
    expect(conflict.code).toBe(1);
    expect(conflict.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
    );
    expect((await apply(SECOND, "--server-side", "--force-conflicts")).code).toBe(0);
    expect(await kubectl("get", "deploy", "nginx", "-o", "jsonpath={.spec.replicas}")).toBe("3");
  });

  it("moves an object from client-side to server-side apply", async () => {
    await kubectl("delete", "deploy", "nginx");
    await apply(manifest(deployment(1)));
    const moved = await apply(manifest(deployment(2)), "--server-side");
    expect([moved.code, moved.stdout]).toEqual([0, "deployment.apps/nginx serverside-applied"]);
  });

  it("reads the schema's and the webhook's refusals as in a cluster", async () => {
    const wrong = await apply(
      manifest({ ...federatedHpa(10), spec: { ...federatedHpa(10).spec, maxReplicas: "ten" } }),
    );
    expect(wrong.stderr).toContain(
      'The FederatedHPA "nginx" is invalid: spec.maxReplicas: Invalid value: "string": spec.maxReplicas in body must be of type integer: "string"',
    );
    const denied = await apply(
      manifest({ ...federatedHpa(10), spec: { ...federatedHpa(10).spec, minReplicas: 0 } }),
    );
    expect(denied.stderr).toContain(
      'admission webhook "federatedhpa.karmada.io" denied the request: spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    );
    const unknown = await apply(
      manifest({ ...federatedHpa(10), spec: { ...federatedHpa(10).spec, maxReplica: 1 } }),
    );
    expect(unknown.stderr).toContain('strict decoding error: unknown field "spec.maxReplica"');
  });

  it("watches the pods of a member", async () => {
    const member = fleet.members.get("member1");
    if (member === undefined) throw new Error("no member1");
    const watching = fleet.watch(["--context", "member1", "get", "pods", "-w"]);
    const pod = { metadata: { name: "nginx-abc", namespace: "default", labels: { app: "nginx" } } };
    await expect.poll(() => fleet.server.counts.entries()["watch pods proxied"]).toBeGreaterThan(0);
    put(member, {
      apiVersion: "v1",
      kind: "Pod",
      ...pod,
      spec: { nodeName: "n", containers: [{ name: "c", image: "a:1" }] },
    });
    await kubectl("--context", "member1", "patch", "pod", "nginx-abc", "--subresource=status", "-p", READY);
    await kubectl("--context", "member1", "delete", "pod", "nginx-abc", "--wait=false");
    await expect.poll(() => watching.printed()).toContain("Terminating");
    expect(table(await watching.stop()).map((line) => line.replace(/ AGE$/, ""))).toEqual([
      "NAME READY STATUS RESTARTS",
      "nginx-abc 0/1 Pending 0",
      "nginx-abc 1/1 Running 0",
      "nginx-abc 1/1 Terminating 0",
    ]);
  });

  it("shows what would change, and explains fields", async () => {
    const diff = await fleet.kubectl(["diff", "-f", "-"], manifest(deployment(9)));
    expect([diff.code, diff.stdout]).toEqual([
      1,
      expect.stringMatching(/- {2}replicas: \d+\n\+ {2}replicas: 9/),
    ]);
    expect(await kubectl("explain", "fhpa.spec.maxReplicas")).toMatch(/FIELD: maxReplicas <integer>/);
    expect(await kubectl("explain", "deployment.spec.template.spec.containers.ports")).toMatch(
      /containerPort\t<integer> -required-/,
    );
  });

  it("applies every example in either way, twice, the second time changed", async () => {
    const files = readdirSync(EXAMPLES)
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => readFileSync(`${EXAMPLES}/${file}`, "utf8"));
    const objects = files.flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as KubeObject));
    const kinds = [...new Set(objects.map(({ kind }) => kind.toLowerCase()))].join(",");
    const changed = objects.map((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, changed: "yes" } },
    }));
    for (const flags of [[], ["--server-side"]]) {
      const first = await fleet.kubectl(["apply", ...flags, "-f", EXAMPLES]);
      const second = await apply(manifest(...changed), ...flags);
      for (const { code, stdout, stderr } of [first, second]) {
        expect([code, stderr, stdout.split("\n").length]).toEqual([0, "", objects.length]);
      }
      const labelled = await kubectl("get", kinds, "-l", "changed=yes", "-o", "name");
      expect(labelled.split("\n")).toHaveLength(objects.length);
      await kubectl("delete", kinds, "-l", "changed=yes");
    }
  });

  it("takes what the typed commands send, which is protobuf", async () => {
    expect(await kubectl("create", "namespace", "shop")).toBe("namespace/shop created");
    expect(await kubectl("create", "configmap", "settings", "--from-literal=color=red")).toBe(
      "configmap/settings created",
    );
    expect(await kubectl("get", "cm", "settings", "-o", "jsonpath={.data}")).toBe('{"color":"red"}');
    const flags = ["--image=nginx:1", "--replicas=3", "--port=80"];
    expect(await kubectl("create", "-n", "shop", "deployment", "web", ...flags)).toBe(
      "deployment.apps/web created",
    );
    const fields =
      "jsonpath={.spec.replicas} {..containerPort} {..image} {.spec.selector.matchLabels} {.spec.strategy.type}";
    expect(await kubectl("get", "-n", "shop", "deployment", "web", "-o", fields)).toBe(
      '3 80 nginx:1 {"app":"web"} RollingUpdate',
    );
    const unknown = await fleet.kubectl(["create", "-n", "nowhere", "secret", "generic", "s"]);
    expect(unknown.stderr).toBe('error: failed to create secret namespaces "nowhere" not found');
  });

  it("gets along with the rest of its daily commands", async () => {
    expect(await kubectl("label", "deploy", "nginx", "tier=web")).toBe("deployment.apps/nginx labeled");
    expect(await kubectl("set", "image", "deploy/nginx", "nginx=nginx:2")).toBe(
      "deployment.apps/nginx image updated",
    );
    expect(await kubectl("get", "deploy", "-A", "-l", "tier in (web)", "-o", "name")).toBe(
      "deployment.apps/nginx",
    );
    expect(await kubectl("get", "deploy", "nginx", "--subresource=scale")).toMatch(
      /^NAME +DESIRED +AVAILABLE +AGE/,
    );
    expect(
      await kubectl(
        "wait",
        "--for=jsonpath={.spec.template.spec.containers[0].image}=nginx:2",
        "deploy/nginx",
        "--timeout=5s",
      ),
    ).toBe("deployment.apps/nginx condition met");
    expect(await kubectl("auth", "can-i", "create", "deployments")).toBe("yes");
    expect(await kubectl("get", "crd", "-o", "name")).toContain("federatedhpas.autoscaling.karmada.io");
    expect((await fleet.kubectl(["get", "nosuch"])).stderr).toBe(
      'error: the server doesn\'t have a resource type "nosuch"',
    );
    expect(await kubectl("delete", "deploy", "nginx")).toMatch(/^deployment.apps "nginx" deleted/);
  });
});

const READY = JSON.stringify({
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ name: "c", ready: true, restartCount: 0, state: { running: {} } }],
  },
});

function condition(type: string) {
  return { type, status: "True", reason: "Success", message: "", lastTransitionTime: "2026-03-02T09:00:00Z" };
}
