import { mixedHash } from "#domain/units/hash";
import { podSpecDefaults } from "#sim/api/kinds/workload-defaults";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";
import { ownedBy } from "#sim/owners";

/** `spec.template` of a workload. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: JsonObject;
}

export function templateOf(workload: KubeObject): PodTemplate {
  return (workload.spec?.template ?? {}) as PodTemplate;
}

const HASH_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const HASH_LENGTH = 10;
const hashes = new WeakMap<object, string>();

/** Ten characters that stand for the template: equal templates, equal hashes. Objects never change, so each is hashed once. */
export function templateHash(template: PodTemplate): string {
  const known = hashes.get(template);
  if (known !== undefined) return known;
  const text = stableText(template);
  let rest = BigInt(mixedHash(text)) * 2n ** 32n + BigInt(mixedHash(`${text}/`));
  let hash = "";
  while (hash.length < HASH_LENGTH) {
    hash += HASH_ALPHABET[Number(rest % BigInt(HASH_ALPHABET.length))];
    rest /= BigInt(HASH_ALPHABET.length);
  }
  hashes.set(template, hash);
  return hash;
}

/** JSON with sorted keys: the order in which a client wrote fields is no change. */
function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${stableText(value[field])}`).join(",")}}`;
}

/** What identifies a pod beyond its template: `name`, or `generateName` for the server to complete. */
export interface PodIdentity {
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A pod of a workload, scheduled to the cluster's node. */
export function podFrom(owner: KubeObject, identity: PodIdentity, cluster: string): KubeObject {
  const template = templateOf(owner);
  const { name, generateName, labels } = identity;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(generateName === undefined ? {} : { generateName }),
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      labels: { ...template.metadata?.labels, ...labels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ownerReferences: [ownedBy(owner)],
    },
    spec: podSpec(template.spec ?? {}, cluster),
    status: { phase: "Pending" },
  };
}

const specs = new WeakMap<JsonObject, Map<string, JsonObject>>();

/** The pod's spec on a node, complete with its defaults. One value for all pods of a template in a cluster. */
function podSpec(spec: JsonObject, cluster: string): JsonObject {
  const ofCluster = specs.get(spec) ?? new Map<string, JsonObject>();
  specs.set(spec, ofCluster);
  const known = ofCluster.get(cluster);
  if (known !== undefined) return known;
  const made = podSpecDefaults({ ...spec, nodeName: `${cluster}-node` });
  ofCluster.set(cluster, made);
  return made;
}
