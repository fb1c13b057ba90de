import { setTimeout as sleep } from "node:timers/promises";
import { BatchGetCommand, type DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { PortFault } from "#ports/fault";
import type { Item, Key } from "#ports/table";

/** What one BatchGetItem takes. */
const KEYS_PER_REQUEST = 100;
/** Waits before keys that were left unprocessed are asked again: half a second in all, then the table is overloaded. */
const PAUSES_MS = [25, 50, 125, 300];

/** Finds items by key, keys that occur twice asked once; throws the SDK's errors, and `throttled` (see above). */
export async function batchGet(
  documents: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  consistent: boolean,
): Promise<(key: Key) => Item | undefined> {
  const wanted = new Map(keys.map(({ pk, sk }) => [identity({ pk, sk }), { pk, sk }]));
  const found = new Map<string, Item>();
  const all = [...wanted.values()];
  const chunks = Array.from({ length: Math.ceil(all.length / KEYS_PER_REQUEST) }, (_, i) =>
    all.slice(i * KEYS_PER_REQUEST, (i + 1) * KEYS_PER_REQUEST),
  );
  await Promise.all(
    chunks.map(async (chunk) => {
      for (const item of await getChunk(documents, tableName, chunk, consistent))
        found.set(identity(item), item);
    }),
  );
  return (key) => found.get(identity(key));
}

async function getChunk(
  documents: DynamoDBDocumentClient,
  tableName: string,
  chunk: readonly Key[],
  consistent: boolean,
): Promise<Item[]> {
  const items: Item[] = [];
  let left: Record<string, unknown>[] = chunk.map((key) => ({ ...key }));
  for (let attempt = 0; ; attempt += 1) {
    const answer = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: left, ConsistentRead: consistent } } }),
    );
    items.push(...((answer.Responses?.[tableName] ?? []) as Item[]));
    left = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (left.length === 0) return items;
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) {
      throw new PortFault(
        "throttled",
        `get ${chunk.length} items of ${tableName}: ${left.length} still unprocessed after ${attempt + 1} requests`,
      );
    }
    await sleep(pauseMs);
  }
}

function identity({ pk, sk }: Key): string {
  return JSON.stringify([pk, sk]);
}
