import type { IncomingHttpHeaders } from "node:http";
import { parse as parseYaml } from "yaml";
import type { ApiServer, Patch, SelectionQuery, WriteOptions } from "#sim/api/api-server";
import { badRequest, type Outcome, refuse, unsupportedMediaType } from "#sim/api/failure";
import type { ResourceType } from "#sim/api/resource-type";
import type { Form } from "./accept.ts";
import type { ResourcePath } from "./api-path.ts";
import { decodeProtobuf } from "./protobuf.ts";

/** A request for a resource, as far as it is understood before its body is read. */
export interface ApiRequest {
  readonly server: ApiServer;
  readonly method: string;
  readonly path: ResourcePath;
  readonly type: ResourceType;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly form: Form;
  readonly nowMs: number;
}

export type RequestVerb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection";

/** The verb as Kubernetes' own request metrics name it; undefined for a method it does not know. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): RequestVerb | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      if (path.name !== undefined) return "get";
      return isTrue(query.get("watch")) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return path.name === undefined ? "deletecollection" : "delete";
    default:
      return undefined;
  }
}

export function isTrue(parameter: string | null): boolean {
  return parameter === "true" || parameter === "1";
}

export function selectionOf({ path, query }: ApiRequest): SelectionQuery {
  return {
    namespace: path.namespace,
    labelSelector: query.get("labelSelector") ?? undefined,
    fieldSelector: selectedFields(path, query),
  };
}

/** A watch of one name (`…/pods/web-0?watch=true`, deprecated but used) is a watch with that name selected. */
function selectedFields(path: ResourcePath, query: URLSearchParams): string | undefined {
  return query.get("fieldSelector") ?? (path.name === undefined ? undefined : `metadata.name=${path.name}`);
}

/** The options that all writes take. Who writes nothing about itself is known by its User-Agent, as upstream. */
export function writeOptionsOf({ query, headers, nowMs, path }: ApiRequest): Outcome<WriteOptions> {
  const dryRun = query.getAll("dryRun");
  if (dryRun.some((value) => value !== "All")) {
    return refuse(badRequest(`dryRun: Unsupported value: "${dryRun.join(",")}": supported values: "All"`));
  }
  const fieldValidation = query.get("fieldValidation") ?? "Warn";
  if (fieldValidation !== "Ignore" && fieldValidation !== "Warn" && fieldValidation !== "Strict") {
    return refuse(
      badRequest(
        `fieldValidation: Unsupported value: "${fieldValidation}": supported values: "", "Ignore", "Strict", "Warn"`,
      ),
    );
  }
  const agent = (headers["user-agent"] ?? "unknown").split("/")[0] ?? "unknown";
  return {
    ok: true,
    value: {
      nowMs,
      fieldManager: query.get("fieldManager") ?? agent,
      dryRun: dryRun.length > 0,
      fieldValidation,
      force: isTrue(query.get("force")),
      subresource: path.subresource === "status" ? "status" : undefined,
    },
  };
}

/** The body as JSON, whether it came as JSON, YAML or (of a few kinds) protobuf. An empty body is undefined. */
export function decodeBody(body: Buffer, contentType: string | undefined): Outcome<unknown> {
  if (body.length === 0) return { ok: true, value: undefined };
  const mediaType = mediaTypeOf(contentType);
  try {
    if (mediaType === "application/vnd.kubernetes.protobuf") return { ok: true, value: decodeProtobuf(body) };
    const text = body.toString("utf8");
    const isYaml = mediaType.endsWith("yaml") && !text.startsWith("{");
    return { ok: true, value: isYaml ? parseYaml(text) : JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return refuse(badRequest(`the request body cannot be decoded: ${why}`));
  }
}

const PATCH_TYPES: Readonly<Record<string, Patch["type"]>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** 415 for a patch of no known type: plain application/json is none (B104). */
export function patchTypeOf(contentType: string | undefined): Outcome<Patch["type"]> {
  const type = PATCH_TYPES[mediaTypeOf(contentType)];
  if (type !== undefined) return { ok: true, value: type };
  const accepted = Object.keys(PATCH_TYPES).join(", ");
  return refuse(
    unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    ),
  );
}

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
}
