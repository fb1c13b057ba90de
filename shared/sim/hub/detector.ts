import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { KubeObject } from "#sim/api/object";
import type { Change } from "#sim/api/store";
import type { Controller } from "#sim/controller";
import { readRefKey, refKey, refKeyOf } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { typeOf, Writer } from "#sim/writes";
import { bindingFor, refreshed } from "./binding.ts";
import { type Claim, claimOf, withClaim } from "./claim.ts";
import { bindingNameOf, MANAGER } from "./karmada.ts";
import { closenessOf, policyFor, specOf } from "./policy.ts";

/**
 * Karmada's resource detector: gives each template the policy that means it, puts the policy's permanent id on the
 * template, and keeps the ResourceBinding that carries it. A claimed template keeps its policy while that means it.
 */
export function detector(hub: ApiServer): Controller {
  const queue = new WorkQueue();
  const bindings = new Writer(hub, KINDS.bindings, MANAGER);

  return {
    name: "detector",
    queue,
    observe(change, at) {
      if (at !== hub) return;
      if (isOf(change, KINDS.policies) || isOf(change, KINDS.clusterPolicies)) observePolicy(change);
      else if (isOf(change, KINDS.bindings)) observeBinding(change);
      else if (mayPropagate(change.object) && concernsPlacement(change)) queue.touch(refKeyOf(change.object));
    },
    reconcile(key, nowMs) {
      const { apiVersion, kind, namespace, name } = readRefKey(key);
      const type = hub.catalogue.findKind(apiVersion, kind);
      if (type === undefined || namespace === undefined) return undefined;
      const template = hub.store.get(type, namespace, name);
      if (template === undefined || template.metadata.deletionTimestamp !== undefined) return undefined;
      const claim = claimFor(template, nowMs);
      const claimed = withClaim(template, claim);
      const writer = new Writer(hub, type, MANAGER);
      const current = claimed === template ? template : writer.update(claimed, nowMs);
      const binding = hub.store.get(KINDS.bindings, namespace, bindingNameOf(kind, name));
      if (claim !== undefined) keepBinding(current, claim, binding, nowMs);
      else if (binding !== undefined && withClaim(binding, undefined) !== binding) {
        bindings.update(withClaim(binding, undefined), nowMs);
      }
      return undefined;
    },
  };

  function keepBinding(
    template: KubeObject,
    claim: Claim,
    binding: KubeObject | undefined,
    nowMs: number,
  ): void {
    if (binding === undefined) {
      // A name too long for a binding leaves the template without one, as in Karmada.
      const type = typeOf(hub, KINDS.bindings);
      if (type !== undefined) hub.create(type, bindingFor(template, claim), { nowMs, fieldManager: MANAGER });
      return;
    }
    const next = refreshed(binding, bindingFor(template, claim));
    if (next !== binding) bindings.update(next, nowMs);
  }

  function claimFor(template: KubeObject, nowMs: number): Claim | undefined {
    const present = claimOf(template);
    const holder = present && policyOf(present);
    const keeps = holder !== undefined && closenessOf(holder, template) !== undefined;
    const policy = keeps ? holder : findPolicy(template);
    return policy && identified(policy, nowMs);
  }

  function policyOf(claim: Claim): KubeObject | undefined {
    const kind = claim.namespace === undefined ? KINDS.clusterPolicies : KINDS.policies;
    const policy = hub.store.get(kind, claim.namespace, claim.name);
    return policy?.metadata.deletionTimestamp === undefined ? policy : undefined;
  }

  function findPolicy(template: KubeObject): KubeObject | undefined {
    const { namespace } = template.metadata;
    const alive = (policy: KubeObject) => policy.metadata.deletionTimestamp === undefined;
    return (
      policyFor(template, hub.store.list(KINDS.policies, namespace).filter(alive)) ??
      policyFor(template, hub.store.list(KINDS.clusterPolicies).filter(alive))
    );
  }

  /** The claim that a policy lays on a template; a policy without a permanent id gets its own uid as one. */
  function identified(policy: KubeObject, nowMs: number): Claim {
    const { namespace, name = "", uid = "" } = policy.metadata;
    const kind = namespace === undefined ? KINDS.clusterPolicies : KINDS.policies;
    const claim = claimOf(policy);
    const id = claim?.id ?? uid;
    const own: Claim = { id, namespace, name, spec: specOf(policy) };
    const labelled = withClaim(policy, own, { annotate: false });
    if (labelled !== policy) new Writer(hub, kind, MANAGER).update(labelled, nowMs);
    return own;
  }

  function observePolicy(change: Change): void {
    const before = change.previous;
    if (before !== undefined && before.metadata.generation === change.object.metadata.generation) {
      if (
        change.type !== "DELETED" &&
        before.metadata.deletionTimestamp === change.object.metadata.deletionTimestamp
      ) {
        return;
      }
    }
    for (const policy of [before, change.object]) {
      if (policy !== undefined) for (const key of meantBy(policy)) queue.touch(key);
    }
  }

  /** The templates that a policy's selectors may mean: those named, or all of the kind. */
  function* meantBy(policy: KubeObject): Iterable<string> {
    for (const selector of specOf(policy).resourceSelectors ?? []) {
      const namespace = policy.metadata.namespace ?? selector.namespace;
      const type = hub.catalogue.findKind(selector.apiVersion, selector.kind);
      if (type === undefined) continue;
      if (selector.name !== undefined && namespace !== undefined) {
        yield refKey(selector.apiVersion, selector.kind, namespace, selector.name);
        continue;
      }
      for (const template of hub.store.list(type, namespace)) yield refKeyOf(template);
    }
  }

  function observeBinding(change: Change): void {
    if (change.type === "MODIFIED" && !concernsPlacement(change)) return;
    const { apiVersion, kind, namespace, name } = (change.object.spec?.resource ?? {}) as Record<
      string,
      string
    >;
    if (apiVersion && kind && name) queue.touch(refKey(apiVersion, kind, namespace, name));
  }
}

/** Groups whose objects stay on the hub. */
const HUB_GROUPS = /(^|\.)(karmada|mainsheet)\.io$/;

function mayPropagate(object: KubeObject): boolean {
  const slash = object.apiVersion.indexOf("/");
  const group = slash < 0 ? "" : object.apiVersion.slice(0, slash);
  return !HUB_GROUPS.test(group) && object.kind !== "Event" && object.kind !== "Namespace";
}

/** Whether spec, labels, annotations or life changed: what Karmada's own status writes leave alone. */
export function concernsPlacement({ type, object, previous }: Change): boolean {
  if (type !== "MODIFIED" || previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  return (
    now.generation !== before.generation ||
    (now.generation === undefined && !sameJson({ ...object, metadata: 0 }, { ...previous, metadata: 0 })) ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    !sameJson(now.labels, before.labels) ||
    !sameJson(now.annotations, before.annotations)
  );
}
