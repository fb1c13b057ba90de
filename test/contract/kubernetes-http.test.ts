import { afterAll, beforeAll } from "vitest";
import { fromKubeconfig, type KubernetesHub } from "#adapters/kubernetes/hub";
import { kubeconfigOf } from "#infra/local/kube/kubeconfig";
import { type KubeServer, serveKubernetes } from "#infra/local/kube/server";
import type { Clock } from "#ports/clock";
import type { Fleet } from "#sim/fleet";
import { kubernetesContract } from "#test/contract/kubernetes.contract";
import { contractFleet } from "#test/contract/kubernetes-fleet";
import { kubernetesOwnServer } from "#test/contract/kubernetes-own-server";
import { kubernetesReadOnly } from "#test/contract/kubernetes-read-only";

kubernetesContract("over HTTP", async (fleet, clock) => {
  const server = await serve(fleet, clock);
  const port = fromKubeconfig(kubeconfigOf(server.url, fleet.members.keys()));
  return {
    port,
    close: async () => {
      await port.close();
      await server.close();
    },
  };
});

const hubs: KubernetesHub[] = [];
let fleetServer: KubeServer;
beforeAll(async () => {
  const { fleet, clock } = contractFleet();
  fleetServer = await serve(fleet, clock);
});
afterAll(async () => {
  await Promise.all(hubs.map((hub) => hub.close()));
  await fleetServer.close();
});

kubernetesReadOnly("the fleet", (pageSize) => hubAt(kubeconfigOf(fleetServer.url, []), pageSize));

/** A server of your own, for example a Karmada hub: `MAINSHEET_TEST_KUBECONFIG=~/.kube/config npx vitest run test/contract`. */
const own = process.env.MAINSHEET_TEST_KUBECONFIG;
if (own) {
  kubernetesReadOnly(own, (pageSize) => hubAt(own, pageSize));
  await kubernetesOwnServer(own);
}

function hubAt(source: string, pageSize: number): KubernetesHub {
  const hub = fromKubeconfig(source, undefined, { pageSize });
  hubs.push(hub);
  return hub;
}

function serve(fleet: Fleet, clock: Clock): Promise<KubeServer> {
  return serveKubernetes({ fleet, clock: { nowMs: clock.nowMs, at: later(clock) } });
}

/** Timers that take what is left on the clock as wall time. */
function later(clock: Clock) {
  return (atMs: number, run: () => unknown) => {
    const timer = setTimeout(run, atMs - clock.nowMs());
    return { cancel: () => clearTimeout(timer) };
  };
}
