import { rm } from "node:fs/promises";
import type { Stack } from "aws-cdk-lib";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MainsheetProps } from "#infra/cloud/constructs/props";
import { TOPOLOGY, type Topology } from "#infra/topology";
import { type Resource, resourcesOf, stackOf, standInBundles } from "#test/infra/stack";

const topology: Topology = TOPOLOGY;
const eks = {
  clusterName: "eu",
  clusterEndpoint: "https://ABC.gr7.eu-west-1.eks.amazonaws.com",
  clusterCertificateAuthorityData: "LS0t",
};

let bundles: string;
beforeAll(async () => {
  bundles = await standInBundles();
});
afterAll(() => rm(bundles, { recursive: true }));

function ofType(resources: Record<string, Resource>, type: string): Resource["Properties"][] {
  return Object.values(resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
}

function environments(resources: Record<string, Resource>): Record<string, unknown>[] {
  return ofType(resources, "AWS::Lambda::Function").map(({ Environment }) => Environment.Variables);
}

describe("two hubs that are observed, with props as documented", () => {
  let stack: Stack;
  let resources: Record<string, Resource>;
  beforeAll(() => {
    stack = stackOf(bundles, {
      hubs: [
        { name: "eu", kubeconfig: { secret: "eu/kubeconfig" }, context: "karmada-apiserver" },
        { name: "us", kubeconfig: { eks: { ...eks, region: "us-east-1" } }, activeNamespaces: ["shop"] },
      ],
      controller: {
        tolerance: 0.2,
        syncPeriodSeconds: 30,
        cpuInitializationPeriodSeconds: 120,
        initialReadinessDelaySeconds: 10,
        downscaleStabilizationSeconds: 600,
        upscaleDelaySeconds: 180,
        downscaleDelaySeconds: 300,
        lostCluster: "assume-equal",
        lostClusterHoldSeconds: 600,
        caughtUpCheck: false,
        allowExternal: false,
        allowMinZero: false,
      },
      logDecisions: "all",
      logRetentionDays: 90,
      tracing: true,
      deletionProtection: true,
      pointInTimeRecovery: false,
      archiveDays: 7,
    });
    resources = resourcesOf(stack);
  }, 60_000);

  it("every function is told all of it", () => {
    const told = environments(resources);
    expect(told).toHaveLength(Object.keys(topology.functions).length);
    for (const variables of told) {
      expect(JSON.parse(String(variables.MAINSHEET_HUBS))).toEqual([
        {
          name: "eu",
          context: "karmada-apiserver",
          kubeconfig: { secret: "eu/kubeconfig" },
          mode: "observe",
        },
        {
          name: "us",
          activeNamespaces: ["shop"],
          kubeconfig: {
            eks: {
              cluster: "eu",
              region: "us-east-1",
              endpoint: eks.clusterEndpoint,
              certificateAuthority: "LS0t",
            },
          },
          mode: "observe",
        },
      ]);
      expect(variables).toMatchObject({
        TOLERANCE: "0.2",
        SYNC_PERIOD_SECONDS: "30",
        CPU_INITIALIZATION_PERIOD_SECONDS: "120",
        INITIAL_READINESS_DELAY_SECONDS: "10",
        DOWNSCALE_STABILIZATION_SECONDS: "600",
        LOST_CLUSTER: "assume-equal",
        LOST_CLUSTER_HOLD_SECONDS: "600",
        CAUGHT_UP_CHECK: "false",
        ALLOW_EXTERNAL: "false",
        ALLOW_MIN_ZERO: "false",
        LOG_DECISIONS: "all",
      });
    }
  });

  it("logs, traces, the table and the bus are as asked", () => {
    expect(ofType(resources, "AWS::Logs::LogGroup").map(({ RetentionInDays }) => RetentionInDays)).toEqual(
      Object.keys(topology.functions).map(() => 90),
    );
    for (const { TracingConfig } of ofType(resources, "AWS::Lambda::Function")) {
      expect(TracingConfig).toEqual({ Mode: "Active" });
    }
    expect(ofType(resources, "AWS::DynamoDB::GlobalTable")).toMatchObject([
      {
        Replicas: [
          {
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
          },
        ],
      },
    ]);
    expect(ofType(resources, "AWS::Events::Archive")).toMatchObject([{ RetentionDays: 7 }]);
  });

  it("an EKS hub lets in the functions that talk to it, in the group that `mainsheet rbac` binds", () => {
    const entries = ofType(resources, "AWS::EKS::AccessEntry");
    const talking = Object.values(topology.functions).filter(({ hub }) => hub);
    expect(entries).toHaveLength(talking.length);
    for (const entry of entries) {
      expect(entry).toMatchObject({ ClusterName: "eu", KubernetesGroups: ["mainsheet"] });
    }
  });
});

describe("what is not asked for", () => {
  let resources: Record<string, Resource>;
  beforeAll(() => {
    resources = resourcesOf(stackOf(bundles));
  }, 60_000);

  it("hubs are observed, not written to", () => {
    for (const { MAINSHEET_HUBS } of environments(resources)) {
      expect(JSON.parse(String(MAINSHEET_HUBS))).toMatchObject([{ mode: "observe" }]);
    }
  });

  it("functions run in no VPC, without traces, and decide by Karmada's defaults", () => {
    for (const { VpcConfig, TracingConfig, Environment } of ofType(resources, "AWS::Lambda::Function")) {
      expect([VpcConfig, TracingConfig]).toEqual([undefined, undefined]);
      expect(Environment.Variables).not.toHaveProperty("TOLERANCE");
    }
  });

  it("the table can be restored, and the bus keeps 30 days", () => {
    expect(ofType(resources, "AWS::DynamoDB::GlobalTable")[0].Replicas[0]).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect(ofType(resources, "AWS::Events::Archive")).toMatchObject([{ RetentionDays: 30 }]);
    expect(ofType(resourcesOf(stackOf(bundles, { archiveDays: 0 })), "AWS::Events::Archive")).toEqual([]);
  });
});

describe("a private hub", () => {
  it("only the functions that talk to it run in its VPC, and their code may not touch networks", () => {
    const resources = resourcesOf(
      stackOf(bundles, (stack) => ({
        vpc: {
          vpc: Vpc.fromVpcAttributes(stack, "Vpc", {
            vpcId: "vpc-0123456789abcdef0",
            availabilityZones: ["eu-west-1a"],
            privateSubnetIds: ["subnet-0123456789abcdef0"],
          }),
          securityGroups: [SecurityGroup.fromSecurityGroupId(stack, "Group", "sg-0123456789abcdef0")],
        },
      })),
    );
    const inside = Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
      Type === "AWS::Lambda::Function" && Properties.VpcConfig ? [[id, Properties.VpcConfig]] : [],
    );
    const talking = Object.keys(topology.functions).filter((name) => topology.functions[name]?.hub);
    expect(inside.map(([id]) => /Function(\w+)Function/.exec(id)?.[1])).toEqual(talking);
    for (const [, config] of inside) {
      expect(config).toEqual({
        SubnetIds: ["subnet-0123456789abcdef0"],
        SecurityGroupIds: ["sg-0123456789abcdef0"],
      });
    }
    const denied = ofType(resources, "AWS::IAM::Policy").flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Deny"),
    );
    expect(denied).toHaveLength(talking.length);
  });
});

