import { Catalogue } from "./catalogue.ts";
import { DAEMON_SETS, DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS } from "./kinds/apps.ts";
import { CLONE_SET_CRD } from "./kinds/clone-set.ts";
import { CLUSTERS } from "./kinds/cluster.ts";
import { CONFIG_MAPS, EVENTS, NAMESPACES, NODES, PODS, SECRETS, SERVICES } from "./kinds/core.ts";
import { type CrdSpec, CUSTOM_RESOURCE_DEFINITIONS, typesOfCrd } from "./kinds/crd.ts";
import { CRON_FEDERATED_HPA_CRD, FEDERATED_HPA_CRD } from "./kinds/karmada-autoscaling.ts";
import { POLICY_CRDS } from "./kinds/karmada-policy.ts";
import { WORK_CRDS } from "./kinds/karmada-work.ts";
import { META_DEFINITIONS } from "./kinds/object-meta-schema.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Definitions } from "./schema.ts";

const KUBERNETES: readonly ResourceType[] = [
  CONFIG_MAPS,
  EVENTS,
  NAMESPACES,
  NODES,
  PODS,
  SECRETS,
  SERVICES,
  DAEMON_SETS,
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
  CUSTOM_RESOURCE_DEFINITIONS,
];

/** The definitions that a Karmada hub starts with. */
export const HUB_CRDS: readonly CrdSpec[] = [
  FEDERATED_HPA_CRD,
  CRON_FEDERATED_HPA_CRD,
  ...POLICY_CRDS,
  ...WORK_CRDS,
  CLONE_SET_CRD,
];

/** The definitions that a member starts with. */
export const MEMBER_CRDS: readonly CrdSpec[] = [CLONE_SET_CRD];

/**
 * What the hub serves. `goDefinitions` holds the schemas of the built-in kinds; without them, built-in objects are
 * taken unchecked and strategic merge patches treat every list as a whole. `extra`: metrics of a metrics adapter.
 */
export function hubCatalogue(
  goDefinitions: Definitions = new Map(),
  extra: readonly ResourceType[] = [],
): Catalogue {
  return catalogue([...KUBERNETES, CLUSTERS], HUB_CRDS, goDefinitions, extra);
}

/** What a member serves; `extra` is its metrics.k8s.io. */
export function memberCatalogue(
  goDefinitions: Definitions = new Map(),
  extra: readonly ResourceType[] = [],
): Catalogue {
  return catalogue(KUBERNETES, MEMBER_CRDS, goDefinitions, extra);
}

function catalogue(
  types: readonly ResourceType[],
  crds: readonly CrdSpec[],
  goDefinitions: Definitions,
  extra: readonly ResourceType[],
): Catalogue {
  return new Catalogue(
    [...types, ...crds.flatMap(typesOfCrd), ...extra],
    new Map([...META_DEFINITIONS, ...goDefinitions]),
  );
}
