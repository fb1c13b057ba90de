import { Command, InvalidArgumentError, Option } from "commander";
import { stringify } from "yaml";
import {
  hubManifests,
  type Manifest,
  METRIC_RIGHTS,
  type MetricRight,
  memberManifests,
  type RbacOptions,
  type ScaledKind,
  type Subject,
  scaledKind,
} from "#infra/rbac";
import { CliError } from "./exit.ts";
import { print } from "./terminal.ts";

interface RbacCommandOptions {
  readonly kinds: readonly ScaledKind[];
  readonly mode: "observe" | "active";
  readonly activeNamespaces?: readonly string[];
  readonly metrics: readonly MetricRight[];
  readonly user?: string;
  readonly group?: string;
  readonly serviceAccount?: string;
  readonly relay?: "hub" | "pods";
  readonly part: "all" | "hub" | "members";
  readonly shadow?: readonly string[] | true;
}

const DEFAULT_GROUP = "mainsheet";

/** `mainsheet rbac`: the rights to apply on the hub and in its members. */
export function rbacCommand(): Command {
  return new Command("rbac")
    .description(
      "Print the Kubernetes rights that Mainsheet needs on a hub and in its members, as manifests.",
    )
    .requiredOption(
      "--kinds <list>",
      "what is scaled: Deployment,StatefulSet,clonesets.apps.kruise.io",
      kinds,
    )
    .addOption(
      new Option("--mode <mode>", "observe only reads").choices(["observe", "active"]).default("observe"),
    )
    .option("--active-namespaces <list>", "write in these namespaces only (with --mode active)", names)
    .option(
      "--metrics <list>",
      `more sources than pods' cpu and memory: ${METRIC_RIGHTS.join(",")}`,
      metrics,
      [],
    )
    .addOption(
      new Option("--relay [what]", "watch what a relay watches: the hub, or members' pods, too")
        .choices(["hub", "pods"])
        .preset("hub"),
    )
    .option("--group <name>", `for this group (default: ${DEFAULT_GROUP})`)
    .option("--user <name>", "for this user")
    .option("--service-account <namespace/name>", "for this service account of the hub")
    .option(
      "--shadow [list]",
      "read shadow specs: the ConfigMaps of these names (default: all of them)",
      names,
    )
    .addOption(new Option("--part <part>", "what to print").choices(["all", "hub", "members"]).default("all"))
    .addHelpText(
      "after",
      "\nApply the hub's part on the Karmada API server, and the members' part in every member: Karmada calls a member\n" +
        "as whoever calls the hub. `external` is the hub's external metrics API, `custom` that of pods and objects,\n" +
        "`hub` takes pods' metrics from the hub's adapter instead of the members'.",
    )
    .action(runRbac);
}

function runRbac(options: RbacCommandOptions): void {
  const { activeNamespaces, mode, part } = options;
  if (activeNamespaces !== undefined && mode === "observe") {
    throw new CliError("usage", "--active-namespaces goes with --mode active; observe writes nowhere");
  }
  const asked: RbacOptions = {
    kinds: options.kinds,
    subject: subjectOf(options),
    mode,
    metrics: new Set(options.metrics),
    relay: options.relay,
    ...(activeNamespaces === undefined ? {} : { activeNamespaces }),
    ...(options.shadow === undefined ? {} : { shadow: options.shadow === true ? [] : options.shadow }),
  };
  const parts = [
    ...(part === "members" ? [] : [["the hub", hubManifests(asked)] as const]),
    ...(part === "hub" ? [] : [["every member", memberManifests(asked)] as const]),
  ];
  print(
    parts
      .map(([where, manifests]) => documents(where, manifests))
      .join("---\n")
      .trimEnd(),
  );
}

function documents(where: string, manifests: readonly Manifest[]): string {
  return `# For ${where}\n${manifests.map((manifest) => stringify(manifest)).join("---\n")}`;
}

function subjectOf({ user, group, serviceAccount }: RbacCommandOptions): Subject {
  const given = [user, group, serviceAccount].filter((name) => name !== undefined);
  if (given.length > 1) {
    throw new CliError("usage", "--user, --group and --service-account exclude each other; give one");
  }
  if (serviceAccount !== undefined) {
    const [namespace, name, ...rest] = serviceAccount.split("/");
    if (!namespace || !name || rest.length > 0) {
      throw new CliError("usage", `--service-account ${serviceAccount}: give it as namespace/name`);
    }
    // In members it is no service account of theirs, but a user of this name.
    return { kind: "User", name: `system:serviceaccount:${namespace}:${name}` };
  }
  return user === undefined ? { kind: "Group", name: group ?? DEFAULT_GROUP } : { kind: "User", name: user };
}

function kinds(list: string): ScaledKind[] {
  return list.split(",").map((text) => {
    const kind = scaledKind(text.trim());
    if (kind !== undefined) return kind;
    throw new InvalidArgumentError(
      `${text} is no kind; allowed are Deployment, StatefulSet, ReplicaSet, or a resource with its group such as clonesets.apps.kruise.io.`,
    );
  });
}

function names(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}

function metrics(list: string): MetricRight[] {
  return names(list).map((name) => {
    const right = METRIC_RIGHTS.find((known) => known === name);
    if (right !== undefined) return right;
    throw new InvalidArgumentError(`${name} is no source; allowed are ${METRIC_RIGHTS.join(", ")}.`);
  });
}
