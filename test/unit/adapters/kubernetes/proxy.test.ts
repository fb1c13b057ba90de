import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hubFrom, json, pods, stub } from "./stub-server.ts";

const tunnels: { readonly to: string; readonly credentials: string | undefined }[] = [];
const proxy = createServer().on("connect", ({ url = "", headers }, socket) => {
  tunnels.push({ to: url, credentials: headers["proxy-authorization"] });
  const server = connect(Number(new URL(`http://${url}`).port), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.pipe(socket).pipe(server);
  });
  server.on("error", () => socket.destroy());
  socket.on("error", () => server.destroy());
});
beforeAll(async () => {
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterAll(() => {
  proxy.close();
});

it("proxy-url: requests go through one tunnel, with the proxy's own credentials", async () => {
  const server = await stub((_, response) => json(response, 200, { metadata: {}, items: [] }));
  const { port } = proxy.address() as AddressInfo;
  const hub = hubFrom(`
current-context: fleet
contexts: [{ name: fleet, context: { cluster: hub } }]
clusters: [{ name: hub, cluster: { server: '${server.url}', proxy-url: 'http://me:secret@127.0.0.1:${port}' } }]
`);
  for (let i = 0; i < 3; i++) await hub.list("hub", pods);
  expect(server.received).toHaveLength(3);
  expect(tunnels).toEqual([
    {
      to: server.url.replace("http://", ""),
      credentials: `Basic ${Buffer.from("me:secret").toString("base64")}`,
    },
  ]);
});
