import type { HubCache } from "#app/load/context";
import type { Hub } from "#app/reconcile/deps";
import { formatInstant } from "#domain/units/instant";
import { PortFault } from "#ports/fault";
import type { KubeObject, ResourceRef, Scale } from "#ports/kubernetes";
import type { CronHandleInput, CronStep, TargetObject } from "#test/golden/cronhandle/input";

interface Stored extends KubeObject {
  readonly spec: Record<string, unknown>;
}
/** What is stored gets its kind and its identity there. */
interface Unstored {
  readonly metadata: KubeObject["metadata"];
  readonly spec: Record<string, unknown>;
}
type Patch = { readonly metadata?: { readonly resourceVersion?: string } } & Record<string, unknown>;

/** As much of a hub as the cron talks to, in plain maps, with the faults of a step. */
export class VectorHub {
  readonly #objects = new Map<string, Stored>();
  readonly #eventNames = new Set<string>();
  #version = 0;
  #events: string[] = [];
  #conflicts = 0;
  #faults: Pick<CronStep, "statusUpdateError" | "scaleUpdateError"> = {};

  constructor({ objects }: CronHandleInput) {
    for (const object of objects) this.create(object);
  }

  /** The faults that hold while a step's time passes; none without a step. */
  suffer(step: Partial<CronStep>): void {
    this.#faults = step;
    this.#conflicts = step.conflictsOnFederatedHPAUpdate ?? 0;
  }

  create(object: TargetObject): void {
    this.#store(keyOf(object.kind, object.metadata.name), {
      metadata: object.metadata,
      spec: { ...object.spec },
    });
  }

  setReplicas(name: string, replicas: number): void {
    const key = keyOf("Deployment", name);
    this.#store(key, { ...this.#find(key), spec: { replicas } });
  }

  applyCron(metadata: object, spec: object, nowMs: number): void {
    const key = keyOf("CronFederatedHPA", "cron");
    const stored = this.#objects.get(key);
    const written = { manager: "kubectl", time: formatInstant(nowMs), fieldsV1: { "f:spec": {} } };
    this.#store(key, {
      ...stored,
      metadata: {
        creationTimestamp: formatInstant(nowMs),
        ...metadata,
        ...stored?.metadata,
        managedFields: [written],
      },
      spec: { ...spec },
    });
  }

  deleteCron(): void {
    this.#objects.delete(keyOf("CronFederatedHPA", "cron"));
  }

  get cron(): Stored | undefined {
    return this.#objects.get(keyOf("CronFederatedHPA", "cron"));
  }

  named(kind: TargetObject["kind"]): [string, Record<string, unknown>][] {
    return [...this.#objects].flatMap(([key, { spec, metadata }]) =>
      key.startsWith(`${kind}/`) ? [[metadata.name ?? "", spec] as [string, Record<string, unknown>]] : [],
    );
  }

  /** The Events since the last call. */
  takeEvents(): string[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  get port(): Hub["port"] {
    const hub = this;
    const port: Partial<Hub["port"]> = {
      async list(_at, { resource }, query) {
        if (resource === "federatedhpas") return hub.#named(query?.fieldSelector);
        return {
          items: hub.cron === undefined ? [] : [hub.cron as never],
          resourceVersion: String(hub.#version),
        };
      },
      async get(_at, resource, { name }) {
        return hub.#read(resource, name) as never;
      },
      async updateScale(resource, scale) {
        const stored = hub.#read(resource, scale.name);
        if (hub.#faults.scaleUpdateError) throw new PortFault("denied", hub.#faults.scaleUpdateError);
        hub.#store(keyOf(KINDS[resource.resource] ?? "", scale.name), {
          ...stored,
          spec: { replicas: scale.replicas },
        });
        return scale as Scale;
      },
      async mergePatch(resource, { name }, patch, { subresource }) {
        return hub.#patch(resource, name, patch as Patch, subresource);
      },
      async create(_resource, event) {
        const { name = "" } = event.metadata;
        if (hub.#eventNames.has(name)) throw new PortFault("conflict", `create event ${name}: it exists`);
        hub.#eventNames.add(name);
        hub.#events.push(`${event.type}/${event.reason}`);
        return event;
      },
    };
    return port as Hub["port"];
  }

  /** The cron lists FederatedHPAs by name to read one, and all of them to warn of shared targets, which no vector has. */
  #named(fieldSelector = ""): never {
    const found = this.#objects.get(keyOf("FederatedHPA", fieldSelector.replace("metadata.name=", "")));
    return { items: found === undefined ? [] : [found], resourceVersion: String(this.#version) } as never;
  }

  #read(resource: ResourceRef, name: string): Stored {
    return this.#find(keyOf(KINDS[resource.resource] ?? "", name));
  }

  #find(key: string): Stored {
    const found = this.#objects.get(key);
    if (found === undefined) throw new PortFault("missing", `${key} not found`);
    return found;
  }

  #patch(resource: ResourceRef, name: string, { metadata, ...body }: Patch, subresource?: string): Stored {
    const stored = this.#read(resource, name);
    if (subresource === "status") {
      const { statusUpdateError } = this.#faults;
      if (statusUpdateError) throw new PortFault("unavailable", statusUpdateError);
    } else if (this.#conflicts > 0) {
      this.#conflicts -= 1;
      throw new PortFault("conflict", `${name}: the object has been modified`);
    }
    if (metadata?.resourceVersion !== stored.metadata.resourceVersion) {
      throw new PortFault("conflict", `${name}: stale`);
    }
    const spec = { ...stored.spec, ...(body.spec as object | undefined) };
    return this.#store(
      keyOf(KINDS[resource.resource] ?? "", name),
      { ...stored, ...body, spec },
      subresource,
    );
  }

  #store(key: string, object: Unstored, subresource?: string): Stored {
    this.#version += 1;
    const { generation = 0, uid = `uid-${this.#version}` } = object.metadata;
    const [kind = "", name = ""] = key.split("/");
    const stored: Stored = {
      apiVersion: kind === "Deployment" ? "apps/v1" : "autoscaling.karmada.io/v1alpha1",
      kind,
      ...object,
      metadata: {
        namespace: "default",
        ...object.metadata,
        name,
        uid,
        generation: subresource === "status" ? generation : generation + 1,
        resourceVersion: String(this.#version),
      },
    };
    this.#objects.set(key, stored);
    return stored;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  deployments: "Deployment",
  federatedhpas: "FederatedHPA",
  cronfederatedhpas: "CronFederatedHPA",
};

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}

/** Nothing of it is asked for: the kinds of the vectors are known. */
export const NO_CACHE = {} as HubCache;
