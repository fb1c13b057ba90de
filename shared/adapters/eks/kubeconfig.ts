import { PortFault } from "#ports/fault";
import { type AwsCredentials, eksToken } from "./token.ts";

export interface EksCluster {
  readonly cluster: string;
  readonly region: string;
  /** `https://….eks.amazonaws.com` */
  readonly endpoint: string;
  /** PEM in base64, as EKS gives it. */
  readonly certificateAuthority: string;
}

/**
 * A kubeconfig for an EKS cluster with a fresh token in it. Throws `denied` when the environment has no credentials.
 * Whoever keeps it reads it again well before the token's 15 minutes are over.
 */
export function eksKubeconfig(
  { cluster, region, endpoint, certificateAuthority }: EksCluster,
  env: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): string {
  const token = eksToken({ cluster, region, credentials: credentialsIn(env, cluster), nowMs });
  return JSON.stringify({
    "current-context": cluster,
    contexts: [{ name: cluster, context: { cluster, user: "function" } }],
    clusters: [
      { name: cluster, cluster: { server: endpoint, "certificate-authority-data": certificateAuthority } },
    ],
    users: [{ name: "function", user: { token } }],
  });
}

/** Lambda puts its role's credentials there. */
function credentialsIn(env: Readonly<Record<string, string | undefined>>, cluster: string): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    };
  }
  throw new PortFault(
    "denied",
    `make a token for EKS cluster ${cluster}: there are no AWS credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
  );
}
