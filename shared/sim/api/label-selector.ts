/**
 * Label selectors in their text form, as in `?labelSelector=` and `scale.status.selector`:
 * `app=web,tier!=cache,env in (a, b),!legacy`. Grammar of k8s.io/apimachinery pkg/labels.
 */
export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean;

const REQUIREMENT =
  /^\s*(?:(!?)\s*([^\s!=,()<>]+)|([^\s!=,()<>]+)\s*(==|!=|=|>|<)\s*([^\s!=,()<>]*)|([^\s!=,()<>]+)\s+(in|notin)\s*\(([^()]*)\))\s*(?:,|$)/;

/** The parsed selector, everything for an empty text; undefined when the text is none. */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  const requirements: LabelSelector[] = [];
  let rest = text;
  while (rest.trim() !== "") {
    const found = REQUIREMENT.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found[0].length);
    const requirement = requirementOf(found);
    if (requirement === undefined) return undefined;
    requirements.push(requirement);
  }
  return (labels) => requirements.every((requirement) => requirement(labels));
}

function requirementOf(found: RegExpExecArray): LabelSelector | undefined {
  const [, not, present, key = "", operator, value = "", setKey = "", setOperator, list = ""] = found;
  if (present !== undefined) {
    return not === "!"
      ? (labels) => labels[present] === undefined
      : (labels) => labels[present] !== undefined;
  }
  if (setOperator !== undefined) {
    const values = new Set(list.split(",").map((item) => item.trim()));
    if (setOperator === "in") return (labels) => values.has(labels[setKey] ?? ABSENT);
    return (labels) => !values.has(labels[setKey] ?? ABSENT);
  }
  switch (operator) {
    case "=":
    case "==":
      return (labels) => labels[key] === value;
    case "!=":
      return (labels) => labels[key] !== value;
    case ">":
      return isInteger(value) ? (labels) => BigInt(integer(labels[key], value)) > BigInt(value) : undefined;
    default:
      return isInteger(value) ? (labels) => BigInt(integer(labels[key], value)) < BigInt(value) : undefined;
  }
}

/** No label value contains a NUL. */
const ABSENT = "\0";

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** A label that is no integer never compares: it is read as the bound itself. */
function integer(label: string | undefined, bound: string): string {
  return label !== undefined && isInteger(label) ? label : bound;
}

/** The text form of a LabelSelector object, as Go's `metav1.FormatLabelSelector` writes it; empty for none. */
export function formatLabelSelector(selector: unknown): string {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as {
    matchLabels?: Record<string, string>;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  };
  const equalities = Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({
    key,
    text: expressionText(key, operator, [...values].sort()),
  }));
  return [...equalities, ...expressions]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(",");
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  switch (operator) {
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    default:
      return `!${key}`;
  }
}
