import { Stack } from "aws-cdk-lib";
import { CfnAccessEntry } from "aws-cdk-lib/aws-eks";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { checkedHubs, type HubSettings } from "#lambda/hub-settings";
import type { EksClusterProps, HubProps } from "./props.ts";

/** The group that `mainsheet rbac` binds its rights to. */
const KUBERNETES_GROUP = "mainsheet";

const KUBECONFIG_FORMS =
  "{ secret } or { eks: { clusterName, clusterEndpoint, clusterCertificateAuthorityData } }";

/** How the functions reach the hubs: settings for their environment, secrets to read, entries into EKS clusters. */
export class HubAccess extends Construct {
  readonly settings: readonly HubSettings[];
  private readonly secrets = new Map<string, ISecret | Secret>();
  private readonly clusters = new Map<string, EksClusterProps>();

  constructor(scope: Construct, id: string, hubs: readonly HubProps[]) {
    super(scope, id);
    const settings = Array.isArray(hubs) ? hubs.map((hub) => this.settingsOf(hub)) : hubs;
    this.settings = checkedHubs(settings, "hubs", KUBECONFIG_FORMS);
    for (const { name, kubeconfig } of this.settings) {
      if ("path" in kubeconfig) {
        throw new Error(
          `hubs: hub ${name}: a function cannot read ${kubeconfig.path}; put it in a secret and name that`,
        );
      }
    }
    for (const { name, kubeconfig } of hubs) {
      if ("secret" in kubeconfig) this.secrets.set(name, this.secretOf(name, kubeconfig.secret));
      else if (kubeconfig.eks.accessEntries ?? true) this.clusters.set(name, kubeconfig.eks);
    }
  }

  /** Lets a function's role read the secrets and into the EKS clusters. */
  open(role: Role, functionName: string, actions: readonly string[]): void {
    const resources = [...new Set([...this.secrets.values()].map(arnPattern))];
    if (resources.length > 0) {
      role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources }));
    }
    for (const { encryptionKey } of this.secrets.values()) encryptionKey?.grantDecrypt(role);
    for (const [hub, { clusterName }] of this.clusters) {
      new CfnAccessEntry(this, `${hub}-${functionName}`, {
        clusterName,
        principalArn: role.roleArn,
        kubernetesGroups: [KUBERNETES_GROUP],
      });
    }
  }

  /** The rest of what was given goes through as it is, for the check to name what is wrong with it. */
  private settingsOf(hub: HubProps): unknown {
    const { kubeconfig, mode = "observe", ...rest } = hub ?? {};
    return { ...rest, kubeconfig: this.connectionOf(kubeconfig), mode };
  }

  private connectionOf(kubeconfig: HubProps["kubeconfig"] | undefined): unknown {
    if (typeof kubeconfig !== "object" || kubeconfig === null) return kubeconfig;
    if ("secret" in kubeconfig) {
      const { secret, ...rest } = kubeconfig;
      return { ...rest, secret: typeof secret === "object" ? secret.secretArn : secret };
    }
    if (!("eks" in kubeconfig) || typeof kubeconfig.eks !== "object") return kubeconfig;
    const { clusterName, clusterEndpoint, clusterCertificateAuthorityData, region } = kubeconfig.eks;
    return {
      eks: {
        cluster: clusterName,
        region: region ?? Stack.of(this).region,
        endpoint: clusterEndpoint,
        certificateAuthority: clusterCertificateAuthorityData,
      },
    };
  }

  private secretOf(name: string, secret: ISecret | Secret | string): ISecret | Secret {
    if (typeof secret === "object") return secret;
    return secret.startsWith("arn:")
      ? Secret.fromSecretCompleteArn(this, name, secret)
      : Secret.fromSecretNameV2(this, name, secret);
  }
}

/** A secret that goes by its name has six random characters behind it in its ARN. */
function arnPattern(secret: ISecret | Secret): string {
  return secret.secretFullArn ?? `${secret.secretArn}-??????`;
}
