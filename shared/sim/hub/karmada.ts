/** Karmada's own names, verbatim (karmada v1.16, pkg/apis): what clients and autoscalers look for. */
export const MANAGER = "karmada-controller-manager";
export const SCHEDULER = "karmada-scheduler";

export const LABEL = {
  policyId: "propagationpolicy.karmada.io/permanent-id",
  clusterPolicyId: "clusterpropagationpolicy.karmada.io/permanent-id",
  bindingId: "resourcebinding.karmada.io/permanent-id",
  managed: "karmada.io/managed",
  retainReplicas: "resourcetemplate.karmada.io/retain-replicas",
} as const;

export const ANNOTATION = {
  policyNamespace: "propagationpolicy.karmada.io/namespace",
  policyName: "propagationpolicy.karmada.io/name",
  clusterPolicyName: "clusterpropagationpolicy.karmada.io/name",
  appliedPlacement: "policy.karmada.io/applied-placement",
  bindingNamespace: "resourcebinding.karmada.io/namespace",
  bindingName: "resourcebinding.karmada.io/name",
  templateUid: "resourcetemplate.karmada.io/uid",
  templateGeneration: "resourcetemplate.karmada.io/generation",
} as const;

/** `nginx-deployment`: the ResourceBinding of a template, in the template's namespace. */
export function bindingNameOf(kind: string, name: string): string {
  return `${name}-${kind}`.toLowerCase().replaceAll(":", ".");
}
