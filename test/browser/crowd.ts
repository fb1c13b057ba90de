import { readFile } from "node:fs/promises";
import { bundleBrowser } from "#infra/bundle-browser";
import type { DecisionLine } from "#infra/local/decision-line";
import { eventStreams } from "#infra/local/page/event-stream";
import { openFleetEye } from "#infra/local/page/fleet-eye";
import { PageModel } from "#infra/local/page/page-model";
import { startPageServer } from "#infra/local/page/page-server";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";

export interface Crowd {
  readonly url: string;
  /** Evaluates every object once, each with other numbers than before. */
  evaluate(): void;
  /** Ends the server with all its connections, and starts another at the same address, of the same or of a new run. */
  restart(run: "same" | "new"): Promise<void>;
  close(): Promise<void>;
}

const SLOT_MS = 15_000;

/** The page of a fleet of so many objects on two clusters, with its real server and model; only nobody decides. */
export async function startCrowd(count: number): Promise<Crowd> {
  const parsed = parseScenario(documents(count));
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const loaded = loadScenario(parsed.value);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  let nowMs = parsed.value.startMs;
  const eye = openFleetEye(loaded.fleet);
  const newModel = () => new PageModel({ mode: "embedded", clock: { nowMs: () => nowMs }, eye });
  let model = newModel();
  const html = await readFile(new URL("../../infra/browser/page/index.html", import.meta.url), "utf8");
  const { script, style } = await bundleBrowser("page");
  const files = new Map([
    ["/", { type: "text/html; charset=utf-8", text: html }],
    ["/main.js", { type: "text/javascript; charset=utf-8", text: script }],
    ["/main.css", { type: "text/css; charset=utf-8", text: style }],
  ]);
  const serve = (port: number) =>
    startPageServer({
      port,
      streams: eventStreams(model),
      files: async () => files,
      accountOf: async () => ({ ok: false, message: "nothing is on record here" }),
    });
  let server = await serve(0);
  const keys = eye.keys();
  let slot = 0;

  return {
    url: `http://127.0.0.1:${server.port}/`,
    evaluate() {
      slot += 1;
      nowMs += SLOT_MS;
      keys.forEach((object, index) => {
        model.decided(line(object, index, slot, nowMs));
      });
    },
    async restart(run) {
      const { port } = server;
      await server.close();
      if (run === "new") model = newModel();
      server = await serve(port);
    },
    close: () => server.close(),
  };
}

function line(object: string, index: number, slot: number, atMs: number): DecisionLine {
  const value = 40 + ((index * 7 + slot * 13) % 40);
  const limits = (index + slot) % 10 === 0 ? ["ScaleUpLimit"] : [];
  return {
    atMs,
    object,
    result: "unchanged",
    from: 2,
    to: 2,
    clusters: { east: 1, west: 1 },
    why: `cpu ${value}% of 60% within tolerance, 2`,
    figures: {
      metrics: [{ name: "cpu", unit: "%", value, target: 60 }],
      minReplicas: 1,
      maxReplicas: 9,
      limits,
      gaps: [],
    },
  };
}

function documents(count: number): readonly object[] {
  const metadata = { name: "web-$(i)", namespace: "$(ns)" };
  const labels = { app: "web-$(i)" };
  const ref = { apiVersion: "apps/v1", kind: "Deployment", name: "web-$(i)" };
  const container = { name: "web", image: "web:1", resources: { requests: { cpu: "100m" } } };
  const weights = ["east", "west"].map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 }));
  return [
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "crowd" },
      spec: {
        seed: 1,
        start: "2026-03-02T09:00:00Z",
        clusters: [{ name: "east" }, { name: "west" }],
        pods: { startSeconds: 0, readySeconds: 0, stopSeconds: 0 },
        copies: { count, namespaces: 8 },
      },
    },
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { name: "all", namespace: "$(ns)" },
      spec: {
        resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
        placement: {
          replicaScheduling: {
            replicaSchedulingType: "Divided",
            replicaDivisionPreference: "Weighted",
            weightPreference: { staticWeightList: weights },
          },
        },
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...metadata, labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    {
      apiVersion: "autoscaling.karmada.io/v1alpha1",
      kind: "FederatedHPA",
      metadata,
      spec: {
        scaleTargetRef: ref,
        minReplicas: 1,
        maxReplicas: 9,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
          },
        ],
      },
    },
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Load",
      metadata,
      spec: { target: { kind: "Deployment", name: "web-$(i)" }, cpu: { constant: "100m" } },
    },
  ];
}
