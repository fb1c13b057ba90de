import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { PortFault } from "#ports/fault";

const client = new SecretsManagerClient({ maxAttempts: 3 });

/** The text of a secret by its ARN or name; `denied` or `missing` when there is none to be had, with what to do. */
export async function readSecret(id: string): Promise<string> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString) return SecretString;
  } catch (cause) {
    const kind = (cause as Error).name === "ResourceNotFoundException" ? "missing" : "denied";
    throw new PortFault(kind, `read secret ${id}: ${(cause as Error).message}; it should hold a kubeconfig`, {
      cause,
    });
  }
  throw new PortFault("invalid", `read secret ${id}: it is binary; it should hold a kubeconfig as text`);
}
