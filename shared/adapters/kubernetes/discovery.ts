import type { ApiResource, Server } from "#ports/kubernetes";
import { faultKind, isObject, objectIn } from "./answer.ts";
import { discoveryCall } from "./call.ts";
import type { Transport } from "./transport.ts";

/** The aggregated form first; a server that does not know it answers the older one. */
const ACCEPT = [
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json",
].join(",");

/** Reads `/api` and `/apis`: two requests where the server aggregates, one more per version where it does not. */
export async function discoverAll(
  transport: Transport,
  at: Server,
  signal: AbortSignal | undefined,
): Promise<ApiResource[]> {
  const [core, groups] = await Promise.all([read(["api"]), read(["apis"])]);
  return [...core, ...groups];

  async function read(segments: readonly string[]): Promise<ApiResource[]> {
    const call = discoveryCall(at, segments, ACCEPT);
    const body = objectIn(call, await transport.send(call, signal));
    if (body.kind === "APIGroupDiscoveryList") return aggregated(body);
    const versions = groupVersions(body);
    return (await Promise.all(versions.map(readVersion))).flat();
  }

  async function readVersion({ group, version }: GroupVersion): Promise<ApiResource[]> {
    const segments = group === "" ? ["api", version] : ["apis", group, version];
    const call = discoveryCall(at, segments, "application/json");
    const answer = await transport.send(call, signal);
    // An extension server that is away takes its own group with it, as in the aggregated form, not the others.
    const kind = faultKind(answer.status);
    if (answer.status >= 400 && (kind === "unavailable" || kind === "missing")) return [];
    return resourcesOfVersion(group, version, objectIn(call, answer));
  }
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** apidiscovery.k8s.io/v2 and v2beta1. */
function aggregated(body: Record<string, unknown>): ApiResource[] {
  return objects(body.items).flatMap((group) => {
    const name = isObject(group.metadata) ? text(group.metadata.name) : "";
    return objects(group.versions).flatMap((version) =>
      objects(version.resources)
        .filter((resource) => hasEntries(resource.verbs))
        .map((resource) => ({
          group: name,
          version: text(version.version),
          resource: text(resource.resource),
          kind: isObject(resource.responseKind) ? text(resource.responseKind.kind) : "",
          namespaced: resource.scope === "Namespaced",
          scalable: objects(resource.subresources).some((sub) => sub.subresource === "scale"),
        })),
    );
  });
}

/** APIVersions (of `/api`) or APIGroupList (of `/apis`), each group's preferred version first. */
function groupVersions(body: Record<string, unknown>): GroupVersion[] {
  if (Array.isArray(body.versions))
    return body.versions.map((version) => ({ group: "", version: text(version) }));
  return objects(body.groups).flatMap((group) => {
    const preferred = isObject(group.preferredVersion) ? text(group.preferredVersion.version) : "";
    const versions = objects(group.versions).map(({ version }) => text(version));
    return [...new Set(versions.includes(preferred) ? [preferred, ...versions] : versions)].map(
      (version) => ({
        group: text(group.name),
        version,
      }),
    );
  });
}

/** An APIResourceList, where subresources stand beside their resources as `deployments/scale`. */
function resourcesOfVersion(group: string, version: string, body: Record<string, unknown>): ApiResource[] {
  const listed = objects(body.resources);
  const names = new Set(listed.map(({ name }) => text(name)));
  return listed
    .filter((resource) => !text(resource.name).includes("/") && hasEntries(resource.verbs))
    .map((resource) => ({
      group: text(resource.group) || group,
      version: text(resource.version) || version,
      resource: text(resource.name),
      kind: text(resource.kind),
      namespaced: resource.namespaced === true,
      scalable: names.has(`${text(resource.name)}/scale`),
    }));
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
