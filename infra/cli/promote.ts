import { createInterface } from "node:readline/promises";
import { Argument, Command } from "commander";
import { readYaml } from "#adapters/js-yaml/read-yaml";
import { promotion } from "#app/promote/promotion";
import type { ObjectKey } from "#domain/work/shards";
import { isPortFault } from "#ports/fault";
import type { KubeObject, KubernetesPort } from "#ports/kubernetes";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { CONFIG_MAPS, FEDERATED_HPAS } from "#wire/kubernetes/resources";
import { decodeShadowSpec, SHADOW_ANNOTATION, shadowName } from "#wire/shadow-spec";
import { CliError } from "./exit.ts";
import { objectName } from "./object-argument.ts";
import { promotionLines } from "./promotion-text.ts";
import { print } from "./terminal.ts";

interface PromoteOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes: boolean;
}

const MANAGER = "mainsheet-promote";

/** `mainsheet promote`: makes the shadow spec of a FederatedHPA its own, after the hub has checked it. */
export function promoteCommand(): Command {
  return new Command("promote")
    .description(
      "Make the shadow spec of a FederatedHPA its real one: checked by the hub, shown, then written.",
    )
    .addArgument(new Argument("<object>", "NAMESPACE/NAME of a FederatedHPA").argParser(objectName))
    .option("--kubeconfig <file>", "the hub (default: $KUBECONFIG, then ~/.kube/config)")
    .option("--context <name>", "the context of that kubeconfig")
    .option("--yes", "write without asking", false)
    .addHelpText(
      "after",
      "\nIt writes with the rights of this kubeconfig, whatever the mode of the functions; docs/shadow.md has more.",
    )
    .action(runPromote);
}

async function runPromote(key: ObjectKey, { kubeconfig, context, yes }: PromoteOptions): Promise<void> {
  // The Kubernetes client takes longer to load than the arguments to be wrong.
  const { kubeconfigPath, openHub } = await import("./hub-connection.ts");
  const hub = await openHub(kubeconfigPath(kubeconfig, process.env), context);
  try {
    await promote(hub, key, yes);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    const kind = error.kind === "invalid" ? "refused" : "environment";
    throw new CliError(kind, `nothing was written: ${error.message}`, { cause: error });
  } finally {
    await hub.close();
  }
}

/** Throws one sentence where nothing was written. */
export async function promote(hub: KubernetesPort, key: ObjectKey, yes: boolean): Promise<void> {
  const name = `${key.namespace}/${key.name}`;
  const object = await found(hub.get("hub", FEDERATED_HPAS, key), `the hub has no FederatedHPA ${name}`);
  const decoded = decodeFederatedHpa(object);
  const configMap = shadowName(decoded);
  if (configMap === undefined)
    throw new CliError(
      "refused",
      `FederatedHPA ${name} has no shadow; its annotation ${SHADOW_ANNOTATION} names one`,
    );
  const reading = hub.get("hub", CONFIG_MAPS, { namespace: key.namespace, name: configMap });
  const shadow = decodeShadowSpec(
    decoded,
    await found(reading, `there is no ConfigMap ${key.namespace}/${configMap}`),
    readYaml,
  );
  if (!shadow.ok) throw new CliError("refused", shadow.fault);
  const patch = promotion(object, shadow.spec);
  const options = { fieldManager: MANAGER };
  // With the hub's defaults in it, so that what is shown is what will be there.
  const after = await hub.mergePatch(FEDERATED_HPAS, key, patch, { ...options, dryRun: true });
  for (const line of promotionLines(object, after)) print(line);
  if (!yes && !(await isWanted(name)))
    throw new CliError("usage", "nothing was written; add --yes to write it");
  try {
    await hub.mergePatch(FEDERATED_HPAS, key, patch, options);
  } catch (error) {
    if (!isPortFault(error, "conflict")) throw error;
    const message = `FederatedHPA ${name} was changed meanwhile and nothing was written; look at it again`;
    throw new CliError("refused", message, { cause: error });
  }
  print(
    `FederatedHPA ${name} has the spec of ConfigMap ${configMap} now; the ConfigMap is not needed any more`,
  );
}

async function found(reading: Promise<KubeObject>, otherwise: string): Promise<KubeObject> {
  try {
    return await reading;
  } catch (error) {
    throw isPortFault(error, "missing") ? new CliError("refused", otherwise, { cause: error }) : error;
  }
}

/** Asks on a terminal; elsewhere nobody can answer, and the answer is no. */
async function isWanted(name: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`write this to FederatedHPA ${name}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
