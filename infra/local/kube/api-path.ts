/** Where a request goes on one API server. */
export type ApiPath = ResourcePath | GroupVersionPath | GroupPath | DocumentPath;

export interface ResourcePath {
  readonly kind: "resource";
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** What follows the subresource: for the proxy of a cluster the path on the member, with its leading slash. */
  readonly rest: string;
}

export interface GroupVersionPath {
  readonly kind: "group-version";
  readonly apiVersion: string;
}

export interface GroupPath {
  readonly kind: "group";
  readonly group: string;
}

/** `/api`, `/apis`, `/version`, `/openapi/v3`, health checks, and all that is nothing. */
export interface DocumentPath {
  readonly kind: "document";
  readonly path: string;
}

/** `path` has no query; its segments are percent-decoded here. Throws URIError for a broken escape. */
export function parseApiPath(path: string): ApiPath {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [root, first, second] = segments;
  if (root === "api" && first !== undefined) return versionPath("", first, segments.slice(2));
  if (root === "apis" && first !== undefined) {
    if (second === undefined) return { kind: "group", group: decodeURIComponent(first) };
    return versionPath(first, `${first}/${second}`, segments.slice(3));
  }
  return { kind: "document", path: `/${segments.join("/")}` };
}

function versionPath(group: string, apiVersion: string, segments: readonly string[]): ApiPath {
  const parts = segments.map((segment) => decodeURIComponent(segment));
  const [first, second, third] = parts;
  if (first === undefined) return { kind: "group-version", apiVersion };
  // `namespaces/x/status` is a subresource of a Namespace, `namespaces/x/pods` are the pods in it.
  const inNamespace =
    first === "namespaces" &&
    second !== undefined &&
    third !== undefined &&
    !(group === "" && isNamespacePart(third));
  const [resource = "", name, subresource, ...rest] = inNamespace ? parts.slice(2) : parts;
  return {
    kind: "resource",
    apiVersion,
    group,
    resource,
    ...(inNamespace && second !== undefined ? { namespace: second } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest: `/${rest.join("/")}`,
  };
}

function isNamespacePart(segment: string): boolean {
  return segment === "status" || segment === "finalize";
}
