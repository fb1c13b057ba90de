import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Call, callOf } from "#adapters/kubernetes/call";
import { fromKubeconfig } from "#adapters/kubernetes/hub";
import { readAccess } from "#adapters/kubernetes/kubeconfig";
import { transport } from "#adapters/kubernetes/transport";
import { isPortFault } from "#ports/fault";
import type { KubeObject, KubernetesPort, ObjectName, ResourceRef } from "#ports/kubernetes";
import type { World } from "#test/contract/kubernetes-fleet";
import {
  bindings,
  by,
  clusters,
  configMaps,
  deployments,
  fhpas,
  namespaces,
  web,
} from "./kubernetes/exam.ts";
import { prefixed } from "./kubernetes/prefixed.ts";
import { reads } from "./kubernetes/reads.ts";
import { watches } from "./kubernetes/watches.ts";
import { writes } from "./kubernetes/writes.ts";

const LONGEST_TEST_MS = 60_000;
const SETTLE_MS = 300;
const LONGEST_SETTLE_MS = 20_000;
const LONGEST_REMOVAL_MS = 30_000;

/**
 * The contract on the server of a kubeconfig, in namespaces of its own, `mainsheet-contract-…`, which are removed again;
 * nothing else is written. What the server is without is said in the suite's name.
 */
export async function kubernetesOwnServer(kubeconfig: string): Promise<void> {
  const hub = fromKubeconfig(kubeconfig);
  const requests = transport(() => readAccess(kubeconfig), {
    deadlineMs: 10_000,
    userAgent: "mainsheet-contract",
  });
  const found = await hub.discover("hub");
  const missing = [fhpas, bindings, clusters].filter(
    ({ group, resource }) => !found.some((one) => one.group === group && one.resource === resource),
  );
  const without =
    missing.length === 0
      ? ""
      : `, which has no ${missing.map(({ resource, group }) => `${resource}.${group}`).join(", ")}: apply Karmada's CRDs to have them examined`;
  const made: string[] = [];

  async function remove(resource: ResourceRef, name: ObjectName): Promise<void> {
    const call = callOf({ at: "hub", verb: "get", resource, ...name });
    await requests.send({ ...call, method: "DELETE" as Call["method"] });
  }

  /** Fresh namespaces with the objects that the contract names. */
  async function world(prefix: string): Promise<{ readonly world: World; readonly port: KubernetesPort }> {
    const port = prefixed(hub, prefix);
    const given = new Set<string>();
    async function give(namespace: string): Promise<void> {
      if (given.has(namespace)) return;
      given.add(namespace);
      made.push(`${prefix}${namespace}`);
      const metadata = { name: `${prefix}${namespace}` };
      await hub.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata }, by);
    }
    await Promise.all(["shop", "other"].map(give));
    const content = [
      deployment("shop", "web", 4, { app: "web", tier: "front" }),
      deployment("shop", "idle", 0, { app: "idle" }),
      deployment("other", "web", 1, { app: "web" }),
    ];
    for (const object of content) await port.create(deployments, object, by);
    await port.create(configMaps, configMap("shop", "settings", { color: "red" }), by);
    await settled(port);
    return {
      port,
      world: {
        async fill(namespace, count) {
          await give(namespace);
          const all = Array.from({ length: count }, (_, i) => configMap(namespace, `item-${i}`, {}));
          await Promise.all(all.map((object) => port.create(configMaps, object, by)));
        },
        async put(namespace, name, data) {
          await give(namespace);
          try {
            await port.create(configMaps, configMap(namespace, name, data), by);
          } catch (error) {
            if (!isPortFault(error, "conflict")) throw error;
            await port.mergePatch(configMaps, { namespace, name }, { data }, by);
          }
        },
        drop: (namespace, name) => remove(configMaps, { namespace: `${prefix}${namespace}`, name }),
      },
    };
  }

  describe(`KubernetesPort: the server of ${kubeconfig}${without}`, { timeout: LONGEST_TEST_MS }, () => {
    let current: Awaited<ReturnType<typeof world>>;
    const run = `mainsheet-contract-${randomUUID().slice(0, 8)}`;
    let tests = 0;

    beforeEach(async () => {
      tests += 1;
      current = await world(`${run}-${tests}-`);
    }, LONGEST_TEST_MS);
    afterEach(() => Promise.all(made.slice(-4).map((name) => remove(namespaces, { name }))), LONGEST_TEST_MS);
    afterAll(async () => {
      for (const name of made) await remove(namespaces, { name });
      const left = await untilGone(hub, run);
      if (left.length > 0) console.warn(`still being removed: ${left.join(", ")}`);
      await Promise.all([hub.close(), requests.close()]);
    }, LONGEST_TEST_MS);

    const exam = {
      get world() {
        return current.world;
      },
      get port() {
        return current.port;
      },
    };
    const served = { karmada: missing.length === 0, members: false, compacts: false };
    reads(exam, served);
    writes(exam);
    watches(exam, served);
  });
}

/** Until no controller writes the Deployment any more; where there is none, its status is written in place of one. */
async function settled(port: KubernetesPort): Promise<void> {
  const endMs = Date.now() + LONGEST_SETTLE_MS;
  let last = "";
  for (;;) {
    await sleep(SETTLE_MS);
    const { metadata, status } = await port.get("hub", deployments, web);
    const { observedGeneration, replicas } = (status ?? {}) as {
      observedGeneration?: number;
      replicas?: number;
    };
    if (observedGeneration === undefined) {
      const patch = { status: { observedGeneration: 1, replicas: 4 } };
      await port.mergePatch(deployments, web, patch, { ...by, subresource: "status" });
    } else if (replicas === 4 && metadata.resourceVersion === last) return;
    else if (Date.now() > endMs) throw new Error("the Deployment does not come to rest within 20 s");
    last = metadata.resourceVersion ?? "";
  }
}

async function untilGone(hub: KubernetesPort, run: string): Promise<readonly string[]> {
  const endMs = Date.now() + LONGEST_REMOVAL_MS;
  for (;;) {
    const { items } = await hub.listMetadata("hub", namespaces);
    const left = items.map(({ metadata }) => metadata.name ?? "").filter((name) => name.startsWith(run));
    if (left.length === 0 || Date.now() > endMs) return left;
    await sleep(500);
  }
}

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

/** Its pods, where a controller makes any, find no node. */
function deployment(
  namespace: string,
  name: string,
  replicas: number,
  labels: Readonly<Record<string, string>>,
): KubeObject {
  const pod = {
    nodeSelector: { "mainsheet.io/nowhere": "true" },
    containers: [{ name: "main", image: "main" }],
  };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name, labels } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: pod },
    },
  };
}
