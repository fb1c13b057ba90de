import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { Mainsheet, type MainsheetProps } from "#infra/cloud/constructs/mainsheet";

/** Mainsheet as a stack of its own. */
export class MainsheetStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & MainsheetProps) {
    super(scope, id, props);
    new Mainsheet(this, "Mainsheet", props);
  }
}
