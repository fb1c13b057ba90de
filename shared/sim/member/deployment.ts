import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { type Condition, withCondition } from "#sim/condition";
import type { Controller } from "#sim/controller";
import { readKeyText } from "#sim/key";
import { KINDS } from "#sim/kinds";
import { type Owners, ownedBy } from "#sim/owners";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { touchDeployment } from "./follow.ts";
import { isActive, isReady } from "./pod-state.ts";
import { templateHash, templateOf } from "./pod-template.ts";
import { planRollout, type SetState, strategyOf } from "./rollout.ts";

const HASH_LABEL = "pod-template-hash";

/** Keeps one ReplicaSet per template, moves replicas from old to new ones, and sums their pods up in the status. */
export function deployments(member: ApiServer, owners: Owners): Controller {
  const sets = new Writer(member, KINDS.replicaSets);
  const writer = new Writer(member, KINDS.deployments);

  const queue = new WorkQueue();

  return {
    name: `${member.name}/deployments`,
    queue,
    observe(change) {
      if (!writer.wrote(change)) touchDeployment(queue, change, member);
    },
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const deployment = member.store.get(KINDS.deployments, namespace, name);
      if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined;
      roll(deployment, nowMs);
      const status = statusOf(deployment, nowMs);
      if (!sameJson(status, deployment.status)) writer.updateStatus(deployment, status, nowMs);
      return undefined;
    },
  };

  function roll(deployment: KubeObject, nowMs: number): void {
    const desired = (deployment.spec?.replicas as number | undefined) ?? 1;
    const { current, old } = setsOf(deployment);
    const state = { desired, current: stateOf(current), old: old.map(stateOf) };
    const plan = planRollout(state, strategyOf(deployment.spec, desired));
    if (current === undefined) create(replicaSetOf(deployment, plan.current), nowMs);
    else resize(current, plan.current, nowMs);
    for (const [index, set] of old.entries()) resize(set, plan.old[index] ?? 0, nowMs);
  }

  /** The name may still be another's, of a Deployment of this name that was deleted: its end touches this one again. */
  function create(set: KubeObject, nowMs: number): void {
    const { namespace, name = "" } = set.metadata;
    if (member.store.get(KINDS.replicaSets, namespace, name) === undefined) sets.create(set, nowMs);
  }

  function setsOf(deployment: KubeObject): {
    readonly current: KubeObject | undefined;
    readonly old: readonly KubeObject[];
  } {
    const all = [...owners.of(deployment.metadata.uid, KINDS.replicaSets)].sort(byName);
    const hash = templateHash(templateOf(deployment));
    const isCurrent = (set: KubeObject) => set.metadata.labels?.[HASH_LABEL] === hash;
    return { current: all.find(isCurrent), old: all.filter((set) => !isCurrent(set)) };
  }

  function stateOf(set: KubeObject | undefined): SetState {
    if (set === undefined) return { wanted: 0, active: 0, ready: 0 };
    const pods = owners.of(set.metadata.uid, KINDS.pods).filter(isActive);
    return {
      wanted: (set.spec?.replicas as number | undefined) ?? 0,
      active: pods.length,
      ready: pods.filter(isReady).length,
    };
  }

  function resize(set: KubeObject, replicas: number, nowMs: number): void {
    if (set.spec?.replicas === replicas) return;
    sets.update({ ...set, spec: { ...set.spec, replicas } }, nowMs);
  }

  function statusOf(deployment: KubeObject, nowMs: number): JsonObject {
    const { current, old } = setsOf(deployment);
    const updated = stateOf(current);
    const states = [updated, ...old.map(stateOf)];
    const active = states.reduce((sum, state) => sum + state.active, 0);
    const ready = states.reduce((sum, state) => sum + state.ready, 0);
    const desired = (deployment.spec?.replicas as number | undefined) ?? 1;
    const unavailable = Math.max(0, Math.max(active, desired) - ready);
    return {
      observedGeneration: deployment.metadata.generation ?? 0,
      ...(active === 0 ? {} : { replicas: active }),
      ...(updated.active === 0 ? {} : { updatedReplicas: updated.active }),
      ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
      ...(unavailable === 0 ? {} : { unavailableReplicas: unavailable }),
      conditions: conditionsOf(deployment, { desired, ready, updated: updated.active, active }, nowMs),
    };
  }
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}

function replicaSetOf(deployment: KubeObject, replicas: number): KubeObject {
  const template = templateOf(deployment);
  const hash = templateHash(template);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  const selector = (deployment.spec?.selector ?? {}) as { readonly matchLabels?: Record<string, string> };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      ...(deployment.metadata.namespace === undefined ? {} : { namespace: deployment.metadata.namespace }),
      labels,
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

function conditionsOf(
  deployment: KubeObject,
  counts: {
    readonly desired: number;
    readonly ready: number;
    readonly updated: number;
    readonly active: number;
  },
  nowMs: number,
): readonly Condition[] {
  const strategy = strategyOf(deployment.spec, counts.desired);
  const least = counts.desired - (strategy.type === "Recreate" ? 0 : strategy.maxUnavailable);
  const isAvailable = counts.ready >= least;
  const isComplete = counts.updated === counts.desired && counts.active === counts.desired;
  const at = formatInstant(nowMs);
  const before = (deployment.status?.conditions ?? []) as readonly Condition[];
  const available = withCondition(before, {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: isAvailable
      ? "Deployment has minimum availability."
      : "Deployment does not have minimum availability.",
    lastTransitionTime: at,
  });
  return withCondition(available, {
    type: "Progressing",
    status: "True",
    reason: isComplete && counts.ready >= counts.desired ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
    message: isComplete
      ? `ReplicaSet "${deployment.metadata.name}-${templateHash(templateOf(deployment))}" has successfully progressed.`
      : "ReplicaSet is progressing.",
    lastTransitionTime: at,
  });
}
