import type { Clock } from "#ports/clock";
import type { KubeObject } from "#sim/api/object";
import type { Store, StoredResource } from "#sim/api/store";
import type { Dice } from "#test/storm/chance";

/** Where it lives. */
export interface Home {
  readonly dice: Dice;
  readonly agenda: Clock;
  readonly server: { readonly store: Store };
}

/** A change that a decision looks at, as the hub made it. */
export interface LifeChange {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: number;
  readonly atMs: number;
  readonly isDeletion: boolean;
  /** What there is of the object since then, as far as it matters; of one that is gone, nothing. */
  readonly state: string;
}

type LifeKind = StoredResource & { readonly kind: string; readonly apiVersion: string };

const kindOf = (group: string, version: string, resource: string, kind: string): LifeKind => ({
  ...{ resource, kind },
  group: `${group}.karmada.io`,
  apiVersion: `${group}.karmada.io/${version}`,
});
const KINDS = {
  FederatedHPA: kindOf("autoscaling", "v1alpha1", "federatedhpas", "FederatedHPA"),
  CronFederatedHPA: kindOf("autoscaling", "v1alpha1", "cronfederatedhpas", "CronFederatedHPA"),
  ResourceBinding: kindOf("work", "v1alpha2", "resourcebindings", "ResourceBinding"),
  Cluster: kindOf("cluster", "v1alpha1", "clusters", "Cluster"),
};

interface Being {
  readonly kind: keyof typeof KINDS;
  readonly name: string;
  /** It may be deleted, and comes again. */
  readonly isMortal: boolean;
  /** No FederatedHPA scales what it binds: nothing of it matters. */
  readonly isIdle?: boolean;
}

const BEINGS: readonly Being[] = [
  { kind: "FederatedHPA", name: "web", isMortal: false },
  { kind: "FederatedHPA", name: "api", isMortal: false },
  { kind: "FederatedHPA", name: "short-lived", isMortal: true },
  { kind: "CronFederatedHPA", name: "nightly", isMortal: true },
  { kind: "ResourceBinding", name: "web", isMortal: false },
  { kind: "ResourceBinding", name: "api", isMortal: true },
  { kind: "ResourceBinding", name: "settings", isMortal: true, isIdle: true },
  { kind: "Cluster", name: "member1", isMortal: false },
  { kind: "Cluster", name: "member2", isMortal: true },
];

export const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }) => `${kind}/${name}`;

/** What lives on the hub, and what happens to it; keeps book of every change that matters. */
export class HubLife {
  readonly changes: LifeChange[] = [];
  readonly #world: Home;
  readonly #dice: Dice;
  #uids = 0;

  constructor(world: Home) {
    this.#world = world;
    this.#dice = world.dice;
    for (const being of BEINGS) this.#create(being);
  }

  /** Something happens to somebody: what matters, or what does not, our own writes among it. */
  happen(): void {
    const being = this.#dice.pick(BEINGS);
    const object = this.#find(being);
    const turn = this.#dice.next();
    if (object === undefined) this.#create(being);
    else if (turn < 0.4) this.#put(being, object, unimportant(being, object, this.#dice));
    else if (turn < 0.9 || !being.isMortal)
      this.#matters(being, this.#put(being, object, important(being, object, this.#dice)));
    else this.#matters(being, this.#world.server.store.remove(KINDS[being.kind], object), true);
  }

  #find({ kind, name }: Being): KubeObject | undefined {
    return this.#world.server.store.get(KINDS[kind], namespaceOf(kind), name);
  }

  #create(being: Being): void {
    this.#uids += 1;
    const namespace = namespaceOf(being.kind);
    const metadata = {
      ...{ name: being.name, uid: `uid-${this.#uids}`, generation: 1 },
      ...(namespace === undefined ? {} : { namespace }),
    };
    const { apiVersion, kind } = KINDS[being.kind];
    const object = { apiVersion, kind, metadata, ...contentOf(being) };
    this.#matters(being, this.#world.server.store.put(KINDS[being.kind], object));
  }

  #put({ kind }: Being, object: KubeObject, changed: Partial<KubeObject>): KubeObject {
    return this.#world.server.store.put(KINDS[kind], { ...object, ...changed });
  }

  #matters(being: Being, object: KubeObject, isDeletion = false): void {
    if (being.isIdle) return;
    const { uid = "", resourceVersion } = object.metadata;
    const atMs = this.#world.agenda.nowMs();
    const state = isDeletion ? "" : stateOf(object);
    this.changes.push({
      key: keyOf(being),
      uid,
      resourceVersion: Number(resourceVersion),
      atMs,
      isDeletion,
      state,
    });
  }
}

const namespaceOf = (kind: Being["kind"]) => (kind === "Cluster" ? undefined : "shop");

function contentOf({ kind, name }: Being): object {
  const workload = { apiVersion: "apps/v1", kind: "Deployment", name };
  if (kind === "Cluster") return { status: conditions("Ready", "True") };
  if (kind !== "ResourceBinding") return { spec: { scaleTargetRef: workload } };
  const spec = {
    resource: { ...workload, namespace: "shop" },
    replicas: 1,
    clusters: [{ name: "member1", replicas: 1 }],
  };
  return { spec, status: conditions("Scheduled", "True") };
}

function important({ kind }: Being, object: KubeObject, chance: Dice): Partial<KubeObject> {
  const { metadata, spec = {}, status = {} } = object;
  if (kind === "Cluster") return { status: { ...status, ...conditions("Ready", flipped(status)) } };
  if (kind === "ResourceBinding") {
    if (chance.happens(0.4)) return { status: { ...status, ...conditions("Scheduled", flipped(status)) } };
    const replicas = Number(spec.replicas) + 1;
    return { spec: { ...spec, replicas, clusters: [{ name: "member1", replicas }] } };
  }
  if (chance.happens(0.6)) return { metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
  const former = metadata.annotations?.["mainsheet.io/mode"];
  const annotations = {
    ...metadata.annotations,
    "mainsheet.io/mode": former === "active" ? "observe" : "active",
  };
  return { metadata: { ...metadata, annotations } };
}

function unimportant({ kind }: Being, object: KubeObject, chance: Dice): Partial<KubeObject> {
  const noise = chance.whole(0, 1e9);
  if (kind === "ResourceBinding" || chance.happens(0.7)) return { status: { ...object.status, noise } };
  const annotations = { ...object.metadata.annotations, "example.io/noise": String(noise) };
  return { metadata: { ...object.metadata, annotations } };
}

function stateOf({ metadata, spec, status }: KubeObject): string {
  const { uid, generation, annotations } = metadata;
  return JSON.stringify([uid, generation, annotations?.["mainsheet.io/mode"], spec, status?.conditions]);
}

function conditions(type: string, status: string) {
  return { conditions: [{ type, status }] };
}

function flipped(status: NonNullable<KubeObject["status"]>): string {
  const [condition] = (status.conditions ?? []) as { readonly status: string }[];
  return condition?.status === "True" ? "False" : "True";
}
