import { compareUtf8 } from "#domain/units/utf8";
import type { Query } from "#ports/table";

export interface KeyCondition {
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, string>;
}

/** No text that begins with a prefix comes behind the prefix and this. */
const LAST_CHARACTER = "\u{10FFFF}";

/**
 * The key condition of a query, or undefined where its range is empty, which DynamoDB refuses. It allows one
 * condition on the sort key, so a prefix together with bounds becomes bounds; what they let in besides is for
 * `startsWith` to drop.
 */
export function keyCondition({ pk, prefix = "", from = "", to }: Query): KeyCondition | undefined {
  const lower = compareUtf8(from, prefix) > 0 ? from : prefix;
  const upper = to ?? (prefix === "" ? undefined : prefix + LAST_CHARACTER);
  if (upper !== undefined && compareUtf8(lower, upper) > 0) return undefined;

  if (prefix !== "" && lower === prefix && to === undefined) {
    return expression(pk, "begins_with(#sk, :prefix)", { ":prefix": prefix });
  }
  if (lower !== "" && upper !== undefined) {
    return expression(pk, "#sk BETWEEN :from AND :to", { ":from": lower, ":to": upper });
  }
  if (lower !== "") return expression(pk, "#sk >= :from", { ":from": lower });
  if (upper !== undefined) return expression(pk, "#sk <= :to", { ":to": upper });
  return expression(pk, undefined, {});
}

function expression(pk: string, onSortKey: string | undefined, values: Record<string, string>): KeyCondition {
  return {
    KeyConditionExpression: onSortKey === undefined ? "#pk = :pk" : `#pk = :pk AND ${onSortKey}`,
    ExpressionAttributeNames: { "#pk": "pk", ...(onSortKey !== undefined && { "#sk": "sk" }) },
    ExpressionAttributeValues: { ":pk": pk, ...values },
  };
}
