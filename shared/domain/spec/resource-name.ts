import { qualifiedNameFaults } from "./kubernetes-names.ts";

const STANDARD = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const OF_CONTAINERS = new Set(["cpu", "memory", "ephemeral-storage"]);
const HUGE_PAGES = "hugepages-";
const REQUESTS = "requests.";

/**
 * What is wrong with the name of a resource that a container can request; one name can have two faults (`gpu` is
 * neither standard nor a container's). Follows Karmada f8fdd02 pkg/util/lifted/corehelpers.go,
 * ValidateContainerResourceName.
 */
export function containerResourceNameFaults(name: string): string[] {
  const faults = resourceNameFaults(name);
  if (!name.includes("/")) {
    const known = OF_CONTAINERS.has(name) || name.startsWith(HUGE_PAGES);
    return known ? faults : [...faults, "must be a standard resource for containers"];
  }
  const native = name.includes("kubernetes.io/");
  return native || isExtended(name) ? faults : [...faults, "doesn't follow extended resource name standard"];
}

function resourceNameFaults(name: string): string[] {
  const faults = qualifiedNameFaults(name);
  if (faults.length > 0 || name.includes("/")) return faults;
  const known =
    STANDARD.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(`${REQUESTS}${HUGE_PAGES}`);
  return known ? [] : ["must be a standard resource type or fully qualified"];
}

function isExtended(name: string): boolean {
  return !name.startsWith(REQUESTS) && qualifiedNameFaults(`${REQUESTS}${name}`).length === 0;
}
