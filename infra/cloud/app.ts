import { App, Stack, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { Mainsheet } from "#infra/cloud/constructs/mainsheet";
import { propsFromContext } from "#infra/cloud/context";

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const stack = new Stack(app, "mainsheet", {
  description: "Mainsheet: a serverless FederatedHPA for Karmada fleets",
});
try {
  new Mainsheet(stack, "Mainsheet", propsFromContext(stack));
} catch (error) {
  // An option that is wrong is told in one sentence, which a stack trace would bury.
  if (!(error instanceof Error) || error.name !== "Error") throw error;
  console.error(error.message);
  process.exit(1);
}
