import { describe, expect, it } from "vitest";
import { relayTurn } from "#app/relay/relay-turn";
import { relayTurns } from "#app/relay/relay-turns";
import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES, podSource } from "#app/relay/sources";
import { isPortFault, PortFault } from "#ports/fault";
import type { KubeObject } from "#sim/api/object";
import { HUB, type RelayWorld, relayWorld } from "#test/relay/relay-world";
import { EVENT_SCHEMAS } from "#wire/events";
import { decodeCheckpoint } from "#wire/relay-checkpoint";

const AUTOSCALERS = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
const BINDINGS = { group: "work.karmada.io", resource: "resourcebindings" };
const CLUSTERS = { group: "cluster.karmada.io", resource: "clusters" };
const PODS = { group: "", resource: "pods" };
const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

let uids = 0;
function object(kind: string, name: string, content: Partial<KubeObject> = {}): KubeObject {
  uids += 1;
  const { metadata, ...rest } = content;
  const named = {
    name,
    uid: `uid-${uids}`,
    generation: 1,
    ...(kind === "Cluster" ? {} : { namespace: "shop" }),
  };
  return { apiVersion: "v1", kind, metadata: { ...named, ...metadata }, ...rest };
}

/** A hub with a FederatedHPA of the Deployment web, its binding and a cluster. */
function world() {
  const made = relayWorld("unit");
  const { store } = made.server;
  store.put(AUTOSCALERS, object("FederatedHPA", "web", { spec: { scaleTargetRef: WEB } }));
  store.put(
    BINDINGS,
    object("ResourceBinding", "web-deployment", {
      spec: {
        resource: { ...WEB, namespace: "shop" },
        replicas: 2,
        clusters: [{ name: "member1", replicas: 2 }],
      },
      status: { conditions: [{ type: "Scheduled", status: "True" }] },
    }),
  );
  store.put(
    CLUSTERS,
    object("Cluster", "member1", { status: { conditions: [{ type: "Ready", status: "True" }] } }),
  );
  return made;
}

async function started(made: RelayWorld, sources = HUB_SOURCES) {
  const relay = made.relay("first", sources);
  const stop = new AbortController();
  const ended = runRelay(relay.deps, stop.signal);
  await made.agenda.runUntil(made.agenda.nowMs() + 1_000);
  return { ...relay, stop, ended };
}

const pass = (made: RelayWorld, ms: number) => made.agenda.runUntil(made.agenda.nowMs() + ms);
/** What comes of work within a second. */
async function ended<T>(made: RelayWorld, work: Promise<T>): Promise<T> {
  await pass(made, 1_000);
  return work;
}
const told = (made: RelayWorld) => made.delivered.map(({ detail }) => detail);

