import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { IGrantable } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { TableSpec } from "#infra/topology";

const READS = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
/** No scans and no transactions: every write is one item under a condition (design 5). */
const WRITES = ["dynamodb:PutItem", "dynamodb:DeleteItem"];

/** A table of (pk, sk) that outlives its stack: what it holds cannot be had again. */
export class StateTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, spec: TableSpec) {
    super(scope, id);
    this.table = new TableV2(this, "Table", {
      partitionKey: { name: spec.partitionKey, type: AttributeType.STRING },
      sortKey: { name: spec.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: spec.ttl,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  grant(grantee: IGrantable, access: "read" | "read-write"): void {
    this.table.grant(grantee, ...READS, ...(access === "read" ? [] : WRITES));
  }
}
