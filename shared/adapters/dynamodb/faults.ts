import { PortFault, type PortFaultKind } from "#ports/fault";

/** By the exception's name; everything else by its HTTP status, and without an answer it is `unavailable`. */
const KINDS: Readonly<Record<string, PortFaultKind>> = {
  ConditionalCheckFailedException: "conflict",
  ProvisionedThroughputExceededException: "throttled",
  RequestLimitExceeded: "throttled",
  ThrottlingException: "throttled",
  ResourceNotFoundException: "missing",
  ResourceInUseException: "unavailable",
  AccessDeniedException: "denied",
  ExpiredTokenException: "denied",
  UnrecognizedClientException: "denied",
  CredentialsProviderError: "denied",
};

/** The fault of a request that failed; `what` says what was tried. */
export function tableFault(what: string, error: unknown): PortFault {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const kind = KINDS[name] ?? kindOfStatus($metadata?.httpStatusCode);
  return new PortFault(kind, `${what}: ${name}: ${message}`, { cause: error });
}

function kindOfStatus(status: number | undefined): PortFaultKind {
  if (status === 429) return "throttled";
  return status !== undefined && status >= 400 && status < 500 ? "invalid" : "unavailable";
}
