import { type MilliValue, sumMilli } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";
import { milliText } from "#domain/units/quantity-text";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";

/** Whether the object makes pods by a replica count and a template (Deployment, StatefulSet, CloneSet and their like). */
export function isWorkload(object: KubeObject): boolean {
  return typeof object.spec?.replicas === "number" && isJsonObject(object.spec.template);
}

/** `spec.replicas`; undefined where the object is no workload. */
export function replicasOf(object: KubeObject): number | undefined {
  return isWorkload(object) ? (object.spec?.replicas as number) : undefined;
}

/** What one replica asks for: the requests of its containers, taken from the limits where there are none, summed up. */
export function requestsOf(object: KubeObject): Readonly<Record<string, MilliValue>> {
  const template = object.spec?.template as { readonly spec?: JsonObject } | undefined;
  return requestsOfPodSpec(template?.spec);
}

/** Read once of each spec, which all pods of a template share and which never changes. */
const requests = new WeakMap<JsonObject, Readonly<Record<string, MilliValue>>>();

export function requestsOfPodSpec(spec: JsonObject = NO_SPEC): Readonly<Record<string, MilliValue>> {
  const known = requests.get(spec);
  if (known !== undefined) return known;
  const read = readRequests(spec);
  requests.set(spec, read);
  return read;
}

const NO_SPEC: JsonObject = {};

function readRequests(spec: JsonObject): Readonly<Record<string, MilliValue>> {
  const amounts = new Map<string, MilliValue[]>();
  for (const container of (spec.containers ?? []) as readonly JsonObject[]) {
    const resources = (container.resources ?? {}) as {
      readonly requests?: Amounts;
      readonly limits?: Amounts;
    };
    for (const [name, text] of Object.entries({ ...resources.limits, ...resources.requests })) {
      const amount = parseMilli(String(text));
      if (amount !== undefined) amounts.set(name, [...(amounts.get(name) ?? []), amount]);
    }
  }
  return Object.fromEntries([...amounts].map(([name, values]) => [name, sumMilli(values)]));
}

type Amounts = Readonly<Record<string, string | number>>;

/** `resourceRequest` of a binding's replicaRequirements; undefined where the pods ask for nothing. */
export function requestTexts(object: KubeObject): Readonly<Record<string, string>> | undefined {
  const requests = Object.entries(requestsOf(object));
  if (requests.length === 0) return undefined;
  return Object.fromEntries(requests.map(([name, amount]) => [name, milliText(amount)]));
}
