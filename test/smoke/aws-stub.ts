import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface AwsCall {
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any operation.
  readonly input: any;
}

/** Accepts what the functions send to AWS on this machine's loopback, and keeps it. */
export async function awsStub(): Promise<{ url: string; calls: AwsCall[]; close: () => void }> {
  const calls: AwsCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const operation = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
    const input = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    calls.push({ operation, input });
    response.setHeader("content-type", "application/x-amz-json-1.0");
    response.end(JSON.stringify(operation === "SendMessageBatch" ? accepted(input.Entries) : {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The SDK compares the digest with the body it sent. */
function accepted(entries: readonly { Id: string; MessageBody: string }[]): object {
  return {
    Successful: entries.map(({ Id, MessageBody }) => ({
      Id,
      MessageId: Id,
      MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex"),
    })),
    Failed: [],
  };
}
