import { matches } from "#domain/units/selector";
import { type LabelSelector, readLabelSelector } from "#domain/units/selector-object";
import type { JsonObject, KubeObject } from "#sim/api/object";

/** `policy.karmada.io/v1alpha1` PropagationSpec, as far as the fleet acts on it. */
export interface PropagationSpec {
  readonly resourceSelectors?: readonly ResourceSelector[];
  readonly placement?: JsonObject;
  readonly priority?: number;
  readonly conflictResolution?: string;
  readonly schedulerName?: string;
}

export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}

export function specOf(policy: KubeObject): PropagationSpec {
  return (policy.spec ?? {}) as PropagationSpec;
}

/** How a selector names what it means: by name before by labels before all of a kind; undefined where it does not. */
type Closeness = 3 | 2 | 1;

/**
 * The policy that a template gets: the highest `spec.priority`, then the closest selector, then the first by name
 * (Karmada, "Multiple PropagationPolicies"). Undefined where none means the template.
 */
export function policyFor(template: KubeObject, policies: readonly KubeObject[]): KubeObject | undefined {
  let best: { readonly policy: KubeObject; readonly closeness: Closeness } | undefined;
  for (const policy of policies) {
    const closeness = closenessOf(policy, template);
    if (closeness === undefined) continue;
    if (best === undefined || goesFirst(policy, closeness, best.policy, best.closeness)) {
      best = { policy, closeness };
    }
  }
  return best?.policy;
}

function goesFirst(a: KubeObject, closeA: Closeness, b: KubeObject, closeB: Closeness): boolean {
  const priorities = (specOf(a).priority ?? 0) - (specOf(b).priority ?? 0);
  if (priorities !== 0) return priorities > 0;
  if (closeA !== closeB) return closeA > closeB;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "");
}

/** How closely a policy means a template. A PropagationPolicy means only its own namespace. */
export function closenessOf(policy: KubeObject, template: KubeObject): Closeness | undefined {
  const ownNamespace = policy.metadata.namespace;
  if (ownNamespace !== undefined && ownNamespace !== template.metadata.namespace) return undefined;
  let closest: Closeness | undefined;
  for (const selector of specOf(policy).resourceSelectors ?? []) {
    const closeness = selectorCloseness(selector, template);
    if (closeness !== undefined && (closest === undefined || closeness > closest)) closest = closeness;
  }
  return closest;
}

function selectorCloseness(selector: ResourceSelector, template: KubeObject): Closeness | undefined {
  const { name, namespace, labels = {} } = template.metadata;
  if (selector.kind !== template.kind || selector.apiVersion !== template.apiVersion) return undefined;
  if (isGiven(selector.namespace) && selector.namespace !== namespace) return undefined;
  if (isGiven(selector.name)) return selector.name === name ? 3 : undefined;
  if (selector.labelSelector === undefined) return 1;
  const { selector: parsed, faults } = readLabelSelector(selector.labelSelector);
  return faults.length === 0 && matches(parsed, labels) ? 2 : undefined;
}

function isGiven(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}
