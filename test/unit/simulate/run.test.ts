import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { parseManifests } from "#infra/cli/manifest-files";
import type { LoadChoice } from "#infra/simulate/load-choice";
import { readLoadCsv } from "#infra/simulate/load-csv";
import { LOAD_SHAPES } from "#infra/simulate/load-shapes";
import { planSimulation } from "#infra/simulate/plan";
import { faultsOf, federatedHpa, HOUR_MS, manifest, simulated } from "./manifests.ts";

const scenario = (name: string) => {
  const path = new URL(`../../../infra/local/scenarios/${name}.yaml`, import.meta.url);
  return parseManifests(`${name}.yaml`, readFileSync(path, "utf8"));
};
const shape = (name: string, more: object = {}): LoadChoice => ({
  kind: "shape",
  name,
  noisePercent: 0,
  ...more,
});
const csv = (text: string): LoadChoice => {
  const read = readLoadCsv("t.csv", text);
  if (!read.ok) throw new Error(read.fault);
  return read.value;
};

describe("a simulation", () => {
  it("the tutorial goes 1 to 5 to 10 to 1, at the slots and places that the README shows", async () => {
    const result = await simulated({ manifests: scenario("tutorial"), forMs: 240_000 });
    const [object] = result.objects;
    const start = Date.parse("2026-03-02T09:00:00Z");
    expect(
      object?.scales.map(({ atMs, from, to, clustersBefore, clustersAfter }) => [
        (atMs - start) / 1000,
        from,
        to,
        clustersBefore,
        clustersAfter,
      ]),
    ).toEqual([
      [60, 1, 5, [1, 0], [3, 2]],
      [75, 5, 10, [3, 2], [5, 5]],
      [120, 10, 1, [5, 5], [1, 0]],
    ]);
    expect(object?.scales[0]).toMatchObject({
      cause: "cpu 100% of 10% → 10; limited to 5 (ScaleUpLimit)",
      limits: ["ScaleUpLimit"],
      account: [
        { title: "outcome" },
        { title: "target" },
        { title: "clusters" },
        { title: "metrics" },
        { title: "limits" },
        { title: "conditions" },
      ],
    });
    expect(object?.replicas).toEqual([1, 1, 1, 1, 5, 10, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(object?.demand).toEqual([
      {
        name: "cpu",
        unit: "cores",
        values: [0, 0, 0, 10, 10, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0].map((_, i) =>
          i >= 3 && i <= 6 ? 10 : 0,
        ),
      },
    ]);
    expect(object?.metrics[0]).toMatchObject({ type: "Resource", name: "cpu", unit: "%", target: 10 });
    expect(object?.metrics[0]?.values.slice(3, 9)).toEqual([0, 100, 100, 100, 100, 0]);
    expect(object?.byCluster.map(({ wanted }) => wanted[5])).toEqual([5, 5]);
    expect(object?.byCluster.map(({ ready }) => [ready[4], ready[5]])).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });

  it("every column has one value for each slot", async () => {
    const { objects, slots } = await simulated({ manifests: scenario("tutorial"), forMs: 600_000 });
    expect(slots).toBe(40);
    for (const { demand, metrics, byCluster, ...object } of objects) {
      const columns = [
        object.minReplicas,
        object.maxReplicas,
        object.replicas,
        object.desired,
        ...demand.map(({ values }) => values),
        ...metrics.flatMap(({ values, ratio }) => [values, ratio]),
        ...byCluster.flatMap(({ wanted, ready }) => [wanted, ready]),
      ];
      expect(columns.map(({ length }) => length)).toEqual(columns.map(() => slots));
    }
  });

  it("twice with one seed: the same bytes; with another seed others", async () => {
    const run = async (seed: string) =>
      JSON.stringify(
        await simulated({
          manifests: [manifest(federatedHpa())],
          choice: shape("noisy", { noisePercent: 20 }),
          seed,
        }),
      );
    const [first, second, other] = [await run("a"), await run("a"), await run("b")];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it("a FederatedHPA alone: what is assumed is said, and the bounds are tried out", async () => {
    const result = await simulated({ manifests: [manifest(federatedHpa())], choice: shape("step") });
    expect(result.notes).toEqual([
      "no policy names its clusters: member1 and member2 are assumed",
      "no manifest of Deployment shop/web: one of 2 replicas that ask for 100m CPU and 128Mi memory, without limits, is assumed",
      "no policy spreads Deployment shop/web: equal parts to member1, member2 are assumed",
      "shop/web: step goes from 60m to 400m of cpu over all pods, by minReplicas and maxReplicas",
    ]);
    expect(result.clusters).toEqual(["member1", "member2"]);
    // 400m at 50m a replica is 8 of at most 10; 60m would need 1.2, and 2 are the fewest.
    expect(result.summary).toMatchObject({
      minReplicas: 2,
      maxReplicas: 8,
      failedEvaluations: 0,
      unsettled: false,
    });
  });

  it.each(Object.keys(LOAD_SHAPES))("the load %s decides at every slot", async (name) => {
    const { summary, slots } = await simulated({
      manifests: [manifest(federatedHpa())],
      choice: shape(name),
      forMs: HOUR_MS / 12,
    });
    expect([slots, summary.failedEvaluations]).toEqual([20, 0]);
  });

  it("a CSV gives demand, start and length: twice the demand, twice the replicas", async () => {
    const choice = csv("2026-03-02T09:00:00Z,200m\n2026-03-02T09:10:00Z,400m\n");
    const result = await simulated({
      manifests: [manifest(federatedHpa())],
      choice,
      forMs: undefined as never,
    });
    expect([result.fromMs, result.slots, result.load]).toEqual([
      Date.parse("2026-03-02T09:00:00Z"),
      80,
      "t.csv",
    ]);
    const { replicas = [], demand = [] } = result.objects[0] ?? {};
    expect([replicas[30], replicas.at(-1)]).toEqual([4, 8]);
    expect([demand[0]?.values[39], demand[0]?.values[40]]).toEqual([0.2, 0.4]);
  });

  it("under other settings of the controller", async () => {
    const choice = csv("0,110m\n");
    const scales = async (more: object) => {
      const policy = { ...DEFAULT_POLICY, ...more };
      const { summary, slotSeconds, slots } = await simulated({
        manifests: [manifest(federatedHpa())],
        choice,
        policy,
        forMs: HOUR_MS / 12,
      });
      return [summary.scaleEvents, slotSeconds, slots];
    };
    // 55 % of 50 % is within a tenth, and beyond a twentieth.
    expect(await scales({})).toEqual([0, 15, 20]);
    expect(await scales({ tolerance: 0.05 })).toEqual([1, 15, 20]);
    expect(await scales({ syncPeriodSeconds: 30 })).toEqual([0, 30, 10]);
  });

  it("over the edge of a piece of the load nothing is lost: an hour's end is like any minute", async () => {
    const choice = csv("0,200m\n3600,400m\n7200,200m\n");
    const result = await simulated({ manifests: [manifest(federatedHpa())], choice, forMs: 3 * HOUR_MS });
    const { demand = [], metrics = [] } = result.objects[0] ?? {};
    expect([239, 240, 479, 480].map((slot) => demand[0]?.values[slot])).toEqual([0.2, 0.4, 0.4, 0.2]);
    // The sample of 5 s later spans both hours: two thirds of its window are the old demand's.
    expect(metrics[0]?.values.slice(239, 242)).toEqual([50, 50, 67]);
  });

  it.each([
    [
      "Pods",
      {
        pods: {
          metric: { name: "rps", selector: { matchLabels: { verb: "GET" } } },
          target: { type: "AverageValue", averageValue: "10" },
        },
      },
    ],
    [
      "Object",
      {
        object: {
          metric: { name: "rps" },
          describedObject: { apiVersion: "v1", kind: "Service", name: "web" },
          target: { type: "AverageValue", averageValue: "10" },
        },
      },
    ],
    [
      "ContainerResource",
      {
        containerResource: {
          name: "cpu",
          container: "main",
          target: { type: "Utilization", averageUtilization: 50 },
        },
      },
    ],
    ["Resource", { resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } } }],
  ])("a %s metric gets a demand of its own", async (type, source) => {
    const spec = { metrics: [{ type, ...source }] };
    const { summary, objects } = await simulated({
      manifests: [manifest(federatedHpa(spec))],
      choice: shape("step"),
    });
    expect(summary).toMatchObject({ failedEvaluations: 0, maxReplicas: 8 });
    expect(objects[0]?.demand[0]?.values.every((value) => value !== null && value > 0)).toBe(true);
  });

  it("External metrics and minReplicas 0 come in annotations, as on a stock hub, or without webhooks", async () => {
    const external = { metric: { name: "depth" }, target: { type: "AverageValue", averageValue: "10" } };
    const spec = { metrics: [{ type: "External", external }] };
    const input = { manifests: [manifest(federatedHpa(spec))], choice: shape("step") };
    expect(faultsOf(input)[0]).toMatch(/^FederatedHPA web: admission webhook .* denied the request/);
    const { summary } = await simulated({ ...input, webhooks: false });
    expect(summary).toMatchObject({ failedEvaluations: 0, maxReplicas: 8 });
  });

  it("cron rules run: bounds and replicas, with what they did", async () => {
    const rules = [
      { name: "open", schedule: "5 0 * * *", targetMinReplicas: 5 },
      { name: "close", schedule: "11 0 * * *", targetMinReplicas: 1 },
    ];
    const cron = {
      apiVersion: "autoscaling.karmada.io/v1alpha1",
      kind: "CronFederatedHPA",
      metadata: { name: "hours", namespace: "shop" },
      spec: {
        scaleTargetRef: { apiVersion: "autoscaling.karmada.io/v1alpha1", kind: "FederatedHPA", name: "web" },
        rules,
      },
    };
    const result = await simulated({
      manifests: [manifest(federatedHpa()), manifest(cron)],
      choice: csv("0,50m"),
      forMs: HOUR_MS / 3,
    });
    expect(
      result.cronRuns.map(({ rule, outcome, effect, target }) => [rule, outcome, target, effect]),
    ).toEqual([
      ["open", "applied", "FederatedHPA/web", "FederatedHPA web: minReplicas 2 → 5"],
      ["close", "applied", "FederatedHPA/web", "FederatedHPA web: minReplicas 5 → 1"],
    ]);
    const { minReplicas = [], replicas = [] } = result.objects[0] ?? {};
    expect([19, 20, 44].map((slot) => minReplicas[slot])).toEqual([2, 5, 1]);
    expect([19, 21, 43].map((slot) => replicas[slot])).toEqual([2, 5, 5]);
    expect(result.summary).toMatchObject({ cronRuns: 2, cronRunsFailed: 0 });
  });

  it("evaluations that cannot decide are counted and told in a note", async () => {
    const noRequest = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "shop" },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "web", image: "web:1" }] },
        },
      },
    };
    const result = await simulated({
      manifests: [manifest(federatedHpa()), manifest(noRequest)],
      choice: shape("steady"),
    });
    expect(result.summary.failedEvaluations).toBe(result.slots);
    expect(result.notes).toContainEqual(
      expect.stringMatching(
        /^shop\/web could not be decided 80 times, first at 2026-03-02T00:00:00Z: .*missing request for cpu/,
      ),
    );
  });

  it("the compared run replaces what has its name, keeps the rest, and bears the same load", async () => {
    const manifests = [manifest(federatedHpa())];
    const choice = shape("step");
    const first = planSimulation({ title: "a", manifests, choice, forMs: HOUR_MS / 3 });
    if (!first.ok) throw new Error(first.faults.join());
    const calmer = federatedHpa({
      maxReplicas: 30,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
      ],
    });
    const input = { manifests, choice, instead: [manifest(calmer, "calm.yaml")], loads: first.loads };
    const [a, b] = [await simulated({ manifests, choice }), await simulated(input)];
    expect(b.objects[0]?.demand).toEqual(a.objects[0]?.demand);
    expect([a.summary.maxReplicas, b.summary.maxReplicas]).toEqual([8, 5]);
  });
});

