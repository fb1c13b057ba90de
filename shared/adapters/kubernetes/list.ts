import { PortFault } from "#ports/fault";
import type { KubeList, KubeObject } from "#ports/kubernetes";
import { isObject, objectIn } from "./answer.ts";
import { type Call, type CallOptions, callOf } from "./call.ts";
import type { Transport } from "./transport.ts";

/** A list that expires while it is read begins anew so often, then it is unavailable (B29). */
const MAX_RESTARTS = 2;

/** Every item of every page, each through `project`. A partial list is never returned. */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  options: CallOptions,
  pageSize: number,
  project: (item: KubeObject) => T,
  signal: AbortSignal | undefined,
): Promise<KubeList<T>> {
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
    const list = await listOnce(transport, options, pageSize, project, signal);
    if (list !== undefined) return list;
  }
  const { what } = callOf(options);
  throw new PortFault(
    "unavailable",
    `${what}: 410 gone, ${MAX_RESTARTS + 1} times: the list expires faster than it can be read`,
  );
}

/** All pages, or undefined when the continue token expired on the way. */
async function listOnce<T extends KubeObject>(
  transport: Transport,
  options: CallOptions,
  pageSize: number,
  project: (item: KubeObject) => T,
  signal: AbortSignal | undefined,
): Promise<KubeList<T> | undefined> {
  const items: T[] = [];
  let token: string | undefined;
  let resourceVersion = "";
  do {
    const call = callOf({ ...options, query: { ...options.query, limit: pageSize, continue: token } });
    const answer = await transport.send(call, signal);
    if (answer.status === 410 && token !== undefined) return undefined;
    const page = pageOf(call, objectIn(call, answer));
    for (const item of page.items) items.push(project(item));
    if (token === undefined) resourceVersion = page.resourceVersion;
    else if (page.token === token) {
      throw new PortFault("unavailable", `${call.what}: the server answers the same page for ever`);
    }
    token = page.token;
  } while (token !== undefined);
  return { items, resourceVersion };
}

interface Page {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly token: string | undefined;
}

function pageOf(call: Call, body: Record<string, unknown>): Page {
  // An empty Go slice is written as null; an answer without the field is no list, and must not count as an empty one.
  const items = body.items === null ? [] : body.items;
  if (!Array.isArray(items) || !items.every(isKubeObject)) {
    throw new PortFault("unavailable", `${call.what}: the answer is not a list of Kubernetes objects`);
  }
  const metadata = isObject(body.metadata) ? body.metadata : {};
  const { resourceVersion, continue: token } = metadata;
  return {
    items,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    token: typeof token === "string" && token !== "" ? token : undefined,
  };
}

export function isKubeObject(value: unknown): value is KubeObject {
  return isObject(value) && isObject(value.metadata);
}
