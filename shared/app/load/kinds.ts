import { isPortFault } from "#ports/fault";
import type { ApiResource, KubeObject, ResourceRef, Server } from "#ports/kubernetes";
import { CRDS, KNOWN_KINDS } from "#wire/kubernetes/resources";
import { decodeScalePaths, knownScalePaths, type ScalePaths } from "#wire/kubernetes/workload";
import type { LoadContext } from "./context.ts";

/** A kind that can be scaled, on one server. */
export interface ScalableKind {
  readonly resource: ResourceRef;
  /** Where its objects keep what `scale` shows; absent where only the `scale` subresource tells. */
  readonly paths?: ScalePaths;
}

/**
 * The kind as a server serves it; undefined when the server does not know it or cannot scale it. A member may serve
 * another version of the same group than the hub does. Kinds that are not known here are found by discovery, and their
 * paths in their CustomResourceDefinition; both are kept for 60 s, and a kind that is missing is looked for anew once.
 */
export async function scalableKind(
  context: LoadContext,
  at: Server,
  apiVersion: string,
  kind: string,
): Promise<ScalableKind | undefined> {
  const builtIn = KNOWN_KINDS[`${apiVersion}/${kind}`];
  const resource = builtIn ?? (await discovered(context, at, apiVersion, kind));
  if (resource === undefined) return undefined;
  const paths = knownScalePaths(apiVersion, kind) ?? (await declaredPaths(context, at, resource));
  return { resource, ...(paths === undefined ? {} : { paths }) };
}

async function discovered(
  { cache, nowMs }: LoadContext,
  at: Server,
  apiVersion: string,
  kind: string,
): Promise<ResourceRef | undefined> {
  const known = find(await cache.resources(at, nowMs), at, apiVersion, kind);
  if (known !== undefined || !cache.forget(at, nowMs)) return known;
  return find(await cache.resources(at, nowMs), at, apiVersion, kind);
}

function find(
  resources: readonly ApiResource[],
  at: Server,
  apiVersion: string,
  kind: string,
): ResourceRef | undefined {
  const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  const candidates = resources.filter((each) => each.kind === kind && each.group === group && each.scalable);
  const exact = candidates.find((each) => groupVersion(each) === apiVersion);
  const found = exact ?? (at === "hub" ? undefined : candidates[0]);
  return found && { group: found.group, version: found.version, resource: found.resource };
}

export function groupVersion({ group, version }: ResourceRef): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The paths that the kind's CRD declares; undefined where it has none, or where CRDs may not be read. */
async function declaredPaths(
  context: LoadContext,
  at: Server,
  resource: ResourceRef,
): Promise<ScalePaths | undefined> {
  const name = `${resource.resource}.${resource.group}`;
  const crd = await context.cache.object(at, name, context.nowMs, async () => {
    try {
      return await context.port.get<KubeObject>(at, CRDS, { name });
    } catch (error) {
      if (isPortFault(error, "missing", "denied")) return undefined;
      throw error;
    }
  });
  return crd && decodeScalePaths(crd, resource.version);
}
