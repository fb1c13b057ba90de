import { mkdtempSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Mainsheet } from "#infra/cloud/constructs/mainsheet";
import type { MainsheetProps } from "#infra/cloud/constructs/props";
import { WITH_RELAY } from "#infra/topology";

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation has no types here.
  readonly Properties: any;
}

export const ONE_HUB: MainsheetProps["hubs"] = [
  { name: "hub", kubeconfig: { secret: "mainsheet/kubeconfig" } },
];

/** A folder with stand-ins for the bundles: what is in them is not the template's matter. */
export async function standInBundles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bundles-"));
  for (const name of Object.keys(WITH_RELAY.functions)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "index.mjs"), `export const handler = () => "${name}";\n`);
  }
  return folder;
}

/** A stack with one Mainsheet; `props` may need the stack they are for. */
export function stackOf(
  bundles: string,
  props: Partial<MainsheetProps> | ((stack: Stack) => Partial<MainsheetProps>) = {},
): Stack {
  const app = new App({ outdir: mkdtempSync(join(bundles, "out-")) });
  const stack = new Stack(app, "mainsheet");
  const given = typeof props === "function" ? props(stack) : props;
  new Mainsheet(stack, "Mainsheet", { hubs: ONE_HUB, bundles, ...given });
  return stack;
}

export function resourcesOf(stack: Stack): Record<string, Resource> {
  return Template.fromStack(stack).toJSON().Resources;
}
