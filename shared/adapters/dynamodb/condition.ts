import type { Condition } from "#ports/table";

/** The part of a write request that says when it holds. */
export interface ConditionExpression {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** `nowMs` decides whether a stored item has expired: DynamoDB deletes it later, up to days (B96). */
export function conditionExpression(condition: Condition, nowMs: number): ConditionExpression {
  switch (condition.if) {
    case "none":
      return {};
    case "absent":
      return {
        ConditionExpression: "attribute_not_exists(#pk) OR #ttl < :nowSeconds",
        ExpressionAttributeNames: { "#pk": "pk", "#ttl": "ttl" },
        ExpressionAttributeValues: { ":nowSeconds": nowMs / 1000 },
      };
    case "version":
      return {
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": condition.is },
      };
  }
}
