import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import type { KubeObject } from "#sim/api/object";
import { type RelayWorld, relayWorld } from "#test/relay/relay-world";

export const AUTOSCALERS = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
export const BINDINGS = { group: "work.karmada.io", resource: "resourcebindings" };
export const CLUSTERS = { group: "cluster.karmada.io", resource: "clusters" };
export const PODS = { group: "", resource: "pods" };
export const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

let uids = 0;
export function object(kind: string, name: string, content: Partial<KubeObject> = {}): KubeObject {
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
export function world() {
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

export async function started(made: RelayWorld, sources = HUB_SOURCES) {
  const relay = made.relay("first", sources);
  const stop = new AbortController();
  const ended = runRelay(relay.deps, stop.signal);
  await made.agenda.runUntil(made.agenda.nowMs() + 1_000);
  return { ...relay, stop, ended };
}

export const pass = (made: RelayWorld, ms: number) => made.agenda.runUntil(made.agenda.nowMs() + ms);
export const told = (made: RelayWorld) => made.delivered.map(({ detail }) => detail);
