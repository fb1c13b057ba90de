import type { Admission, ApiServer, WriteOptions } from "#sim/api/api-server";
import type { Outcome, Status } from "#sim/api/failure";
import { seededIds } from "#sim/api/ids";
import { NAMESPACES } from "#sim/api/kinds/core";
import type { KubeObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { hubCatalogue } from "#sim/api/resources";
import type { Definitions } from "#sim/api/schema";
import { createApiServer } from "#sim/api/server";
import { Store, type StoreOptions } from "#sim/api/store";

export const T0 = Date.parse("2026-03-02T09:00:00Z");
export const AT: WriteOptions = { nowMs: T0, fieldManager: "tester" };

export interface HubOptions {
  readonly store?: StoreOptions;
  readonly admission?: readonly Admission[];
  /** The schemas of the built-in kinds, for tests that depend on them: they take a moment to load. */
  readonly definitions?: Definitions;
}

/** A hub with the namespace `default` and nothing else. */
export function hub(options: HubOptions = {}): ApiServer {
  const api = createApiServer({
    name: "hub",
    store: new Store(options.store),
    catalogue: hubCatalogue(options.definitions),
    ids: seededIds("test"),
    admission: options.admission ?? [],
  });
  value(api.create(NAMESPACES, object({ metadata: { name: "default" } }), { nowMs: T0 }));
  return api;
}

/** Tests write objects as people do: without what the server fills in. */
export function object(fields: Record<string, unknown>): KubeObject {
  return fields as unknown as KubeObject;
}

export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.value;
}

export function refusal(outcome: Outcome<unknown>): Status {
  if (outcome.ok) throw new Error("expected a refusal, but it was done");
  return outcome.status;
}

export function named(name: string) {
  return { namespace: "default", name };
}

export function karmadaType(api: ApiServer, apiVersion: string, resource: string): ResourceType {
  const type = api.catalogue.find(apiVersion, resource);
  if (type === undefined) throw new Error(`the hub serves no ${resource} of ${apiVersion}`);
  return type;
}

export function deployment(
  name: string,
  spec: Record<string, unknown> = {},
  metadata: object = {},
): KubeObject {
  return object({
    metadata: { name, namespace: "default", ...metadata },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "main", image: "nginx" }] },
      },
      ...spec,
    },
  });
}

export function configMap(
  name: string,
  data: Record<string, string> = {},
  metadata: object = {},
): KubeObject {
  return object({ metadata: { name, namespace: "default", ...metadata }, data });
}

export function federatedHpa(name: string, spec: Record<string, unknown> = {}): KubeObject {
  return object({
    metadata: { name, namespace: "default" },
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name }, maxReplicas: 10, ...spec },
  });
}
