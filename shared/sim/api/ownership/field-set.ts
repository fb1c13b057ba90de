import { isJsonObject, type JsonObject } from "#sim/api/object";

/**
 * A set of fields of an object, in the shape of `fieldsV1` (structured-merge-diff v6): a tree whose edges are path
 * elements (`f:name` for a field, `k:{…}` for an item of a keyed list, `v:…` for an item of a set). A node is in the
 * set when it is a member; a node that is none only leads to members.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const NO_FIELDS: FieldSet = { member: false, children: new Map() };
/** A field that is owned whole: a scalar, an atomic list or map. */
export const LEAF: FieldSet = { member: true, children: new Map() };

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children.size === 0;
}

export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  const children = new Map(a.children);
  for (const [edge, child] of b.children) children.set(edge, unionOf(children.get(edge) ?? NO_FIELDS, child));
  return { member: a.member || b.member, children };
}

export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  const children = new Map<string, FieldSet>();
  for (const [edge, child] of a.children) {
    const left = differenceOf(child, b.children.get(edge) ?? NO_FIELDS);
    if (!isEmptySet(left)) children.set(edge, left);
  }
  return { member: a.member && !b.member, children };
}

export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [edge, child] of a.children) {
    const both = intersectionOf(child, b.children.get(edge) ?? NO_FIELDS);
    if (!isEmptySet(both)) children.set(edge, both);
  }
  return { member: a.member && b.member, children };
}

/** The set with every node that leads to a member as one too: who says a part says that the whole is there. */
export function withParents(set: FieldSet): FieldSet {
  const children = new Map([...set.children].map(([edge, child]) => [edge, withParents(child)]));
  return { member: set.member || children.size > 0, children };
}

/** `fieldsV1`: `{}` for a lone member, `"."` for a member that has children. */
export function toFieldsV1(set: FieldSet): JsonObject {
  const json: Record<string, unknown> = {};
  if (set.member && set.children.size > 0) json["."] = {};
  for (const edge of [...set.children.keys()].sort()) json[edge] = toFieldsV1(set.children.get(edge) ?? LEAF);
  return json;
}

export function fromFieldsV1(json: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [edge, child] of Object.entries(json)) {
    if (edge === "." || !isJsonObject(child)) continue;
    children.set(edge, Object.keys(child).length === 0 ? LEAF : fromFieldsV1(child));
  }
  return { member: "." in json, children };
}

/** The members as the API server prints them: `.spec.template.spec.containers[name="web"].image`. */
export function pathsOf(set: FieldSet, prefix = ""): string[] {
  const own = set.member ? [prefix] : [];
  return own.concat([...set.children].flatMap(([edge, child]) => pathsOf(child, prefix + printed(edge))));
}

function printed(edge: string): string {
  const text = edge.slice(2);
  if (edge.startsWith("f:")) return `.${text}`;
  if (edge.startsWith("v:")) return `[=${text}]`;
  const keys = Object.entries(JSON.parse(text) as JsonObject);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}
