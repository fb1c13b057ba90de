/**
 * What an adapter may throw, and nothing else. The vendor's error is always the `cause`.
 *
 * - `throttled`    the other side asked us to slow down; `retryAfterMs` says by how much, where it said so
 * - `unavailable`  no answer, a 5xx, a time-out or a broken connection: nothing is known about the effect of a write
 * - `conflict`     a precondition did not hold (409, failed condition)
 * - `missing`      the thing, or its kind, is not there (404)
 * - `denied`       401 or 403
 * - `invalid`      the other side refuses the request as it stands (400, 413, 415, 422); the same again is refused again
 */
export type PortFaultKind = "throttled" | "unavailable" | "conflict" | "missing" | "denied" | "invalid";

export class PortFault extends Error {
  readonly kind: PortFaultKind;
  readonly retryAfterMs: number | undefined;

  /** `what` says what was tried, on what, and what came back: `update scale Deployment shop/web: 409 …`. */
  constructor(kind: PortFaultKind, what: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(what, { cause: options.cause });
    this.name = "PortFault";
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Whether this is a port's fault, of one of these kinds where any are named. */
export function isPortFault(error: unknown, ...kinds: PortFaultKind[]): error is PortFault {
  return error instanceof PortFault && (kinds.length === 0 || kinds.includes(error.kind));
}
