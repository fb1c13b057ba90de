import { isLabelKey, isLabelValue } from "#domain/units/label-syntax";
import type { ParseFault } from "#domain/units/parsed";
import { type Operator, type Requirement, type Selector, sortedValues } from "#domain/units/selector";

/** `metav1.LabelSelector`, as specs carry it. */
export interface LabelSelector {
  readonly matchLabels?: Labels | null;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | null;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

type Labels = Readonly<Record<string, string>>;

/** One fault of a LabelSelector; `path` is relative to it: `matchExpressions[0].values`. */
export interface LabelSelectorFault extends ParseFault {
  readonly path: string;
}

/**
 * The selector that a LabelSelector means, and what is wrong with it; with faults the selector must not be used, as
 * it holds only the sound part. An empty object selects everything. An absent one selects nothing in Kubernetes:
 * that is the caller's case, as there is no object to read.
 */
export function readLabelSelector(object: LabelSelector): {
  readonly selector: Selector;
  readonly faults: readonly LabelSelectorFault[];
} {
  const requirements: Requirement[] = [];
  const faults: LabelSelectorFault[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {})) {
    const path = `matchLabels[${key}]`;
    faults.push(...keyFaults(key, path), ...valueFaults([value], path));
    requirements.push({ key, operator: "=", values: [value] });
  }
  for (const [index, expression] of (object.matchExpressions ?? []).entries()) {
    const path = `matchExpressions[${index}]`;
    const values = expression.values ?? [];
    const operator = OPERATORS.get(expression.operator);
    faults.push(...keyFaults(expression.key, `${path}.key`), ...valueFaults(values, `${path}.values`));
    faults.push(...shapeFaults(expression.operator, operator, values, path));
    if (operator !== undefined)
      requirements.push({ key: expression.key, operator, values: sortedValues(values) });
  }
  return { selector: { requirements }, faults };
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function shapeFaults(
  name: string,
  operator: Operator | undefined,
  values: readonly string[],
  path: string,
): readonly LabelSelectorFault[] {
  if (operator === undefined) {
    const detail = `${JSON.stringify(name)} is no operator; use In, NotIn, Exists or DoesNotExist`;
    return [{ code: "selector-operator", path: `${path}.operator`, detail }];
  }
  const takesValues = operator === "in" || operator === "notin";
  if (takesValues && values.length === 0) {
    return [{ code: "selector-value", path: `${path}.values`, detail: `${name} needs at least one value` }];
  }
  if (!takesValues && values.length > 0) {
    return [{ code: "selector-value", path: `${path}.values`, detail: `${name} takes no values` }];
  }
  return [];
}

function keyFaults(key: string, path: string): readonly LabelSelectorFault[] {
  if (isLabelKey(key)) return [];
  return [{ code: "selector-key", path, detail: `${JSON.stringify(key)} is no label key` }];
}

function valueFaults(values: readonly string[], path: string): readonly LabelSelectorFault[] {
  return values
    .filter((value) => !isLabelValue(value))
    .map((value) => ({ code: "selector-value", path, detail: `${JSON.stringify(value)} is no label value` }));
}
