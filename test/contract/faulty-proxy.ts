import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to one call on its way; nothing said means that it passes. */
export interface Interception {
  /** What is passed on instead of the input; false: nothing is. */
  readonly forward?: object | false;
  /** What is answered instead of the output. */
  readonly answer?: (output: Record<string, unknown>) => object;
  readonly status?: number;
  /** The connection breaks where the answer should come. */
  readonly lose?: boolean;
}

export type Intercept = (operation: string, input: Record<string, unknown>) => Interception | undefined;

export interface FaultyProxy {
  readonly endpoint: string;
  /** How many calls of an operation came by. */
  readonly calls: ReadonlyMap<string, number>;
  /** Looks at every call from now on, until another does. */
  intercept(by: Intercept): void;
  close(): Promise<void>;
}

/** A proxy in front of an AWS endpoint, which can do to calls what networks and services do. */
export async function faultyProxy(target: string): Promise<FaultyProxy> {
  let intercept: Intercept = () => undefined;
  const calls = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  async function work(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const operation = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    const { forward, answer, status, lose } = intercept(operation, JSON.parse(body.toString())) ?? {};
    const passed = forward === undefined ? body : Buffer.from(JSON.stringify(forward));
    const output = forward === false ? undefined : await pass(target, agent, request.headers, passed);
    if (lose === true) {
      request.socket.destroy();
      return;
    }
    const text =
      answer === undefined ? (output?.body ?? "") : JSON.stringify(answer(JSON.parse(output?.body || "{}")));
    response.writeHead(status ?? output?.status ?? 200, { "content-type": "application/x-amz-json-1.0" });
    response.end(text);
  }
  const server = createServer((request, response) => {
    // A client that went away, or a target that did: the connection breaks here too.
    work(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    intercept(by) {
      intercept = by;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** Breaks or refuses the first `times` calls of an operation. */
export function first(times: number, of: string, interception: Interception): Intercept {
  let left = times;
  return (operation) => {
    if (operation !== of || left === 0) return undefined;
    left -= 1;
    return interception;
  };
}

/** An error as these services answer it. */
export function refusal(name: string, status = 400): Interception {
  return { forward: false, status, answer: () => ({ __type: name, message: "as the test wants it" }) };
}

async function pass(target: string, agent: Agent, headers: IncomingHttpHeaders, body: Buffer) {
  const request = httpRequest(target, {
    method: "POST",
    headers: { ...headers, "content-length": body.length },
    agent,
  });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 500, body: (await bodyOf(response)).toString() };
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
