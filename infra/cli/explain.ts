import { writeFileSync } from "node:fs";
import { Argument, Command } from "commander";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { ObjectKey } from "#domain/work/shards";
import { encodeJson } from "#wire/json";
import {
  decodeSavedDecision,
  decodeSavedHistory,
  encodeSavedDecision,
  type Loaded,
  type SavedDecision,
} from "#wire/saved-decision";
import { accountText, margin } from "./account-text.ts";
import { instant } from "./arguments.ts";
import { CliError, messageOf } from "./exit.ts";
import { nameOf, readInput } from "./input-file.ts";
import { objectName } from "./object-argument.ts";
import { print } from "./terminal.ts";

interface ExplainOptions {
  readonly snapshot?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly history?: string;
  readonly at?: number;
  readonly save?: string;
  readonly json: boolean;
}

/** `mainsheet explain`: decides one object now, from a hub or a saved snapshot, and says how. Writes nothing to the hub. */
export function explainCommand(): Command {
  return new Command("explain")
    .description("Decide one FederatedHPA now and say how, from a hub (read only) or from a saved snapshot.")
    .addArgument(
      new Argument("[object]", "NAMESPACE/NAME of a FederatedHPA on the hub").argParser(objectName),
    )
    .option("--snapshot <file>", "decide from this saved snapshot instead; - is standard input")
    .option("--kubeconfig <file>", "the hub (default: $KUBECONFIG, then ~/.kube/config)")
    .option("--context <name>", "the context of that kubeconfig")
    .option("--history <file>", "the history to decide with (default: none, or the snapshot's own)")
    .option("--at <instant>", "the instant to decide for (default: now, or the snapshot's own)", instant)
    .option("--save <file>", "write all that was decided from, to decide again with --snapshot")
    .option("--json", "the decision as JSON", false)
    .addHelpText("after", "\nThe format of a saved snapshot is in docs/snapshot.md.")
    .action(runExplain);
}

async function runExplain(object: ObjectKey | undefined, options: ExplainOptions): Promise<void> {
  const found = await findSaved(object, options);
  const saved: SavedDecision = {
    ...found,
    ...(options.history === undefined ? {} : { history: historyIn(options.history) }),
    ...(options.at === undefined ? {} : { snapshot: { ...found.snapshot, instantMs: options.at } }),
  };
  const decision = decideScale(saved.snapshot, saved.history, saved.policy);
  if (options.save !== undefined) save(options.save, saved);
  if (options.json) {
    print(textOf(encodeJson(decision)));
    return;
  }
  for (const line of accountText(saved, decision)) print(line);
  if (options.save !== undefined) print(margin("saved", `${options.save}: decide again with --snapshot`));
}

async function findSaved(
  object: ObjectKey | undefined,
  { snapshot, kubeconfig, context, at }: ExplainOptions,
): Promise<SavedDecision> {
  if ((object === undefined) === (snapshot === undefined)) {
    throw new CliError("usage", "explain takes NAMESPACE/NAME or --snapshot FILE; give one of the two");
  }
  if (snapshot !== undefined && (kubeconfig !== undefined || context !== undefined)) {
    throw new CliError("usage", "--snapshot needs no hub; drop --kubeconfig and --context");
  }
  if (snapshot !== undefined) return decoded(snapshot, decodeSavedDecision);
  // Loaded only where a hub is asked: the Kubernetes client takes longer to load than a decision to make.
  const { kubeconfigPath } = await import("./hub-connection.ts");
  const { readObject } = await import("./hub-object.ts");
  const path = kubeconfigPath(kubeconfig, process.env);
  const read = await readObject(path, context, object as ObjectKey, at ?? Date.now());
  return { v: 1, snapshot: read, history: EMPTY_HISTORY, policy: DEFAULT_POLICY };
}

function historyIn(path: string): History {
  return decoded(path, decodeSavedHistory);
}

function decoded<T>(path: string, decode: (text: string) => Loaded<T>): T {
  const result = decode(readInput(path));
  if (result.ok) return result.value;
  throw new CliError("usage", `${nameOf(path)}: ${result.fault}`);
}

function save(path: string, saved: SavedDecision): void {
  const text = encodeSavedDecision(saved);
  if (!text.ok) throw new CliError("refused", `the snapshot cannot be saved: ${text.fault}`);
  try {
    writeFileSync(path, text.value);
  } catch (error) {
    throw new CliError("usage", `${path} cannot be written (${messageOf(error)}); name a writable file`, {
      cause: error,
    });
  }
}

function textOf(json: ReturnType<typeof encodeJson>): string {
  if (json.ok) return json.value;
  throw new CliError("refused", `the decision has no JSON: ${json.fault.detail}`);
}
