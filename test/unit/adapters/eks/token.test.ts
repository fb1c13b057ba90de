import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, it } from "vitest";
import { eksKubeconfig } from "#adapters/eks/kubeconfig";
import { type EksTokenRequest, eksToken, TOKEN_LIFE_MS } from "#adapters/eks/token";
import { credentials } from "#adapters/kubernetes/credentials";
import { readAccess } from "#adapters/kubernetes/kubeconfig";

const NOW_MS = Date.UTC(2026, 10, 30, 4, 5, 6, 789);
const request: EksTokenRequest = {
  cluster: "karmada-host",
  region: "eu-west-1",
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  nowMs: NOW_MS,
};
/** A real one has slashes, plus signs and padding. */
const SESSION = "FwoGZXIvYXdzEPz//+a(b)*c!'==";

function urlOf(token: string): URL {
  expect(token).toMatch(/^k8s-aws-v1\.[\w-]+$/);
  return new URL(Buffer.from(token.slice("k8s-aws-v1.".length), "base64url").toString("utf8"));
}

/** The AWS SDK's own signer, as an oracle. */
async function signatureBySdk(asked: EksTokenRequest): Promise<unknown> {
  class Sha256 {
    readonly #parts: Uint8Array[] = [];
    readonly #key: string | Uint8Array | undefined;
    constructor(key?: string | Uint8Array) {
      this.#key = key;
    }
    update(part: string | Uint8Array): void {
      this.#parts.push(Buffer.from(part as string));
    }
    async digest(): Promise<Uint8Array> {
      const hash = this.#key === undefined ? createHash("sha256") : createHmac("sha256", this.#key);
      for (const part of this.#parts) hash.update(part);
      return hash.digest();
    }
    reset(): void {
      this.#parts.length = 0;
    }
  }
  const signer = new SignatureV4({
    service: "sts",
    region: asked.region,
    // biome-ignore lint/suspicious/noExplicitAny: the signer's own types want every kind of source data.
    sha256: Sha256 as any,
    credentials: {
      ...asked.credentials,
      ...(asked.credentials.sessionToken === undefined
        ? {}
        : { sessionToken: asked.credentials.sessionToken }),
    } as { accessKeyId: string; secretAccessKey: string },
  });
  const host = `sts.${asked.region}.amazonaws.com`;
  const signed = await signer.presign(
    {
      method: "GET",
      protocol: "https:",
      hostname: host,
      path: "/",
      headers: { host, "x-k8s-aws-id": asked.cluster },
      query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
    },
    {
      expiresIn: 60,
      signingDate: new Date(asked.nowMs),
      unhoistableHeaders: new Set(["x-k8s-aws-id"]),
    },
  );
  return signed.query;
}

describe("a token for EKS (serverless 5.1)", () => {
  it.each([
    ["a user's keys", request],
    ["a role's session", { ...request, credentials: { ...request.credentials, sessionToken: SESSION } }],
    ["another region and cluster", { ...request, region: "ap-south-1", cluster: "hub-2" }],
  ])("of %s is signed as the AWS SDK signs it, to the letter", async (_of, asked) => {
    const url = urlOf(eksToken(asked));
    expect(url.host).toBe(`sts.${asked.region}.amazonaws.com`);
    expect(Object.fromEntries(url.searchParams)).toEqual(await signatureBySdk(asked));
  });

  it("holds only the parameters that the authenticator takes; any other is a plain 401", () => {
    const { searchParams } = urlOf(
      eksToken({ ...request, credentials: { ...request.credentials, sessionToken: SESSION } }),
    );
    expect([...searchParams.keys()].map((key) => key.toLowerCase()).sort()).toEqual([
      "action",
      "version",
      "x-amz-algorithm",
      "x-amz-credential",
      "x-amz-date",
      "x-amz-expires",
      "x-amz-security-token",
      "x-amz-signature",
      "x-amz-signedheaders",
    ]);
  });

  it("in China goes to China's STS", () => {
    expect(urlOf(eksToken({ ...request, region: "cn-north-1" })).host).toBe(
      "sts.cn-north-1.amazonaws.com.cn",
    );
  });
});

describe("a kubeconfig for EKS", () => {
  const cluster = {
    cluster: "karmada-host",
    region: "eu-west-1",
    endpoint: "https://ABC.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64"),
  };
  const env = {
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_SESSION_TOKEN: SESSION,
  };

  it("says where the cluster is, whom it trusts, and carries a token", async () => {
    const access = await readAccess(async () => eksKubeconfig(cluster, env, NOW_MS));
    expect(access.server).toBe(cluster.endpoint);
    expect(String(access.tls.ca)).toBe("-----BEGIN CERTIFICATE-----");
    const [, token = ""] = access.headers.authorization?.split(" ") ?? [];
    expect(urlOf(token).searchParams.get("X-Amz-Security-Token")).toBe(SESSION);
  });

  it("without credentials is denied, with what to set", () => {
    expect(() => eksKubeconfig(cluster, {}, NOW_MS)).toThrow(
      "make a token for EKS cluster karmada-host: there are no AWS credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  });

  it("a warm environment renews the token at least 60 s before it ends, for ever (B103)", async () => {
    let nowMs = NOW_MS;
    let signedAtMs = 0;
    const read = () =>
      readAccess(async () => {
        signedAtMs = nowMs;
        return eksKubeconfig(cluster, env, nowMs);
      });
    const held = credentials(read, 1_000, () => nowMs);
    const tokens = new Set<string | undefined>();
    for (const endMs = NOW_MS + 3_600_000; nowMs < endMs; nowMs += 15_000) {
      const { headers } = await held.current();
      tokens.add(headers.authorization);
      expect(nowMs - signedAtMs).toBeLessThanOrEqual(TOKEN_LIFE_MS - 60_000);
      expect(headers.authorization).toBe(
        `Bearer ${eksToken({ ...cluster, credentials: credentialsOf(), nowMs: signedAtMs })}`,
      );
    }
    // Every ten minutes, not at each slot.
    expect(tokens.size).toBe(6);

    function credentialsOf() {
      return {
        accessKeyId: env.AWS_ACCESS_KEY_ID,
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
        sessionToken: env.AWS_SESSION_TOKEN,
      };
    }
  });
});
