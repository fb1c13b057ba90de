import { hostname } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import type { KubernetesHub } from "#adapters/kubernetes/hub";
import { nodePlatform } from "#adapters/node/platform";
import { brotli } from "#adapters/zlib/compression";
import { besideHub } from "#app/relay/beside-hub";
import type { RelayDeps } from "#app/relay/deps";
import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES, podSource } from "#app/relay/sources";
import { CliError, messageOf } from "./exit.ts";
import { kubeconfigPath, openHub } from "./hub-connection.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { openRelayOutput } from "./relay-output.ts";
import type { StateConnection } from "./state-connection.ts";

interface RelayOptions extends StateOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly pods?: ReadonlyMap<string, string | undefined>;
  readonly table?: string;
  readonly bus?: string;
}

/** What a checkpoint at the end may take: Ctrl-C ends the process within two seconds. */
const LAST_WORDS_MS = 1_500;
/** A local host's hub ends watches by its own time, which may be a hundred times as fast. */
const LOCAL_WATCH_SECONDS = 3_600;

/** `mainsheet relay`: brings a hub's changes to the bus, for as long as it runs. */
export function relayCommand(): Command {
  return withPlace(new Command("relay"), "the hub's name in the stack (default: its only one)")
    .description("Watch a hub and put what matters on the bus, so that it is evaluated within a second.")
    .option("--table <name>", "the state's table, instead of --stack (with --bus and --hub)")
    .option("--bus <name>", "the bus, instead of --stack (with --table and --hub)")
    .option("--kubeconfig <file>", "the hub's kubeconfig (default: $KUBECONFIG, else ~/.kube/config)")
    .option("--context <name>", "the context of that kubeconfig")
    .option(
      "--pods <members>",
      "watch the pods' readiness in these members, too: over the hub, or with a kubeconfig of the member's own: member1,member2=FILE",
      members,
    )
    .addHelpText(
      "after",
      "\nIt needs outbound connections only. Several may run: one works, the others stand by and take over.",
    )
    .action(run);
}

async function run(options: RelayOptions): Promise<void> {
  const { table, bus, hub } = options;
  if (table === undefined && bus === undefined) {
    const place = { ...options, hub: undefined };
    return inState(place, (state) => relay(options, state, hubOf(state, hub, options.stack)));
  }
  if (table === undefined || bus === undefined || hub === undefined) {
    throw new CliError("usage", "--table, --bus and --hub go together; give all three");
  }
  if (options.stack !== undefined || options.endpoint !== undefined) {
    throw new CliError("usage", "--table and --bus say where the state is; drop --stack and --endpoint");
  }
  const { openNamedState } = await import("./stack-connection.ts");
  return relay(options, openNamedState({ table, bus, hub, region: options.region }), hub);
}

function hubOf({ hubs }: StateConnection, asked: string | undefined, stack: string | undefined): string {
  const known = `there ${hubs.length === 1 ? "is" : "are"} ${hubs.join(", ")}`;
  if (asked !== undefined && !hubs.includes(asked)) {
    throw new CliError("usage", `--hub ${asked}: the state has no such hub; ${known}`);
  }
  const [only, ...others] = hubs;
  if (asked !== undefined) return asked;
  if (only !== undefined && (others.length === 0 || stack === undefined)) return only;
  throw new CliError("usage", `which hub is this? Give --hub; ${known}`);
}

async function relay(options: RelayOptions, state: StateConnection, hubName: string): Promise<void> {
  const { bus, table } = state;
  if (bus === undefined) {
    throw new CliError("environment", "the stack does not tell of its bus; deploy this version of it first");
  }
  const hub = await openHub(kubeconfigPath(options.kubeconfig, process.env), options.context);
  const direct = await openMembers(options.pods ?? new Map());
  const output = openRelayOutput(options.json);
  const startedAt = performance.now();
  const startMs = state.clock.nowMs();
  const isLocal = options.endpoint !== undefined;
  const deps: RelayDeps = {
    ...nodePlatform(),
    clock: { nowMs: () => Math.round(startMs + performance.now() - startedAt) },
    ...{ hub: hubName, table, bus, compression: brotli },
    holder: `${hostname()} ${process.pid}`,
    sources: [...HUB_SOURCES, ...[...(options.pods ?? new Map()).keys()].map(podSource)],
    connect: (signal) =>
      besideHub(
        hub.within(signal),
        mapValues(direct, (member) => member.within(signal)),
      ),
    tell: output.tell,
    ...(isLocal ? { watchSeconds: LOCAL_WATCH_SECONDS } : {}),
  };
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  output.start(
    hubName,
    deps.sources.map(({ name }) => name),
  );
  try {
    await untilEnded(runRelay(deps, stop.signal), stop.signal);
    output.end(true);
  } catch (error) {
    output.end(false);
    throw new CliError("environment", `the last checkpoint is not written: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await Promise.all([hub, ...Object.values(direct)].map((port) => port.close()));
  }
}

async function openMembers(
  members: ReadonlyMap<string, string | undefined>,
): Promise<Readonly<Record<string, KubernetesHub>>> {
  const opened: Record<string, KubernetesHub> = {};
  for (const [name, path] of members) if (path !== undefined) opened[name] = await openHub(path, undefined);
  return opened;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** The work, or its end's time limit. */
function untilEnded(work: Promise<void>, stop: AbortSignal): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    stop.addEventListener("abort", () => {
      setTimeout(
        () => reject(new Error(`no answer within ${LAST_WORDS_MS / 1000} s`)),
        LAST_WORDS_MS,
      ).unref();
    });
  });
  return Promise.race([work, late]);
}

function members(list: string): ReadonlyMap<string, string | undefined> {
  const entries = list
    .split(",")
    .map((entry) => /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?:=(.+))?$/.exec(entry.trim()));
  if (entries.every((entry) => entry !== null))
    return new Map(entries.map(([, name = "", path]) => [name, path]));
  throw new InvalidArgumentError("Allowed are names of members like member1,member2, or member1=FILE.");
}
