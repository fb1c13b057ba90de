/** The keys of the state table (design 5). Instants are padded to 15 digits, so that their text order is their order. */

export interface ObjectId {
  readonly hub: string;
  readonly namespace: string;
  readonly name: string;
}

export const STATE = "state";

export const objectPartition = ({ hub, namespace, name }: ObjectId): string =>
  `fhpa#${hub}#${namespace}/${name}`;
export const scaleSortKey = (atMs: number, intentId: string): string =>
  `scale#${sortableInstant(atMs)}#${intentId}`;

export const fleetPartition = (hub: string): string => `fleet#${hub}`;
export const slotSortKey = (slotMs: number): string => `slot#${sortableInstant(slotMs)}`;
export const beatSortKey = (shard: string): string => `beat#${shard}`;
export const SHARD_MODE = "shards";

export const parkedPartition = (hub: string): string => `parked#${hub}`;
export const parkedSortKey = (atMs: number, id: string): string => `${sortableInstant(atMs)}#${id}`;

export function sortableInstant(ms: number): string {
  return String(ms).padStart(15, "0");
}
