import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { App, Stack, Validations } from "aws-cdk-lib";
import { Vpc } from "aws-cdk-lib/aws-ec2";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Mainsheet } from "#infra/cloud/constructs/mainsheet";
import type { MainsheetProps } from "#infra/cloud/constructs/props";
import { ONE_HUB, standInBundles } from "#test/infra/stack";

let bundles: string;
beforeAll(async () => {
  bundles = await standInBundles();
});
afterAll(() => rm(bundles, { recursive: true }));

/** Synthesizes as `npm run synth` does: CloudFormation's schemas and cdk-nag's AwsSolutions are errors. */
function synth(
  props: (stack: Stack) => Partial<MainsheetProps>,
  more: (stack: Stack) => void = () => {},
): Stack {
  const context = {
    "@aws-cdk/core:validateAgainstDefaultRules": true,
    "@aws-cdk/aws-iam:minimizePolicies": true,
  };
  const app = new App({ outdir: mkdtempSync(join(bundles, "out-")), context });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stack = new Stack(app, "mainsheet");
  new Mainsheet(stack, "Mainsheet", { hubs: ONE_HUB, bundles, ...props(stack) });
  more(stack);
  app.synth();
  return stack;
}

const eks = {
  clusterName: "us",
  clusterEndpoint: "https://ABC.gr7.us-east-1.eks.amazonaws.com",
  clusterCertificateAuthorityData: "LS0t",
};

describe("CloudFormation's schemas and cdk-nag's AwsSolutions", () => {
  it.each<[string, (stack: Stack) => Partial<MainsheetProps>]>([
    ["the defaults", () => ({})],
    [
      "two hubs, one of them an EKS cluster",
      () => ({ hubs: [...ONE_HUB, { name: "us", kubeconfig: { eks: { ...eks, region: "us-east-1" } } }] }),
    ],
    ["a relay", () => ({ hubs: ONE_HUB.map((hub) => ({ ...hub, relay: true })) })],
    [
      "a VPC, traces, and every other option",
      (stack) => ({
        vpc: {
          vpc: Vpc.fromVpcAttributes(stack, "Vpc", {
            vpcId: "vpc-0123456789abcdef0",
            availabilityZones: ["eu-west-1a"],
            privateSubnetIds: ["subnet-0123456789abcdef0"],
          }),
        },
        tracing: true,
        deletionProtection: true,
        archiveDays: 0,
        logRetentionDays: 7,
      }),
    ],
  ])("%s pass", (_what, props) => {
    const acknowledged = synth(props)
      .node.findAll()
      .flatMap(({ node }) =>
        node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY),
      );
    // Nothing is waved through but what IAM cannot bind, and each says why.
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const { data } of acknowledged) {
      expect(JSON.stringify(data)).toContain("AwsSolutions-IAM5[Resource::*]");
      expect(JSON.stringify(data)).toMatch(/X-Ray|network interfaces|no ARNs/);
    }
  });

  it("a queue that takes plain HTTP is found, so the checks do look", () => {
    expect(() =>
      synth(
        () => ({}),
        (stack) => void new Queue(stack, "Plain"),
      ),
    ).toThrow();
  });
});
