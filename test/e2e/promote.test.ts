import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { virtualClock } from "#infra/local/clock";
import { type FleetHost, startFleet } from "#infra/local/fleet-host";
import { readScenario } from "#infra/local/scenario-file";
import type { KubeObject } from "#sim/api/object";
import { finished, mainsheet } from "./mainsheet.ts";

const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), "mainsheet-promote-"));
let host: FleetHost;

beforeAll(async () => {
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const clock = virtualClock({ startMs: scenario.value.startMs });
  host = await startFleet({ scenario: scenario.value, clock, dataDir: folder });
}, MINUTE);
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const NGINX = { namespace: "default", name: "nginx" };
const promote = (...args: string[]) =>
  finished(mainsheet("promote", "default/nginx", "--kubeconfig", host.kubeconfig, ...args));

function typeOf(apiVersion: string, kind: string) {
  const type = host.fleet.hub.catalogue.findKind(apiVersion, kind);
  if (type === undefined) throw new Error(`the hub serves no ${kind}`);
  return type;
}

const fhpa = (): KubeObject => {
  const found = host.fleet.hub.store.get(
    typeOf("autoscaling.karmada.io/v1alpha1", "FederatedHPA"),
    "default",
    "nginx",
  );
  if (found === undefined) throw new Error("no FederatedHPA");
  return found;
};

function annotate(annotations: Record<string, string | null>): void {
  const body = { metadata: { annotations } };
  host.fleet.hub.patch(
    typeOf("autoscaling.karmada.io/v1alpha1", "FederatedHPA"),
    NGINX,
    { type: "merge", body },
    { nowMs: 0 },
  );
}

function writeConfigMap(spec: string): void {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "next", namespace: "default" },
    data: { spec },
  };
  const key = { namespace: "default", name: "next" };
  const write = { nowMs: 0, fieldManager: "kubectl" };
  host.fleet.hub.patch(typeOf("v1", "ConfigMap"), key, { type: "apply", body: object as KubeObject }, write);
}

const SPEC = `
minReplicas: 2
maxReplicas: 20
behavior: { scaleUp: { tolerance: 0.05 } }
metrics:
  - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }
`;

describe("mainsheet promote", { timeout: MINUTE }, () => {
  beforeEach(() => {
    writeConfigMap(SPEC);
    annotate({ "mainsheet.io/shadow": "next" });
  });

  it("without --yes, where nobody can be asked, shows what would change and writes nothing, exit 2", async () => {
    const before = fhpa();
    const { lines, code, stderr } = await promote();
    expect([code, stderr]).toEqual([2, "mainsheet: nothing was written; add --yes to write it\n"]);
    expect(lines).toContain("~ spec.maxReplicas: 10 → 20");
    expect(lines).toContain('- metadata.annotations.mainsheet.io/shadow: "next"');
    expect(lines).toContain('+ metadata.annotations.mainsheet.io/tolerance: "scaleUp=0.05"');
    expect(fhpa()).toEqual(before);
  });

  it.each([
    [
      "no shadow",
      () => annotate({ "mainsheet.io/shadow": null }),
      1,
      /has no shadow; its annotation mainsheet\.io\/shadow names one/,
    ],
    [
      "a ConfigMap that is not there",
      () => annotate({ "mainsheet.io/shadow": "none" }),
      1,
      /there is no ConfigMap default\/none/,
    ],
    [
      "a spec that is none",
      () => writeConfigMap("text"),
      1,
      /ConfigMap next: spec is no spec of a FederatedHPA/,
    ],
    [
      "a spec that Mainsheet refuses",
      () => writeConfigMap("{ minReplicas: 5, maxReplicas: 3 }"),
      1,
      /minReplicas/,
    ],
    [
      "a field that the hub does not know",
      () => writeConfigMap(`${SPEC}maxReplica: 3\n`),
      1,
      /nothing was written: .*unknown field "spec\.maxReplica"/,
    ],
  ])("%s: one sentence and nothing written", async (_case, prepare, exit, sentence) => {
    prepare();
    const before = fhpa();
    const { lines, code, stderr } = await promote("--yes");
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, lines]).toEqual([exit, []]);
    expect(fhpa()).toEqual(before);
  });

  it("with --yes makes it the real one, and ends the shadow", async () => {
    const { lines, code, stderr } = await promote("--yes");
    expect([code, stderr]).toEqual([0, ""]);
    expect(lines.at(-1)).toBe(
      "FederatedHPA default/nginx has the spec of ConfigMap next now; the ConfigMap is not needed any more",
    );
    const { metadata, spec } = fhpa();
    expect(metadata.annotations).toEqual({ "mainsheet.io/tolerance": "scaleUp=0.05" });
    expect(spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 20,
      metrics: [{ resource: { target: { averageUtilization: 50 } } }],
    });
    expect((await promote("--yes")).code).toBe(1);
  });
});
