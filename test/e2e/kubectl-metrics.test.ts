import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubeconfigOf } from "#infra/local/kube/kubeconfig";
import { type KubeServer, serveKubernetes } from "#infra/local/kube/server";
import { realClock } from "#infra/local/real-clock";
import { contractFleet } from "#test/contract/kubernetes-fleet";
import { kubectlBinary } from "./kubectl-binary.ts";

describe.each(["v32", "v35"] as const)("kubectl %s and metrics that adapters serve", (release) => {
  const clock = realClock();
  let server: KubeServer;
  let home: string;
  beforeAll(async () => {
    const { fleet, clock: fleetClock } = contractFleet();
    server = await serveKubernetes({ fleet, clock: { nowMs: fleetClock.nowMs, at: clock.at } });
    home = mkdtempSync(join(tmpdir(), "kubectl-metrics-"));
    writeFileSync(join(home, "config"), kubeconfigOf(server.url, fleet.members.keys()));
  });
  afterAll(async () => {
    await server.close();
    clock.stop();
    rmSync(home, { recursive: true, force: true });
  });

  async function kubectl(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: join(home, "config") };
    const { stdout, stderr } = await promisify(execFile)(kubectlBinary(release), args, {
      env,
      timeout: 15_000,
    });
    expect(stderr).toBe("");
    return stdout;
  }

  it("reads them raw, through the hub's proxy", async () => {
    const proxy = "/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy";
    const pods = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/requests";
    const list = JSON.parse(await kubectl("get", "--raw", `${proxy}${pods}?labelSelector=app%3Dweb`));
    expect(list).toMatchObject({ kind: "MetricValueList", items: [{ value: "250m" }, { value: "250m" }] });
  });

  it("discovers them without a word, and pods stay pods", async () => {
    const resources = await kubectl("--context", "member1", "api-resources", "--no-headers");
    expect(resources).toMatch(/^pods\s+po\s+v1/m);
    expect(await kubectl("--context", "member1", "get", "pods", "-n", "shop", "-o", "name")).toMatch(
      /^pod\/web-/,
    );
    expect(await kubectl("api-versions")).toContain("external.metrics.k8s.io/v1beta1");
  });
});
