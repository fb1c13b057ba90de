import { matches } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import type { SelectionQuery } from "#sim/api/api-server";
import { badRequest, type Outcome, refuse } from "#sim/api/failure";
import type { KubeObject } from "#sim/api/object";
import { valueAt } from "#sim/api/path";
import type { ResourceType } from "#sim/api/resource-type";

export type Matcher = (object: KubeObject) => boolean;

const EVERY_TYPE = ["metadata.name", "metadata.namespace"];

/** Whether an object is in a list or watch of this query: namespace, labels and fields. 400 for what cannot be parsed. */
export function matcherOf(type: ResourceType, query: SelectionQuery): Outcome<Matcher> {
  const matchers: Matcher[] = [];
  const { namespace, labelSelector, fieldSelector } = query;
  if (namespace !== undefined) matchers.push((object) => object.metadata.namespace === namespace);
  if (labelSelector !== undefined && labelSelector !== "") {
    const parsed = parseSelector(labelSelector);
    if (!parsed.ok) return refuse(badRequest(`unable to parse requirement: ${parsed.fault.detail}`));
    matchers.push((object) => matches(parsed.value, object.metadata.labels ?? {}));
  }
  for (const term of (fieldSelector ?? "").split(",").filter((text) => text !== "")) {
    const found = /^([^=!]+)(==|!=|=)(.*)$/.exec(term);
    if (found === null) {
      return refuse(badRequest(`invalid selector: '${fieldSelector}'; can't understand '${term}'`));
    }
    const [, field = "", operator, value] = found;
    if (!EVERY_TYPE.includes(field) && !type.fieldSelectors.includes(field)) {
      return refuse(badRequest(`field label not supported: ${field}`));
    }
    const path = field.split(".");
    const wanted = operator !== "!=";
    matchers.push((object) => (String(valueAt(object, path) ?? "") === value) === wanted);
  }
  return { ok: true, value: (object) => matchers.every((isIn) => isIn(object)) };
}
