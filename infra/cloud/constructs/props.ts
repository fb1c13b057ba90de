import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";
import type { ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { EventMapping } from "#infra/event-mapping";
import type { ControllerSettings } from "#lambda/policy-environment";

/** What a `Mainsheet` can be told. Only `hubs` must be given. What is wrong fails at synth, with one sentence. */
export interface MainsheetProps {
  /** The Karmada hubs to work for, at least one, each under a name of its own. */
  readonly hubs: readonly HubProps[];

  /**
   * The controller's settings, for all hubs; Karmada's flags by their names (`tolerance`, `syncPeriodSeconds`,
   * `cpuInitializationPeriodSeconds`, `initialReadinessDelaySeconds`, `downscaleStabilizationSeconds`) and what
   * Mainsheet adds (`lostCluster`, `lostClusterHoldSeconds`, `caughtUpCheck`, `allowExternal`, `allowMinZero`).
   * Default: Karmada's defaults, and `lostCluster: "hold"`.
   */
  readonly controller?: ControllerSettings;

  /** What the functions log: `all` decisions, or those that scale, change a condition or fail. Default: `changes`. */
  readonly logDecisions?: "all" | "changes";

  /**
   * Which decisions are kept with all that they were computed from: `changes` (scales, changed conditions, failures),
   * `all`, or `sample:N` for the changes and every N-th evaluation. Each is one write of some KB. Default: `changes`.
   */
  readonly ledgerDecisions?: string;

  /** How many days they are kept. Default: 14. */
  readonly ledgerDays?: number;

  /** How many days log lines are kept: a number that CloudWatch Logs offers. Default: 30. */
  readonly logRetentionDays?: number;

  /** Whether invocations are traced with X-Ray, which is paid by the trace. Default: false. */
  readonly tracing?: boolean;

  /**
   * The network of a private hub: the functions that talk to hubs run there. It must lead to DynamoDB, SQS, EventBridge,
   * Secrets Manager, CloudWatch and the hub, through endpoints or NAT. Default: no VPC.
   */
  readonly vpc?: VpcProps;

  /** Whether the table refuses to be deleted. It outlives its stack either way. Default: false. */
  readonly deletionProtection?: boolean;

  /** Whether the table can be restored to any second of the last 35 days. Default: true. */
  readonly pointInTimeRecovery?: boolean;

  /** How many days the bus keeps its events for a replay; 0 keeps none. Default: 30. */
  readonly archiveDays?: number;

  /**
   * Rules of your own: events on the account's bus, or on Mainsheet's, that have FederatedHPAs evaluated at once
   * (docs/events.md). Default: none.
   */
  readonly events?: readonly EventMapping[];

  /** Who is told of alarms. Default: nobody; the alarms only show. */
  readonly alarmTopic?: ITopic;

  /** About how many members the hubs have, for the dashboard's cost line. Default: 5. */
  readonly clusters?: number;

  /** The folder with one bundle per function, as `bundleFunctions` writes it. Default: they are built at synth. */
  readonly bundles?: string;
}

/** One Karmada hub. */
export interface HubProps {
  /** Its name in keys, logs, events and metrics; lower-case letters, digits and dashes. */
  readonly name: string;

  /**
   * How the hub is reached. `secret`: a Secrets Manager secret whose text is a kubeconfig, by itself, its full ARN or its
   * name. `eks`: a hub whose API server is an EKS cluster; tokens are made from the functions' roles, which get access
   * entries in the Kubernetes group `mainsheet`.
   */
  readonly kubeconfig: { readonly secret: ISecret | Secret | string } | { readonly eks: EksClusterProps };

  /** The kubeconfig's context. Default: its current one. */
  readonly context?: string;

  /**
   * `observe` decides and records and writes nothing to the hub; `active` scales. Switch Karmada's own controllers off
   * before `active` (docs/operations.md). Default: `observe`.
   */
  readonly mode?: "observe" | "active";

  /** Namespaces that are active on a hub that is not. Default: none. */
  readonly activeNamespaces?: readonly string[];

  /**
   * Whether a function watches the hub, so that changes are evaluated within a second. It runs all the time, which is
   * paid (`mainsheet cost --relays 1`); `mainsheet relay` in a cluster does the same. Default: false.
   */
  readonly relay?: boolean;
}

/** What is needed of an EKS cluster: any `ICluster`, or these texts. */
export interface EksClusterProps {
  readonly clusterName: string;
  /** `https://….eks.amazonaws.com` */
  readonly clusterEndpoint: string;
  /** The certificate authority, PEM in base64. */
  readonly clusterCertificateAuthorityData: string;
  /** Default: the stack's region. */
  readonly region?: string;
  /** Whether the functions' roles get access entries; false where somebody else maps them. Default: true. */
  readonly accessEntries?: boolean;
}

export interface VpcProps {
  readonly vpc: IVpc;
  /** Default: its private subnets. */
  readonly vpcSubnets?: SubnetSelection;
  /** Default: one of their own that lets everything out. */
  readonly securityGroups?: ISecurityGroup[];
}