describe("relay: what comes to the bus (design 1)", () => {
  const web = (made: RelayWorld, of: typeof AUTOSCALERS, name: string) =>
    made.server.store.get(of, of === CLUSTERS ? undefined : "shop", name) as KubeObject;

  it.each<[string, typeof AUTOSCALERS, string, (found: KubeObject) => Partial<KubeObject>, boolean]>([
    [
      "another generation",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, generation: 2 } }),
      true,
    ],
    [
      "an annotation of ours",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, annotations: { "mainsheet.io/mode": "active" } } }),
      true,
    ],
    [
      "a foreign annotation",
      AUTOSCALERS,
      "web",
      ({ metadata }) => ({ metadata: { ...metadata, annotations: { "example.io/a": "b" } } }),
      false,
    ],
    ["our own status", AUTOSCALERS, "web", () => ({ status: { desiredReplicas: 3 } }), false],
    [
      "another share",
      BINDINGS,
      "web-deployment",
      ({ spec }) => ({ spec: { ...spec, clusters: [{ name: "member1", replicas: 3 }] } }),
      true,
    ],
    ["other replicas", BINDINGS, "web-deployment", ({ spec }) => ({ spec: { ...spec, replicas: 3 } }), true],
    [
      "no longer scheduled",
      BINDINGS,
      "web-deployment",
      () => ({ status: { conditions: [{ type: "Scheduled", status: "False" }] } }),
      true,
    ],
    [
      "an aggregated status",
      BINDINGS,
      "web-deployment",
      ({ status }) => ({ status: { ...status, aggregatedStatus: [{ clusterName: "member1" }] } }),
      false,
    ],
    [
      "a cluster that is not ready",
      CLUSTERS,
      "member1",
      () => ({ status: { conditions: [{ type: "Ready", status: "False" }] } }),
      true,
    ],
    [
      "a cluster's heartbeat",
      CLUSTERS,
      "member1",
      ({ status }) => ({ status: { ...status, kubernetesVersion: "v1.33.1" } }),
      false,
    ],
  ])("%s", async (_case, of, name, change, matters) => {
    const made = world();
    await started(made);
    const found = web(made, of, name);
    const { metadata } = made.server.store.put(of, { ...found, ...change(found) });
    await pass(made, 1_000);
    const id = `${metadata.uid}:${metadata.resourceVersion}`;
    expect(told(made)).toEqual(
      matters ? [expect.objectContaining({ v: 1, id, hub: HUB, name, change: "modified" })] : [],
    );
    for (const detail of told(made))
      expect(EVENT_SCHEMAS.ObjectChanged.safeParse(detail).error).toBeUndefined();
  });

  it("names the workload that a binding binds, and passes over what nobody scales", async () => {
    const made = world();
    await started(made);
    const other = object("ResourceBinding", "settings", {
      spec: { resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "settings" } },
    });
    made.server.store.put(BINDINGS, other);
    const binding = web(made, BINDINGS, "web-deployment");
    made.server.store.put(BINDINGS, { ...binding, spec: { ...binding.spec, replicas: 4 } });
    await pass(made, 1_000);
    expect(told(made)).toMatchObject([{ kind: "ResourceBinding", target: { ...WEB, namespace: "shop" } }]);
  });

  it("tells of what is new and what is gone", async () => {
    const made = world();
    await started(made);
    const late = made.server.store.put(AUTOSCALERS, object("FederatedHPA", "late", { spec: {} }));
    await pass(made, 1_000);
    made.server.store.remove(AUTOSCALERS, late);
    await pass(made, 1_000);
    expect(told(made)).toMatchObject([
      { name: "late", change: "added" },
      { name: "late", change: "deleted", id: `${late.metadata.uid}:deleted` },
    ]);
  });

  it("says nothing of what is there when it first starts", async () => {
    const made = world();
    await started(made);
    await pass(made, 60_000);
    expect(told(made)).toEqual([]);
  });

  it("tells of a workload's pods once, and only when one becomes ready or no longer is", async () => {
    const made = world();
    const pod = (name: string, status: string, labels = { "pod-template-hash": "5d" }) =>
      object("Pod", name, {
        metadata: {
          labels,
          ownerReferences: [
            { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5d", uid: "rs", controller: true },
          ],
        },
        status: { phase: "Running", conditions: [{ type: "Ready", status }] },
      });
    await started(made, [...HUB_SOURCES, { ...podSource("member1"), at: "hub" }]);
    const ready = ["a", "b", "c"].map((name) => made.server.store.put(PODS, pod(`web-5d-${name}`, "True")));
    made.server.store.put(PODS, pod("web-5d-d", "False"));
    made.server.store.put(PODS, {
      ...pod("stray", "True"),
      metadata: { name: "stray", namespace: "shop", uid: "stray" },
    });
    await pass(made, 1_000);
    const last = ready.at(-1)?.metadata;
    const event = { kind: "Pod", cluster: "member1", target: { ...WEB, namespace: "shop" } };
    expect(told(made).length).toBeLessThanOrEqual(3);
    expect(told(made).at(-1)).toMatchObject({ ...event, id: `${last?.uid}:${last?.resourceVersion}` });
    const before = told(made).length;
    made.server.store.put(PODS, {
      ...(ready[0] as KubeObject),
      status: { phase: "Running", conditions: [] },
    });
    await pass(made, 1_000);
    expect(told(made).slice(before)).toMatchObject([{ ...event, name: "web-5d-a", change: "modified" }]);
  });
});

