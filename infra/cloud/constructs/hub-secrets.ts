import type { IGrantable } from "aws-cdk-lib/aws-iam";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { HubSettings } from "#lambda/environment";

/** The hubs' kubeconfigs: secrets that the user has made, found by name or ARN. */
export class HubSecrets extends Construct {
  private readonly secrets: readonly ISecret[];

  constructor(scope: Construct, id: string, hubs: readonly HubSettings[]) {
    super(scope, id);
    this.secrets = hubs.map(({ name, kubeconfig }) => {
      if ("path" in kubeconfig) {
        throw new Error(
          `hub ${name}: a function cannot read ${kubeconfig.path}; put it in a secret and name that`,
        );
      }
      return kubeconfig.secret.startsWith("arn:")
        ? Secret.fromSecretCompleteArn(this, name, kubeconfig.secret)
        : Secret.fromSecretNameV2(this, name, kubeconfig.secret);
    });
  }

  grantRead(grantee: IGrantable): void {
    for (const secret of this.secrets) secret.grantRead(grantee);
  }
}
