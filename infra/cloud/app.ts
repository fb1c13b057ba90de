import { fileURLToPath } from "node:url";
import { App } from "aws-cdk-lib";
import { bundleFunctions } from "#infra/bundle";
import { MainsheetStack } from "#infra/cloud/stack";
import { hubs } from "#lambda/environment";

const bundles = fileURLToPath(new URL("../../dist/functions", import.meta.url));
await bundleFunctions(bundles);

const app = new App();
const listed: unknown = app.node.tryGetContext("hubs");
new MainsheetStack(app, "mainsheet", {
  description: "Mainsheet: a serverless FederatedHPA for Karmada fleets",
  hubs: hubs({ MAINSHEET_HUBS: typeof listed === "string" ? listed : JSON.stringify(listed) }),
  bundles,
});
