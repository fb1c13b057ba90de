import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fromKubeconfig, type KubernetesHub } from "#adapters/kubernetes/hub";
import { readAccess } from "#adapters/kubernetes/kubeconfig";
import { isPortFault } from "#ports/fault";
import { CliError } from "./exit.ts";

/** Where the hub's kubeconfig is: the one named, else $KUBECONFIG, else ~/.kube/config, as for kubectl. */
export function kubeconfigPath(named: string | undefined, env: NodeJS.ProcessEnv): string {
  if (named !== undefined) return named;
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  const [first, ...others] = listed.filter((path) => existsSync(path));
  if (others.length > 0) {
    throw new CliError("usage", `$KUBECONFIG names several files; say which one with --kubeconfig`);
  }
  return first ?? listed[0] ?? join(homedir(), ".kube", "config");
}

/** The hub of a kubeconfig, whose reading is tried at once: what is wrong with the file is a wrong argument. */
export async function openHub(path: string, context: string | undefined): Promise<KubernetesHub> {
  try {
    await readAccess(path, context);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    throw new CliError(error.kind === "invalid" ? "usage" : "environment", error.message, { cause: error });
  }
  return fromKubeconfig(path, context);
}
