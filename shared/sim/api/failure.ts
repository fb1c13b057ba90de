/**
 * Refusals in the API server's own form (`metav1.Status`). kubectl prints `message`, clients branch on `reason` and
 * `code`, so the wording follows k8s.io/apimachinery v0.36 pkg/api/errors.
 */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly continue?: string };
  readonly status: "Failure";
  readonly message: string;
  readonly reason: StatusReason;
  readonly details?: StatusDetails;
  readonly code: number;
}

export type StatusReason =
  | "AlreadyExists"
  | "BadRequest"
  | "Conflict"
  | "Expired"
  | "Forbidden"
  | "GatewayTimeout"
  | "InternalError"
  | "Invalid"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "NotFound"
  | "RequestEntityTooLarge"
  | "ServiceUnavailable"
  | "Timeout"
  | "TooManyRequests"
  | "UnsupportedMediaType";

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** What an operation gives back: its value with the warnings to show, or the refusal. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly string[] }
  | { readonly ok: false; readonly status: Status };

/** The group and plural a refusal talks about. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

export function refuse(status: Status): { readonly ok: false; readonly status: Status } {
  return { ok: false, status };
}

function failure(code: number, reason: StatusReason, message: string, details?: StatusDetails): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  };
}

/** `deployments.apps "nginx"`, as every message names an object. */
function quoted(type: ResourceName, name: string): string {
  return `${type.group === "" ? type.resource : `${type.resource}.${type.group}`} "${name}"`;
}

function about(type: ResourceName, name: string): StatusDetails {
  return { name, ...(type.group === "" ? {} : { group: type.group }), kind: type.resource };
}

export function notFound(type: ResourceName, name: string): Status {
  return failure(404, "NotFound", `${quoted(type, name)} not found`, about(type, name));
}

/** The path leads to nothing at all: no such group, version or resource. */
export function pathNotFound(): Status {
  return failure(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExists(type: ResourceName, name: string): Status {
  return failure(409, "AlreadyExists", `${quoted(type, name)} already exists`, about(type, name));
}

/** A write whose resourceVersion is not the object's any more. */
export function staleVersion(type: ResourceName, name: string): Status {
  return conflict(
    type,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

export function conflict(type: ResourceName, name: string, why: string): Status {
  return failure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${quoted(type, name)}: ${why}`,
    about(type, name),
  );
}

/** Server-side apply against fields that others own; one cause per field. */
export function applyConflict(message: string, causes: readonly StatusCause[]): Status {
  return failure(409, "Conflict", message, { causes });
}

export function invalid(
  type: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly StatusCause[],
): Status {
  const texts = causes.map((cause) => `${cause.field ?? "<nil>"}: ${cause.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const kind = type.group === "" ? type.kind : `${type.kind}.${type.group}`;
  return failure(422, "Invalid", `${kind} "${name}" is invalid: ${list}`, {
    name,
    ...(type.group === "" ? {} : { group: type.group }),
    kind: type.kind,
    causes,
  });
}

export function badRequest(message: string): Status {
  return failure(400, "BadRequest", message);
}

/** `code` 400 for a webhook that could not read the object, 403 for one that refuses it. */
export function denied(webhook: string, message: string, code: 400 | 403): Status {
  const text = `admission webhook ${JSON.stringify(webhook)} denied the request: ${message}`;
  return code === 403 ? failure(403, "Forbidden", text) : failure(400, "BadRequest", text);
}

/** A patch that cannot be carried out on the object. */
export function unprocessable(type: ResourceName, name: string, cause: string): Status {
  return failure(422, "Invalid", "the server rejected our request due to an error in our request", {
    ...about(type, name),
    causes: [{ reason: "UnexpectedServerResponse", message: cause }],
  });
}

export function internalError(message: string): Status {
  return failure(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ reason: "InternalError", message }],
  });
}

export function forbidden(message: string, details?: StatusDetails): Status {
  return failure(403, "Forbidden", message, details);
}

/** A resourceVersion older than the history that is kept. */
export function expired(message: string): Status {
  return failure(410, "Expired", message);
}

/** A continue token older than the history; `inconsistent` goes on from there with what is stored now. */
export function continueExpired(inconsistent: string): Status {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
    "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
    "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
    "modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return { ...expired(message), metadata: { continue: inconsistent } };
}

/** A read at a resourceVersion that does not exist yet. */
export function versionTooLarge(wanted: number, current: number): Status {
  const message = `Too large resource version: ${wanted}, current: ${current}`;
  return failure(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

export function methodNotAllowed(message: string): Status {
  return failure(405, "MethodNotAllowed", message, {});
}

export function notAcceptable(message: string): Status {
  return failure(406, "NotAcceptable", message);
}

export function unsupportedMediaType(message: string): Status {
  return failure(415, "UnsupportedMediaType", message);
}

export function entityTooLarge(limitBytes: number): Status {
  return failure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limitBytes}`);
}

export function unavailable(message: string): Status {
  return failure(503, "ServiceUnavailable", message);
}

export function gatewayTimeout(message: string): Status {
  return failure(504, "GatewayTimeout", message);
}

export function tooManyRequests(message: string, retryAfterSeconds: number): Status {
  return failure(429, "TooManyRequests", message, { retryAfterSeconds });
}