describe("relay: from one holder to the next", () => {
  /** As an entry of the agenda, so that time stands still until everybody has heard of it. */
  const change = (made: RelayWorld) =>
    made.agenda.at(made.agenda.nowMs(), () => {
      const found = made.server.store.get(AUTOSCALERS, "shop", "web") as KubeObject;
      const generation = (found.metadata.generation ?? 0) + 1;
      made.server.store.put(AUTOSCALERS, { ...found, metadata: { ...found.metadata, generation } });
    });

  it.each<[string, (first: Awaited<ReturnType<typeof started>>) => void, number]>([
    ["that was told to stop, a process that stands by", (first) => first.stop.abort(), 1_000],
    ["that was killed, a process that stands by", (first) => first.kill(), 5_000],
  ])("after one %s tells of a change made meanwhile", async (_case, end, withinMs) => {
    const made = world();
    const first = await started(made);
    void runRelay(made.relay("second").deps, new AbortController().signal);
    await pass(made, 10_000);
    end(first);
    const atMs = made.agenda.nowMs();
    change(made);
    await pass(made, 30_000);
    expect(told(made)).toHaveLength(1);
    expect((made.delivered[0]?.atMs ?? Number.NaN) - atMs).toBeLessThan(withinMs);
  });

  it("a function's next turn takes over at once, and the one before publishes nothing more", async () => {
    const made = world();
    const first = made.relay("first");
    const before = relayTurn(first.deps, "at-once", new AbortController().signal);
    await pass(made, 5_000);
    void relayTurn(made.relay("second").deps, "at-once", new AbortController().signal);
    await pass(made, 100);
    const atMs = made.agenda.nowMs();
    change(made);
    await pass(made, 3_000);
    expect(told(made)).toHaveLength(1);
    expect((made.delivered[0]?.atMs ?? Number.NaN) - atMs).toBeLessThan(100);
    expect(await before).toBe("lost");
  });

  it("two that were started by mistake publish each change once, and one of them stands by", async () => {
    const made = world();
    const first = await started(made);
    const second = made.relay("second");
    void runRelay(second.deps, new AbortController().signal);
    for (let i = 0; i < 20; i++) {
      change(made);
      await pass(made, 2_000);
    }
    expect(told(made)).toHaveLength(20);
    expect(second.told.filter(({ kind }) => kind !== "checkpoint")).toEqual([
      { kind: "standing-by", holder: "first" },
    ]);
    expect(first.told.some(({ kind }) => kind === "lost")).toBe(false);
  });

  it("a function's turns for several hubs end on their own, and one that fails is told after the others", async () => {
    const made = world();
    const { deps } = made.relay("turn");
    const denied = { ...deps.table, get: () => Promise.reject(new PortFault("denied", "get relay: 403")) };
    const stop = new AbortController();
    const turns = relayTurns([deps, { ...deps, hub: "us", table: denied }], "turn", stop.signal);
    const failure = turns.catch((error: unknown) => error);
    await pass(made, 2_000);
    change(made);
    await pass(made, 1_000);
    expect(told(made)).toHaveLength(1);
    stop.abort();
    await pass(made, 1_000);
    expect(await failure).toMatchObject({ message: "get relay: 403" });
    expect(await ended(made, relayTurns([deps], "next", stop.signal))).toEqual({ eu: "stopped" });
  });

  it("an older fence's checkpoint is refused", async () => {
    const made = world();
    const first = await started(made);
    const item = made.table.items().find(({ sk }) => sk === "relay");
    const { version } = decodeCheckpoint(item as never);
    void relayTurn(made.relay("second").deps, "at-once", new AbortController().signal);
    await pass(made, 500);
    const refused = await made.table
      .put(
        { ...(item as never as { pk: string; sk: string }), writeId: "older" },
        { if: "version", is: version },
      )
      .catch((error: unknown) => error);
    expect(isPortFault(refused, "conflict")).toBe(true);
    await pass(made, 3_000);
    expect(first.told.some(({ kind }) => kind === "lost")).toBe(true);
  });

  it("an idle relay writes no more than its lease, and small items", async () => {
    const made = world();
    const first = await started(made);
    const before = first.told.filter(({ kind }) => kind === "checkpoint").length;
    await pass(made, 60_000);
    expect(first.told.filter(({ kind }) => kind === "checkpoint").length - before).toBeLessThanOrEqual(40);
    const item = made.table.items().find(({ sk }) => sk === "relay");
    expect(JSON.stringify(item).length).toBeLessThan(1_000);
  });

  it("an idle function writes twice a minute, and looks whether the next turn has begun", async () => {
    const made = world();
    const { deps, told: said } = made.relay("first");
    const turn = relayTurn(deps, "at-once", new AbortController().signal);
    await pass(made, 5_000);
    const before = said.filter(({ kind }) => kind === "checkpoint").length;
    await pass(made, 60_000);
    expect(said.filter(({ kind }) => kind === "checkpoint").length - before).toBeLessThanOrEqual(2);
    void relayTurn(made.relay("second").deps, "at-once", new AbortController().signal);
    await pass(made, 2_000);
    expect(await turn).toBe("lost");
  });

  it("what was seen lies in parts where it is large, and is read back whole", async () => {
    const made = world();
    for (let i = 0; i < 4_000; i++)
      made.server.store.put(
        AUTOSCALERS,
        object("FederatedHPA", `large-${i}`, { spec: { scaleTargetRef: WEB } }),
      );
    const first = await started(made);
    const parts = made.table.items().filter(({ sk }) => sk.startsWith("relay#"));
    expect(parts.length).toBeGreaterThan(1);
    first.kill();
    made.server.store.compact();
    change(made);
    void runRelay(made.relay("second").deps, new AbortController().signal);
    await pass(made, 20_000);
    expect(told(made)).toMatchObject([{ name: "web", change: "modified" }]);
  });

  it("thousands of changes at once are told in rounds that fit into an item, each once, also over a hand-over", async () => {
    const made = world();
    const many = Array.from({ length: 3_000 }, (_, i) =>
      made.server.store.put(
        AUTOSCALERS,
        object("FederatedHPA", `many-${i}`, { spec: { scaleTargetRef: WEB } }),
      ),
    );
    const first = await started(made);
    first.kill();
    for (const [i, found] of many.entries()) {
      const metadata = { ...found.metadata, generation: 2 };
      if (i % 3 === 0) made.server.store.remove(AUTOSCALERS, found);
      else made.server.store.put(AUTOSCALERS, { ...found, metadata });
    }
    made.server.store.put(AUTOSCALERS, object("FederatedHPA", "late"));
    made.server.store.compact();
    const second = made.relay("second");
    void runRelay(second.deps, new AbortController().signal);
    while (told(made).length < 1_000) await pass(made, 100);
    second.kill();
    void runRelay(made.relay("third").deps, new AbortController().signal);
    await pass(made, 60_000);
    const ids = told(made).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3_001);
    // What was announced and not confirmed when the second died comes once more, under its id.
    expect(ids.length - 3_001).toBeLessThanOrEqual(64);
  }, 60_000);

  it("where what was seen is lost, everything counts as changed", async () => {
    const made = world();
    const first = await started(made);
    first.stop.abort();
    await pass(made, 1_000);
    await first.ended;
    for (const { pk, sk } of made.table.items()) {
      if (sk.startsWith("relay#")) await made.table.delete({ pk, sk }, { if: "none" });
    }
    const second = made.relay("second");
    void runRelay(second.deps, new AbortController().signal);
    await pass(made, 5_000);
    expect(
      told(made)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["Cluster", "FederatedHPA", "ResourceBinding"]);
    expect(second.told).toContainEqual(expect.objectContaining({ kind: "fault", where: "the checkpoint" }));
  });
});