describe("secrets", () => {
  const granted = (resources: Record<string, Resource>) =>
    ofType(resources, "AWS::IAM::Policy").flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.filter(
        ({ Action }: { Action: string }) => Action === "secretsmanager:GetSecretValue",
      ).map(({ Resource }: { Resource: unknown }) => Resource),
    );

  it("by its full ARN is granted by it", () => {
    const secret = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:hub-AbCdEf";
    const resources = resourcesOf(stackOf(bundles, { hubs: [{ name: "hub", kubeconfig: { secret } }] }));
    expect(new Set(granted(resources))).toEqual(new Set([secret]));
  });

  it("of the same app is granted and named by its own ARN", () => {
    const stack = stackOf(bundles, (scope) => ({
      hubs: [{ name: "hub", kubeconfig: { secret: new Secret(scope, "Kubeconfig") } }],
    }));
    const resources = resourcesOf(stack);
    const [first] = granted(resources);
    expect(first).toMatchObject({ Ref: expect.stringMatching(/^Kubeconfig/) });
    expect(JSON.stringify(environments(resources)[0])).toContain(JSON.stringify(first));
  });
});

describe("wrong props fail at synth with one sentence", () => {
  const hub = { name: "eu", kubeconfig: { secret: "eu" } } as const;
  const hubs = (...list: readonly unknown[]) => ({ hubs: list }) as unknown as Partial<MainsheetProps>;
  const controller = (settings: object) => ({ controller: settings }) as Partial<MainsheetProps>;

  it.each<[string, Partial<MainsheetProps>]>([
    ["hubs: give at least one hub", hubs()],
    ["hubs: give a list of hubs", { hubs: "eu" } as unknown as Partial<MainsheetProps>],
    ["hubs: hub 1, name: give a name", hubs({ kubeconfig: { secret: "eu" } })],
    [
      "hubs: hub EU, name: allowed are lower-case letters, digits and dashes, 63 at most",
      hubs({ ...hub, name: "EU" }),
    ],
    ["hubs: two hubs are called eu; give each its own name", hubs(hub, { ...hub })],
    [
      "hubs: hub eu, kubeconfig: give { secret } or { eks: { clusterName, clusterEndpoint, clusterCertificateAuthorityData } }",
      hubs({ name: "eu" }),
    ],
    [
      "hubs: hub eu: a function cannot read /etc/kubeconfig; put it in a secret and name that",
      hubs({ name: "eu", kubeconfig: { path: "/etc/kubeconfig" } }),
    ],
    ["hubs: hub eu, mode: allowed are observe and active", hubs({ ...hub, mode: "on" })],
    [
      "hubs: hub eu: there is no activeNamespace; there are name, kubeconfig, context, mode, activeNamespaces, relay",
      hubs({ ...hub, activeNamespace: ["shop"] }),
    ],
    [
      "hubs: hub eu, activeNamespaces.0: a namespace has no such name",
      hubs({ ...hub, activeNamespaces: ["Shop!"] }),
    ],
    [
      "hubs: hub eu: activeNamespaces goes with mode observe; mode active means every namespace",
      hubs({ ...hub, mode: "active", activeNamespaces: ["shop"] }),
    ],
    [
      "hubs: their settings take 3124 of the 3000 bytes that a function's environment has for them; put EKS hubs' kubeconfigs into secrets, or split the hubs over two Mainsheets",
      hubs({
        name: "eu",
        kubeconfig: {
          eks: { ...eks, region: "eu-west-1", clusterCertificateAuthorityData: "x".repeat(2_920) },
        },
      }),
    ],
    ["controller.tolerance is 1.5; allowed: a number from 0 to below 1", controller({ tolerance: 1.5 })],
    [
      "controller.syncPeriodSeconds is 7; allowed: the divisors of 60 from 5 to 60",
      controller({ syncPeriodSeconds: 7 }),
    ],
    [
      "controller.downscaleStabilizationSeconds is 7200; allowed: whole seconds from 0 to 3600",
      controller({ downscaleStabilizationSeconds: 7200 }),
    ],
    ["controller.lostCluster is drop; allowed: hold or assume-equal", controller({ lostCluster: "drop" })],
    ["controller.caughtUpCheck is yes; allowed: true or false", controller({ caughtUpCheck: "yes" })],
    [
      "controller.tolerence is no setting; there are tolerance, syncPeriodSeconds, cpuInitializationPeriodSeconds, initialReadinessDelaySeconds, downscaleStabilizationSeconds, lostCluster, lostClusterHoldSeconds, caughtUpCheck, allowExternal, allowMinZero, upscaleDelaySeconds, downscaleDelaySeconds",
      controller({ tolerence: 0.2 }),
    ],
    [
      "LOG_DECISIONS is some; allowed are all and changes",
      { logDecisions: "some" } as unknown as Partial<MainsheetProps>,
    ],
    ["archiveDays is -1; allowed: whole days, 0 for no archive", { archiveDays: -1 }],
    [
      "logRetentionDays is 31; CloudWatch Logs offers 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653",
      { logRetentionDays: 31 },
    ],
  ])("%s", (sentence, props) => {
    expect(() => stackOf(bundles, props)).toThrow(new Error(sentence));
  });
});
