import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import type { TableSpec } from "#infra/topology";

export interface StateTableProps {
  readonly spec: TableSpec;
  readonly deletionProtection: boolean;
  readonly pointInTimeRecovery: boolean;
}

/** A table of (pk, sk) that outlives its stack: what it holds cannot be had again. */
export class StateTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, props: StateTableProps) {
    super(scope, id);
    const { spec, deletionProtection, pointInTimeRecovery } = props;
    this.table = new TableV2(this, "Table", {
      partitionKey: { name: spec.partitionKey, type: AttributeType.STRING },
      sortKey: { name: spec.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: spec.ttl,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: pointInTimeRecovery },
      deletionProtection,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
