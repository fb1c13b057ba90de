import { isJsonObject, type JsonObject } from "#sim/api/object";

/**
 * A set of fields of an object, in the shape of `fieldsV1` (structured-merge-diff v6): a tree whose edges are path
 * elements (`f:name` for a field, `k:{…}` for an item of a keyed list, `v:…` for an item of a set). A node is in the
 * set when it is a member; a node that is none only leads to members.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
  /** What it was written as, once it was. */
  json?: JsonObject;
}

export const NO_FIELDS: FieldSet = { member: false, children: new Map() };
/** A field that is owned whole: a scalar, an atomic list or map. */
export const LEAF: FieldSet = { member: true, children: new Map() };

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children.size === 0;
}

/** The union; `a` itself where it holds all of `b` already. */
export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  let children: Map<string, FieldSet> | undefined;
  for (const [edge, child] of b.children) {
    const own = a.children.get(edge);
    const both = own === undefined ? child : unionOf(own, child);
    if (both === own) continue;
    children ??= new Map(a.children);
    children.set(edge, both);
  }
  const member = a.member || b.member;
  return children === undefined && member === a.member ? a : { member, children: children ?? a.children };
}

/** What of `a` is not in `b`; `a` itself where the two share nothing. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  let children: Map<string, FieldSet> | undefined;
  for (const [edge, dropped] of b.children) {
    const child = a.children.get(edge);
    const left = child === undefined ? undefined : differenceOf(child, dropped);
    if (left === child) continue;
    children ??= new Map(a.children);
    if (left === undefined || isEmptySet(left)) children.delete(edge);
    else children.set(edge, left);
  }
  const member = a.member && !b.member;
  return children === undefined && member === a.member ? a : { member, children: children ?? a.children };
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

/**
 * The sets that entries were written from. Neither ever changes, and most writes change fields that their writer owns
 * already: its set is the same then, and so is the JSON that the set remembers.
 */
const sets = new WeakMap<JsonObject, FieldSet>();

const LONE: JsonObject = Object.freeze({});

/** `fieldsV1`: `{}` for a lone member, `"."` for a member that has children. */
export function toFieldsV1(set: FieldSet): JsonObject {
  if (set.json !== undefined || set.children.size === 0) return set.json ?? LONE;
  const json = jsonOf(set);
  sets.set(json, set);
  return json;
}

function jsonOf(set: FieldSet): JsonObject {
  if (set.children.size === 0) return LONE;
  if (set.json !== undefined) return set.json;
  const json: Record<string, unknown> = {};
  if (set.member) json["."] = {};
  for (const [edge, child] of [...set.children].sort(byEdge)) json[edge] = jsonOf(child);
  set.json = json;
  return json;
}

function byEdge([a]: readonly [string, FieldSet], [b]: readonly [string, FieldSet]): number {
  return a < b ? -1 : 1;
}

export function fromFieldsV1(json: JsonObject): FieldSet {
  const known = sets.get(json);
  if (known !== undefined) return known;
  const set = setOf(json);
  sets.set(json, set);
  return set;
}

function setOf(json: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [edge, child] of Object.entries(json)) {
    if (edge === "." || !isJsonObject(child)) continue;
    children.set(edge, Object.keys(child).length === 0 ? LEAF : setOf(child));
  }
  return { member: "." in json, children };
}

/** The members in order, as the API server prints them: `.spec.template.spec.containers[name="web"].image`. */
export function pathsOf(set: FieldSet, prefix = ""): string[] {
  const own = set.member ? [prefix] : [];
  const edges = [...set.children.keys()].sort();
  return own.concat(
    edges.flatMap((edge) => pathsOf(set.children.get(edge) ?? NO_FIELDS, prefix + printed(edge))),
  );
}

function printed(edge: string): string {
  const text = edge.slice(2);
  if (edge.startsWith("f:")) return `.${text}`;
  if (edge.startsWith("v:")) return `[=${text}]`;
  const keys = Object.entries(JSON.parse(text) as JsonObject);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}
