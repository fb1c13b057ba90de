import type { KubeObject } from "#sim/api/object";
import type { Change } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { throwSwitch } from "#sim/hub/faults";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import type { Agenda } from "#test/storm/agenda";
import type { Existence, Fact, FinalObject } from "#test/storm/facts";
import type { ClusterFault } from "#test/storm/fault";
import type { Plan } from "#test/storm/plan";
import type { RuleDocument } from "./cron-documents.ts";
import { clusterNames, documentsOf } from "./documents.ts";

const FHPAS = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
const CRONS = { group: "autoscaling.karmada.io", resource: "cronfederatedhpas" };
const DEPLOYMENTS = { group: "apps", resource: "deployments" };
const KINDS = [
  [FHPAS, "FederatedHPA"],
  [CRONS, "CronFederatedHPA"],
  [DEPLOYMENTS, "Deployment"],
] as const;

export interface StormFleet {
  readonly fleet: Fleet;
  readonly clusters: readonly string[];
  /** Our call that changes an object now, so that its change is told from others'. */
  writing: (call: string | undefined) => void;
  throwSwitch(fault: ClusterFault, on: boolean): void;
  finalObjects(): readonly FinalObject[];
  finalCrons(): readonly unknown[];
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

  for (const [type, kind] of KINDS)
    for (const object of store.list(type)) {
      tell(existence("born", kind, object));
      if (kind === "CronFederatedHPA") tell(specified(object, true));
    }
  store.subscribe((change) => {
    for (const fact of factsOf(change)) tell(fact);
  });

  function existence(what: "born" | "gone", kind: Existence["kind"], object: KubeObject): Fact {
    const { uid = "" } = object.metadata;
    return { what, atMs: agenda.nowMs(), kind, object: keyOf(object), uid };
  }

  function specified(object: KubeObject, exists: boolean): Fact {
    const { uid = "", annotations = {} } = object.metadata;
    const rules = exists ? ((object.spec?.rules ?? []) as unknown as readonly RuleDocument[]) : [];
    const minutes = Number.parseInt(annotations["mainsheet.io/cron-deadline"] ?? "10m", 10);
    const ref = object.spec?.scaleTargetRef as { readonly name?: string } | undefined;
    const target = `${object.metadata.namespace}/${ref?.name}`;
    const about = { what: "cron-specified", object: keyOf(object), target, uid, rules } as const;
    return { ...about, atMs: agenda.nowMs(), deadlineMs: minutes * 60_000 };
  }

  function factsOf({ type, group, resource, object, previous }: Change): readonly Fact[] {
    const [, kind] = KINDS.find(([one]) => one.group === group && one.resource === resource) ?? [];
    if (kind === undefined) return [];
    if (type !== "MODIFIED") {
      const isBorn = type === "ADDED";
      const came = existence(isBorn ? "born" : "gone", kind, object);
      if (kind === "CronFederatedHPA") return [came, specified(object, isBorn)];
      return [came];
    }
    const { uid = "", generation } = object.metadata;
    if (generation === previous?.metadata.generation) return [];
    if (kind === "CronFederatedHPA") return [specified(object, true)];
    const about = { atMs: agenda.nowMs(), target: keyOf(object), uid, ...(call && { call }) };
    if (kind === "FederatedHPA") {
      const [before, to] = [boundsOf(previous), boundsOf(object)];
      const isSame = before.minReplicas === to.minReplicas && before.maxReplicas === to.maxReplicas;
      return isSame ? [] : [{ ...about, what: "rebounded", to }];
    }
    const from = Number(previous?.spec?.replicas ?? 0);
    const to = Number(object.spec?.replicas ?? 0);
    return from === to ? [] : [{ ...about, what: "rescaled", from, to }];
  }

  return {
    fleet,
    clusters,
    writing: (now) => {
      call = now;
    },
    throwSwitch({ cluster, does }, on) {
      const name = clusters[cluster % clusters.length] as string;
      throwSwitch(fleet.hub, name, switchFor(does, on), agenda.nowMs());
    },
    finalCrons: () => store.list(CRONS),
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

function boundsOf(object: KubeObject | undefined) {
  const { minReplicas = 1, maxReplicas = 0 } = object?.spec ?? {};
  return { minReplicas: Number(minReplicas), maxReplicas: Number(maxReplicas) };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
