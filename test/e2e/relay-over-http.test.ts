import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { fromKubeconfig } from "#adapters/kubernetes/hub";
import { memoryBus } from "#adapters/memory/bus";
import { memoryTable } from "#adapters/memory/table";
import { nodePlatform } from "#adapters/node/platform";
import { brotli } from "#adapters/zlib/compression";
import type { RelayDeps, RelayEvent } from "#app/relay/deps";
import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import { kubeconfigOf } from "#infra/local/kube/kubeconfig";
import { serveKubernetes } from "#infra/local/kube/server";
import { contractFleet } from "#test/contract/kubernetes-fleet";
import { type CuttingProxy, cuttingProxy } from "#test/relay/cutting-proxy";
import { HubLife } from "#test/relay/hub-life";
import { judge } from "#test/relay/judge";
import type { Delivered } from "#test/relay/relay-world";
import { dice } from "#test/storm/chance";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const wall = { nowMs: () => Date.now() };
const at = (atMs: number, run: () => unknown) => {
  const timer = setTimeout(run, atMs - Date.now());
  return { cancel: () => clearTimeout(timer) };
};

/** The embedded hub behind a proxy that cuts, and a relay that reads through it with a token of its own. */
async function world(seed: string) {
  const chance = dice(seed);
  const { fleet } = contractFleet();
  const { store } = fleet.hub;
  const life = new HubLife({ dice: chance, agenda: wall, server: { store } });
  const server = await serveKubernetes({ fleet, clock: { ...wall, at } });
  closers.push(() => server.close());
  const proxy = await cuttingProxy(server.url, chance);
  closers.push(() => proxy.close());
  const delivered: Delivered[] = [];
  const told: RelayEvent[] = [];
  const bus = memoryBus();
  const table = memoryTable({ clock: wall });

  function relay(holder: string) {
    const source = async () => kubeconfigWith(proxy);
    const hub = fromKubeconfig(source, undefined, { deadlineMs: 400, watchIdleMs: 700 });
    const stop = new AbortController();
    const deps: RelayDeps = {
      ...nodePlatform(),
      ...{ hub: "eu", holder, sources: HUB_SOURCES, table, compression: brotli, watchSeconds: 2 },
      connect: (signal) => hub.within(signal),
      bus: {
        async put(events) {
          const failed = await bus.put(events);
          const atMs = Date.now();
          delivered.push(
            ...bus.take().map(({ detail }) => ({ atMs, detail: detail as Delivered["detail"] })),
          );
          return failed;
        },
      },
      tell: (event) => told.push(event),
    };
    const ended = runRelay(deps, stop.signal);
    closers.push(async () => {
      stop.abort();
      await ended;
      await hub.close();
    });
    return { stop, ended };
  }
  return { chance, life, proxy, delivered, told, relay, store };
}

function kubeconfigWith({ url, token }: CuttingProxy): string {
  const config = parse(kubeconfigOf(url, [])) as object;
  return stringify({ ...config, users: [{ name: "admin", user: { token } }] });
}

async function until(holds: () => boolean, limitMs: number): Promise<void> {
  const endMs = Date.now() + limitMs;
  while (!holds() && Date.now() < endMs) await sleep(20);
}

describe("relay over HTTP, through a proxy that cuts answers at any byte", () => {
  it.each(["one", "two", "three"])(
    "seed %s: no change is lost, and none has two events, over cuts, silence, restarts, 410, expired tokens and hand-overs",
    async (seed) => {
      const { chance, life, proxy, delivered, told, relay, store } = await world(seed);
      let current = relay("first");
      await until(() => told.filter(({ kind }) => kind === "handled").length >= HUB_SOURCES.length, 5_000);
      await sleep(50);
      const sinceMs = Date.now();
      proxy.cut = 0.8;
      for (let i = 0; i < 120; i++) {
        life.happen();
        if (i % 30 === 10) proxy.token = `token-${i}`;
        if (i % 30 === 20) proxy.breakAll();
        if (i % 30 === 25) store.compact();
        if (i % 40 === 30) {
          current.stop.abort();
          current = relay(`relay-${i}`);
        }
        await sleep(chance.whole(0, 50));
      }
      proxy.cut = 0;
      await until(() => judge(life, delivered, sinceMs).length === 0, 12_000);
      expect(judge(life, delivered, sinceMs)).toEqual([]);
      expect(proxy.counts.cut + proxy.counts.silent).toBeGreaterThan(3);
      expect(proxy.counts.refused).toBeGreaterThan(0);
      expect(told.filter(({ kind }) => kind === "listed").length).toBeGreaterThan(HUB_SOURCES.length);
    },
    40_000,
  );

  it("a token that has expired is renewed once, and nothing is told of it (B103)", async () => {
    const { life, proxy, delivered, told, relay } = await world("token");
    relay("first");
    await until(() => told.filter(({ kind }) => kind === "handled").length >= HUB_SOURCES.length, 5_000);
    const sinceMs = Date.now();
    proxy.token = "second";
    proxy.breakAll();
    for (let i = 0; i < 10; i++) life.happen();
    await until(() => judge(life, delivered, sinceMs).length === 0, 8_000);
    expect(judge(life, delivered, sinceMs)).toEqual([]);
    expect(proxy.counts.refused).toBeLessThanOrEqual(HUB_SOURCES.length);
    const denied = told.filter((event) => event.kind === "fault" && event.message.includes("401"));
    expect(denied).toEqual([]);
  }, 20_000);
});
