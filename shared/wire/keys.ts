/** The keys of the state table (design 5). Instants are padded to 15 digits, so that their text order is their order. */

export interface ObjectId {
  readonly hub: string;
  readonly namespace: string;
  readonly name: string;
}

export const STATE = "state";

export const objectPartition = ({ hub, namespace, name }: ObjectId): string =>
  `fhpa#${hub}#${namespace}/${name}`;
export const SCALE_PREFIX = "scale#";
export const scaleSortKey = (atMs: number, intentId: string): string =>
  `${SCALE_PREFIX}${sortableInstant(atMs)}#${intentId}`;
export const DECISION_PREFIX = "decision#";
export const decisionSortKey = (atMs: number): string => `${DECISION_PREFIX}${sortableInstant(atMs)}`;

/** When events had the object evaluated; an item of its own, so that `route` and `reconcile` never wait for each other. */
export const TURN = "turn";

export const referencePartition = (hub: string, kind: string, namespace: string, name: string): string =>
  `ref#${hub}#${kind}#${namespace}/${name}`;
/** A partition for each, so that many events at once are spread over the table. */
export const seenPartition = (hub: string, eventId: string): string => `seen#${hub}#${eventId}`;
export const SEEN = "seen";

export const SHADOW_PREFIX = "shadow#";
export const shadowSortKey = (atMs: number): string => `${SHADOW_PREFIX}${sortableInstant(atMs)}`;
export const FAILURE_PREFIX = "failure#";
export const failureSortKey = (atMs: number): string => `${FAILURE_PREFIX}${sortableInstant(atMs)}`;
/** A cron run in the partition of the FederatedHPA whose bounds it set. */
export const CRON_RUN_PREFIX = "cron-run#";
export const cronRunSortKey = (atMs: number, cron: string, rule: string): string =>
  `${CRON_RUN_PREFIX}${sortableInstant(atMs)}#${cron}#${rule}`;

export const cronPartition = ({ hub, namespace, name }: ObjectId): string =>
  `cron#${hub}#${namespace}/${name}`;
export const runSortKey = (rule: string, instantMs: number): string =>
  `run#${rule}#${sortableInstant(instantMs)}`;

export const fleetPartition = (hub: string): string => `fleet#${hub}`;
export const slotSortKey = (slotMs: number): string => `slot#${sortableInstant(slotMs)}`;
export const beatSortKey = (shard: string): string => `beat#${shard}`;
export const BREAKER_PREFIX = "breaker#";
export const breakerSortKey = (cluster: string): string => `${BREAKER_PREFIX}${cluster}`;
/** The relay's lease and checkpoint; what it has seen lies beside it, in parts. */
export const RELAY = "relay";
export const relayPartSortKey = (stamp: string, part: number): string => `${RELAY}#${stamp}#${part}`;
export const SHARD_MODE = "shards";
/** No shard is called so: their names have a slash. */
export const CRON_BEAT = beatSortKey("cron");

export const parkedPartition = (hub: string): string => `parked#${hub}`;
export const parkedSortKey = (atMs: number, id: string): string => `${sortableInstant(atMs)}#${id}`;

export function sortableInstant(ms: number): string {
  return String(ms).padStart(15, "0");
}
