import type { LabelSelectorObject } from "#domain/spec/federated-hpa-object";
import type { Requirement, Selector } from "#domain/units/selector";

/**
 * The LabelSelector that means the same: `=` as matchLabels, the rest as matchExpressions, in the selector's order. A
 * key that is asked for twice with `=` goes to the expressions the second time. `>` and `<`, which no LabelSelector
 * can say, are left out.
 */
export function encodeLabelSelector({ requirements }: Selector): LabelSelectorObject {
  const labels: Record<string, string> = {};
  const expressions: Expression[] = [];
  for (const requirement of requirements) {
    const [value] = requirement.values;
    const equal = requirement.operator === "=" || requirement.operator === "==";
    if (equal && value !== undefined && !Object.hasOwn(labels, requirement.key)) {
      labels[requirement.key] = value;
    } else {
      expressions.push(...encodeRequirement(requirement));
    }
  }
  return {
    ...(Object.keys(labels).length === 0 ? {} : { matchLabels: labels }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

type Expression = NonNullable<LabelSelectorObject["matchExpressions"]>[number];

function encodeRequirement({ key, operator, values }: Requirement): Expression[] {
  switch (operator) {
    case "exists":
      return [{ key, operator: "Exists" }];
    case "!":
      return [{ key, operator: "DoesNotExist" }];
    case "=":
    case "==":
    case "in":
      return [{ key, operator: "In", values }];
    case "!=":
    case "notin":
      return [{ key, operator: "NotIn", values }];
    default:
      return [];
  }
}
