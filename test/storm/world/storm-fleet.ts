import type { KubeObject } from "#sim/api/object";
import type { Change } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { throwSwitch } from "#sim/hub/faults";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import type { Agenda } from "#test/storm/agenda";
import type { Fact, FinalObject } from "#test/storm/facts";
import type { ClusterFault } from "#test/storm/fault";
import type { Plan } from "#test/storm/plan";
import { clusterNames, documentsOf } from "./documents.ts";

const FHPAS = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
const DEPLOYMENTS = { group: "apps", resource: "deployments" };

export interface StormFleet {
  readonly fleet: Fleet;
  readonly clusters: readonly string[];
  /** Our call that changes a scale now, so that its change is told from others'. */
  rescaling: (call: string | undefined) => void;
  throwSwitch(fault: ClusterFault, on: boolean): void;
  finalObjects(): readonly FinalObject[];
}

/** The plan's fleet; what comes, goes and changes its replicas on the hub is told. */
export function openFleet(plan: Plan, agenda: Agenda, tell: (fact: Fact) => void): StormFleet {
  const parsed = parseScenario(documentsOf(plan));
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const loaded = loadScenario(parsed.value);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  const { store } = fleet.hub;
  const clusters = clusterNames(plan.seed);
  let call: string | undefined;

  for (const object of store.list(FHPAS)) tell(existence("born", "FederatedHPA", object));
  for (const object of store.list(DEPLOYMENTS)) tell(existence("born", "Deployment", object));
  store.subscribe((change) => {
    const fact = factOf(change);
    if (fact !== undefined) tell(fact);
  });

  function existence(what: "born" | "gone", kind: "FederatedHPA" | "Deployment", object: KubeObject): Fact {
    const { uid = "" } = object.metadata;
    return { what, atMs: agenda.nowMs(), kind, object: keyOf(object), uid };
  }

  function factOf({ type, group, resource, object, previous }: Change): Fact | undefined {
    const isFhpa = group === FHPAS.group && resource === FHPAS.resource;
    const isDeployment = group === DEPLOYMENTS.group && resource === DEPLOYMENTS.resource;
    if (!isFhpa && !isDeployment) return undefined;
    if (type !== "MODIFIED")
      return existence(type === "ADDED" ? "born" : "gone", isFhpa ? "FederatedHPA" : "Deployment", object);
    const from = Number(previous?.spec?.replicas ?? 0);
    const to = Number(object.spec?.replicas ?? 0);
    if (isFhpa || from === to) return undefined;
    const { uid = "" } = object.metadata;
    const by = call === undefined ? {} : { call };
    return { what: "rescaled", atMs: agenda.nowMs(), target: keyOf(object), uid, from, to, ...by };
  }

  return {
    fleet,
    clusters,
    rescaling: (now) => {
      call = now;
    },
    throwSwitch({ cluster, does }, on) {
      const name = clusters[cluster % clusters.length] as string;
      throwSwitch(fleet.hub, name, switchFor(does, on), agenda.nowMs());
    },
    finalObjects: () =>
      store.list(FHPAS).map((raw) => {
        const ref = raw.spec?.scaleTargetRef as { readonly name?: string } | undefined;
        const target = store.get(DEPLOYMENTS, raw.metadata.namespace, ref?.name ?? "");
        return {
          object: keyOf(raw),
          raw,
          replicas: target === undefined ? undefined : Number(target.spec?.replicas ?? 0),
        };
      }),
  };
}

function switchFor(does: ClusterFault["does"], on: boolean) {
  switch (does) {
    case "cut-off":
      return { kind: on ? "cut-off" : "reconnect" } as const;
    case "fail-metrics":
      return { kind: on ? "fail-metrics" : "restore-metrics" } as const;
    case "slow":
      return { kind: "slow", milliseconds: on ? 6_000 : 0 } as const;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
