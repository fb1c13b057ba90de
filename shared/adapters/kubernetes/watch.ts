import { isPortFault, PortFault } from "#ports/fault";
import type { WatchEvent } from "#ports/kubernetes";
import { faultOf, isObject, parseObject } from "./answer.ts";
import { type Call, type CallOptions, callOf } from "./call.ts";
import { type DeadlineClock, deadlineBy } from "./deadline.ts";
import { isKubeObject } from "./list.ts";
import { guarded, type Transport } from "./transport.ts";

export interface WatchSettings {
  readonly timeoutSeconds: number;
  /** To the headers, and past `timeoutSeconds` to the end. */
  readonly deadlineMs: number;
  /** Between two events or bookmarks; the API server sends a bookmark about once a minute. */
  readonly idleMs: number;
  readonly clock: DeadlineClock;
}

/**
 * The changes as they come. Ends when the server ends the stream or a signal aborts; throws `missing` when the version
 * is no longer held, and `unavailable` for a stream that hangs, breaks, or stops inside a line.
 */
export async function* watchAll(
  transport: Transport,
  options: CallOptions,
  settings: WatchSettings,
  ...signals: readonly (AbortSignal | undefined)[]
): AsyncGenerator<WatchEvent> {
  const call = callOf(options);
  const { clock } = settings;
  const limit = deadlineBy(clock, ...signals);
  const endsAtMs = clock.nowMs() + settings.timeoutSeconds * 1000 + settings.deadlineMs;
  let chunks: AsyncIterator<Uint8Array> | undefined;
  try {
    limit.arm(settings.deadlineMs);
    const answer = await transport.open(call, limit.signal);
    if (answer.status < 200 || answer.status > 299) {
      throw faultOf(call, { ...answer, body: await guarded(call, limit.signal, () => answer.body.text()) });
    }
    const stream = answer.body[Symbol.asyncIterator]();
    chunks = stream;
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      // The time that the reader takes over its events is not the server's.
      limit.arm(Math.max(0, Math.min(settings.idleMs, endsAtMs - clock.nowMs())));
      const { done, value } = await guarded(call, limit.signal, () => stream.next());
      limit.disarm();
      if (done === true) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.trim() !== "") yield eventIn(call, line);
      }
    }
    if (rest.trim() !== "") {
      throw new PortFault("unavailable", `${call.what}: the stream stopped inside a line`);
    }
  } catch (error) {
    if (limit.stopped() && isPortFault(error, "unavailable")) return;
    throw error;
  } finally {
    limit.release();
    await chunks?.return?.();
  }
}

function eventIn(call: Call, line: string): WatchEvent {
  const { type, object } = parseObject(call, line);
  if (type === "ERROR") {
    const code = isObject(object) && typeof object.code === "number" ? object.code : 500;
    throw faultOf(call, { status: code, headers: {}, body: JSON.stringify(object ?? {}) });
  }
  if (isKubeObject(object)) {
    if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") return { type, object };
    const { resourceVersion } = object.metadata;
    if (type === "BOOKMARK" && resourceVersion !== undefined) return { type, resourceVersion };
  }
  // To pass over what is not understood would be a gap that nobody sees.
  throw new PortFault("unavailable", `${call.what}: not a watch event: ${line.slice(0, 200)}`);
}
