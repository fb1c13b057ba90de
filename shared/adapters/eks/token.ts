import { createHash, createHmac } from "node:crypto";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface EksTokenRequest {
  /** The EKS cluster's name. */
  readonly cluster: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly nowMs: number;
}

/** How long EKS takes a token, from the instant it was signed. Ref: aws-iam-authenticator, "Token validation". */
export const TOKEN_LIFE_MS = 15 * 60_000;

/** The signature is sent on at once; the authenticator adds its own 15 minutes to the date. */
const EXPIRES_SECONDS = 60;
const PREFIX = "k8s-aws-v1.";
const CLUSTER_HEADER = "x-k8s-aws-id";

/**
 * The bearer token with which EKS knows the caller: a presigned GetCallerIdentity of the regional STS, as `aws eks
 * get-token` makes it, without the CLI (B103). It holds exactly the nine query parameters that the authenticator takes
 * (eight without a session). The same arguments give the same token; nothing is sent anywhere.
 *
 * Ref: AWS Signature Version 4, "Authenticating Requests: Using Query Parameters"; serverless 5.1.
 */
export function eksToken(request: EksTokenRequest): string {
  return PREFIX + Buffer.from(presignedUrl(request)).toString("base64url");
}

function presignedUrl({ cluster, region, credentials, nowMs }: EksTokenRequest): string {
  const host = `sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  const date = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const scope = [date.slice(0, 8), region, "sts", "aws4_request"];
  const { accessKeyId, sessionToken } = credentials;
  const query = Object.entries({
    Action: "GetCallerIdentity",
    Version: "2011-06-15",
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [accessKeyId, ...scope].join("/"),
    "X-Amz-Date": date,
    "X-Amz-Expires": String(EXPIRES_SECONDS),
    ...(sessionToken ? { "X-Amz-Security-Token": sessionToken } : {}),
    "X-Amz-SignedHeaders": `host;${CLUSTER_HEADER}`,
  })
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join("&");
  const canonical = [
    "GET",
    "/",
    query,
    `host:${host}`,
    `${CLUSTER_HEADER}:${cluster}`,
    "",
    `host;${CLUSTER_HEADER}`,
    sha256(""),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  return `https://${host}/?${query}&X-Amz-Signature=${hmac(key, toSign).toString("hex")}`;
}

/** Signature Version 4 escapes these four too, which encodeURIComponent leaves. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
