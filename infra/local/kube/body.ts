import type { IncomingMessage } from "node:http";

/** As kube-apiserver: three MiB. */
export const BODY_LIMIT_BYTES = 3 * 1024 * 1024;

/** The whole body; undefined when it is too large: then it is read to its end and forgotten, so that an answer can go out. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return length > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}
