import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { Clock } from "#ports/clock";
import { isPortFault, PortFault } from "#ports/fault";
import type { Condition, Item, Key, Query, ReadOptions, TablePort } from "#ports/table";
import { checkItem, isExpired } from "#wire/item";
import { dynamoDocuments } from "./client.ts";
import { conditionExpression } from "./condition.ts";
import { tableFault } from "./faults.ts";
import { batchGet } from "./get-many.ts";
import { keyCondition } from "./key-range.ts";

export interface DynamoTableOptions {
  readonly documents?: DynamoDBDocumentClient;
  /** Decides, for `absent`, whether what is stored has expired. */
  readonly clock?: Clock;
}

/** A DynamoDB table with the string keys `pk` and `sk` behind `TablePort`. */
export function dynamoTable(tableName: string, options: DynamoTableOptions = {}): TablePort {
  const { documents = dynamoDocuments(), clock = { nowMs: () => Date.now() } } = options;
  const where = { TableName: tableName };

  /** The item as it is stored, expired or not. */
  async function stored({ pk, sk }: Key, consistent: boolean): Promise<Item | undefined> {
    const answer = await documents.send(
      new GetCommand({ ...where, Key: { pk, sk }, ConsistentRead: consistent }),
    );
    return answer.Item as Item | undefined;
  }

  async function put(item: Item, condition: Condition): Promise<void> {
    const expression = conditionExpression(condition, clock.nowMs());
    try {
      await documents.send(new PutCommand({ ...where, Item: item, ...expression }));
    } catch (error) {
      if (tableFault("put", error).kind !== "conflict" || item.writeId === undefined) throw error;
      if ((await stored(item, true))?.writeId !== item.writeId) throw error;
    }
  }

  async function query(query: Query, { nowMs, consistent = false }: ReadOptions): Promise<Item[]> {
    const condition = keyCondition(query);
    const { limit = Number.POSITIVE_INFINITY, prefix = "" } = query;
    const items: Item[] = [];
    let start: QueryCommandInput["ExclusiveStartKey"];
    if (condition === undefined || limit <= 0) return items;
    do {
      const page = await documents.send(
        new QueryCommand({
          ...where,
          ...condition,
          ConsistentRead: consistent,
          ScanIndexForward: query.descending !== true,
          ...(Number.isFinite(limit) && { Limit: limit - items.length }),
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      );
      const found = (page.Items ?? []) as Item[];
      items.push(...found.filter((item) => item.sk.startsWith(prefix) && !isExpired(item, nowMs)));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && items.length < limit);
    return items.slice(0, limit);
  }

  return {
    get: (key, { nowMs, consistent = false }) =>
      faulting(`get ${tableName} ${key.pk} ${key.sk}`, async () =>
        live(await stored(key, consistent), nowMs),
      ),
    getMany: (keys, { nowMs, consistent = false }) =>
      faulting(`get ${keys.length} items of ${tableName}`, async () => {
        const find = await batchGet(documents, tableName, keys, consistent);
        return keys.map((key) => live(find(key), nowMs));
      }),
    put: (item, condition) =>
      faulting(`put ${tableName} ${item.pk} ${item.sk}`, async (what) => {
        const checked = checkItem(item);
        if (!checked.ok) throw new PortFault("invalid", `${what}: ${checked.fault}`);
        await put(checked.item, condition);
      }),
    delete: (key, condition) =>
      faulting(`delete ${tableName} ${key.pk} ${key.sk}`, async () => {
        const expression = conditionExpression(condition, clock.nowMs());
        await documents.send(new DeleteCommand({ ...where, Key: { pk: key.pk, sk: key.sk }, ...expression }));
      }),
    query: (asked, options) => faulting(`query ${tableName} ${asked.pk}`, () => query(asked, options)),
  };
}

function live(item: Item | undefined, nowMs: number): Item | undefined {
  return item === undefined || isExpired(item, nowMs) ? undefined : item;
}

async function faulting<T>(what: string, work: (what: string) => Promise<T>): Promise<T> {
  try {
    return await work(what);
  } catch (error) {
    throw isPortFault(error) ? error : tableFault(what, error);
  }
}
