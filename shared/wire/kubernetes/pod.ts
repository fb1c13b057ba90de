import type { ContainerRequests, Pod, Requests } from "#domain/fleet/pod";
import type { Read } from "#domain/fleet/snapshot";
import type { MilliValue } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";
import {
  type JsonObject,
  outcome,
  readArray,
  readCondition,
  readInstant,
  readObject,
  readString,
  requireString,
  wrong,
} from "./reading.ts";

/** What a Time that was never set means in Kubernetes: 0001-01-01T00:00:00Z, before anything else. */
const UNSET_TIME_MS = -62_135_596_800_000;

/**
 * The pods of a list, in its order. One pod that is not as the API promises makes the list unreadable: to leave it
 * out would make the workload look smaller than it is.
 */
export function decodePods(items: readonly unknown[]): Read<readonly Pod[]> {
  const amounts = new Map<string, MilliValue | undefined>();
  const pods: Pod[] = [];
  for (const [index, item] of items.entries()) {
    const faults: string[] = [];
    const pod = readPod(item, amounts, faults);
    if (faults.length > 0)
      return outcome(pods, faults, "pods-unreadable", `pod ${pod.name || `no. ${index + 1}`}`);
    pods.push(pod);
  }
  return { ok: true, value: pods };
}

/** One pod; its labels are shared with `item`, not copied. */
export function decodePod(item: unknown): Read<Pod> {
  const faults: string[] = [];
  const pod = readPod(item, new Map(), faults);
  return outcome(pod, faults, "pods-unreadable", `pod ${pod.name}`);
}

/** `amounts` remembers the quantities of the list: thousands of pods are made from few templates. */
function readPod(item: unknown, amounts: Amounts, faults: string[]): Pod {
  const object = readObject(item, "pod", faults);
  const metadata = readObject(object.metadata, "metadata", faults);
  const spec = readObject(object.spec, "spec", faults);
  const status = readObject(object.status, "status", faults);

  const phase = readString(status.phase, "status.phase", faults);
  const startedAtMs = readInstant(status.startTime, "status.startTime", faults);
  const ready = readReady(status, faults);
  const podRequests = readRequests(spec.resources, "spec.resources", amounts, faults);
  const owner = readOwner(metadata, faults);
  return {
    name: requireString(metadata.name, "metadata.name", faults),
    ...(phase === undefined ? {} : { phase }),
    deleted: metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null,
    ...(startedAtMs === undefined ? {} : { startedAtMs }),
    ...(ready === undefined ? {} : { ready }),
    containers: readContainers(spec, amounts, faults),
    ...(podRequests === NO_REQUESTS ? {} : { podRequests }),
    labels: readLabels(metadata.labels, faults),
    ...(owner === undefined ? {} : { owner }),
  };
}

type Amounts = Map<string, MilliValue | undefined>;

function readReady(status: JsonObject, faults: string[]): Pod["ready"] {
  const found = readCondition(status, "Ready", faults);
  if (found === undefined) return undefined;
  const path = "status.conditions[Ready].lastTransitionTime";
  return {
    status: found.status,
    sinceMs: readInstant(found.condition.lastTransitionTime, path, faults) ?? UNSET_TIME_MS,
  };
}

/** Native sidecars run beside the containers; one-shot init containers are gone before (D-13, B23). */
function readContainers(spec: JsonObject, amounts: Amounts, faults: string[]): readonly ContainerRequests[] {
  const containers: ContainerRequests[] = [];
  for (const container of readArray(spec.containers, "spec.containers", faults)) {
    containers.push(readContainer(container, "spec.containers[]", amounts, faults));
  }
  for (const entry of readArray(spec.initContainers, "spec.initContainers", faults)) {
    const container = readObject(entry, "spec.initContainers[]", faults);
    if (container.restartPolicy !== "Always") continue;
    containers.push(readContainer(container, "spec.initContainers[]", amounts, faults));
  }
  return containers;
}

function readContainer(value: unknown, path: string, amounts: Amounts, faults: string[]): ContainerRequests {
  const container = readObject(value, path, faults);
  return {
    name: requireString(container.name, `${path}.name`, faults),
    requests: readRequests(container.resources, `${path}.resources`, amounts, faults),
  };
}

const NO_REQUESTS: Requests = {};

function readRequests(resources: unknown, path: string, amounts: Amounts, faults: string[]): Requests {
  if (resources === undefined || resources === null) return NO_REQUESTS;
  const { requests } = readObject(resources, path, faults);
  if (requests === undefined || requests === null) return NO_REQUESTS;
  const read: Record<string, MilliValue> = {};
  let any = false;
  for (const [resource, amount] of Object.entries(readObject(requests, `${path}.requests`, faults))) {
    const milli = readMilli(amount, amounts);
    if (milli === undefined) {
      faults.push(wrong(`${path}.requests.${resource}`, amount, "a quantity such as 250m"));
      continue;
    }
    read[resource] = milli;
    any = true;
  }
  return any ? read : NO_REQUESTS;
}

function readMilli(amount: unknown, amounts: Amounts): MilliValue | undefined {
  if (typeof amount === "number") return parseMilli(String(amount));
  if (typeof amount !== "string") return undefined;
  if (amounts.has(amount)) return amounts.get(amount);
  const milli = parseMilli(amount);
  amounts.set(amount, milli);
  return milli;
}

const NO_LABELS: Readonly<Record<string, string>> = {};

function readLabels(value: unknown, faults: string[]): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return NO_LABELS;
  const labels = readObject(value, "metadata.labels", faults);
  for (const key in labels) {
    if (typeof labels[key] !== "string") faults.push(wrong(`metadata.labels[${key}]`, labels[key], "a text"));
  }
  return labels as Readonly<Record<string, string>>;
}

function readOwner(metadata: JsonObject, faults: string[]): string | undefined {
  const path = "metadata.ownerReferences";
  for (const entry of readArray(metadata.ownerReferences, path, faults)) {
    const owner = readObject(entry, `${path}[]`, faults);
    if (owner.controller !== true) continue;
    const kind = requireString(owner.kind, `${path}[].kind`, faults);
    return `${kind}/${requireString(owner.name, `${path}[].name`, faults)}`;
  }
  return undefined;
}
