import { describe, expect, it } from "vitest";
import { hubCache, type LoadContext } from "#app/load/context";
import { openLoad } from "#app/load/open-load";
import type { KubeObject, KubernetesPort, ListQuery } from "#ports/kubernetes";
import { openSweeps } from "#test/bench/fleet-sweeps";

const MEMBERS = 5;

describe("reads of one sweep (design 1, Read less)", () => {
  it.each([
    ["three objects, a message each, share what their invocation reads", 3, 1, 1 + 1 * (3 + 3 * MEMBERS)],
    ["each namespace is read once, however many objects it has", 42, 2, 1 + 2 * (3 + 3 * MEMBERS)],
  ])("%s", async (_, objects, namespaces, expected) => {
    const sweepOnce = openSweeps({ objects, namespaces });
    await sweepOnce();
    const { requests } = await sweepOnce();
    const reads = [...requests].filter(([what]) => /^(get|list) /.test(what));
    expect(reads.reduce((sum, [, times]) => sum + times, 0)).toBe(expected);
  });
});

describe("the bindings of a namespace", () => {
  const uuid = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
  const metadata = (i: number) => ({
    namespace: "shop",
    name: `web-${i}`,
    labels: { "propagationpolicy.karmada.io/permanent-id": uuid(i) },
  });

  async function queryFor(policies: number): Promise<ListQuery | undefined> {
    const asked = new Map<string, ListQuery | undefined>();
    const indexes = Array.from({ length: policies }, (_, i) => i);
    const objectsOf: Record<string, readonly KubeObject[]> = {
      federatedhpas: indexes.map((i) => ({
        metadata: metadata(i),
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: `web-${i}` } },
      })),
      deployments: indexes.map((i) => ({ metadata: metadata(i), spec: { replicas: 1 } })),
    };
    const port = {
      list: async (_at, { resource }, query) => {
        asked.set(resource, query);
        return { items: objectsOf[resource] ?? [], resourceVersion: "1" };
      },
    } as Pick<KubernetesPort, "list"> as LoadContext["port"];
    const context = { hub: "eu", port, cache: hubCache(port), nowMs: 0 };
    const keys = indexes.map((i) => ({ namespace: "shop", name: `web-${i}` }));
    await openLoad(context, keys)({ namespace: "shop", name: "web-0" }, 0);
    return asked.get("resourcebindings");
  }

  it("are asked for by the ids of the policies", async () => {
    const labelSelector = `propagationpolicy.karmada.io/permanent-id in (${uuid(0)},${uuid(1)})`;
    expect(await queryFor(2)).toEqual({ namespace: "shop", labelSelector });
  });

  it("are all read where the ids would make a URL that a proxy cuts", async () => {
    expect(await queryFor(200)).toEqual({ namespace: "shop" });
  });
});
