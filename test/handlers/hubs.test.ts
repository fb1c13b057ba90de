import { afterEach, describe, expect, it } from "vitest";
import { hubPorts } from "#functions/hubs";
import { json, type Respond, stub } from "#test/unit/adapters/kubernetes/stub-server";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";

const credentials = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The hub of an environment that names an EKS cluster at this address. */
function eksHub(endpoint: string, env: Record<string, string>) {
  const eks = { cluster: "karmada-host", region: "eu-west-1", endpoint, certificateAuthority: "LS0t" };
  const hubs = [{ name: "eu", kubeconfig: { eks }, mode: "observe" }];
  const hub = hubPorts({ ...env, MAINSHEET_HUBS: JSON.stringify(hubs) }).eu;
  if (hub === undefined) throw new Error("no hub eu");
  closers.push(() => (hub.port as unknown as { close(): Promise<void> }).close());
  return hub;
}

const empty: Respond = (_, response) => json(response, 200, { metadata: {}, items: [] });

describe("a hub that is an EKS cluster", () => {
  it("is asked with a token that is made here, for that cluster and region", async () => {
    const server = await stub(empty);
    const { items } = await eksHub(server.url, credentials).port.list("hub", FEDERATED_HPAS);
    expect(items).toEqual([]);
    const [, token = ""] = server.received[0]?.headers.authorization?.split("Bearer k8s-aws-v1.") ?? [];
    const url = new URL(Buffer.from(token, "base64url").toString("utf8"));
    expect(url.host).toBe("sts.eu-west-1.amazonaws.com");
    expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("host;x-k8s-aws-id");
    expect(url.searchParams.get("X-Amz-Credential")).toMatch(/^AKIDEXAMPLE\//);
  });

  it("without credentials says what is missing, and asks nobody", async () => {
    const server = await stub(empty);
    await expect(eksHub(server.url, {}).port.list("hub", FEDERATED_HPAS)).rejects.toMatchObject({
      kind: "denied",
      message: expect.stringContaining("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    });
    expect(server.received).toEqual([]);
  });
});