describe("what cannot be simulated is one sentence", () => {
  it.each([
    ["no FederatedHPA", [], /^there is no FederatedHPA among the files; give at least one to simulate$/],
    [
      "no Kubernetes object",
      [{ a: 1 }],
      /^web\.yaml: a document is no Kubernetes object; it needs apiVersion and kind$/,
    ],
    ["a broken one", [federatedHpa({ maxReplicas: "many" })], /^FederatedHPA shop\/web: spec\.maxReplicas: /],
    [
      "one that Karmada refuses",
      [federatedHpa({ minReplicas: 11 })],
      /^FederatedHPA (shop\/)?web: .*minReplicas/,
    ],
    [
      "a target of an unknown kind",
      [federatedHpa({ scaleTargetRef: { apiVersion: "x.io/v1", kind: "Game", name: "web" } })],
      /^no manifest of Game shop\/web, which FederatedHPA web needs; add it$/,
    ],
  ])("%s", (_name, values, fault) => {
    const faults = faultsOf({ manifests: values.map((value) => manifest(value)), choice: shape("steady") });
    expect(faults[0]).toMatch(fault);
    expect(faults.join("")).not.toContain("\n");
  });

  it.each([
    [14_999, /^the span is shorter than one slot of 15 s; ask for more$/],
    [36 * 24 * HOUR_MS, /^the span is longer than 35 days; ask for less$/],
  ])("a span of %d ms", (forMs, fault) => {
    expect(faultsOf({ manifests: [manifest(federatedHpa())], forMs })[0]).toMatch(fault);
  });
});
