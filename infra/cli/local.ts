import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { formatInstant } from "#domain/units/instant";
import type { Host, HostOptions } from "#infra/local/host";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import type { LivePage } from "#infra/local/page/serve-page";
import { ledgerEnvironment } from "#lambda/ledger-environment";
import { duration, instant, port, speed } from "./arguments.ts";
import { readEventRules } from "./event-rules.ts";
import { CliError, messageOf } from "./exit.ts";

interface LocalOptions {
  readonly scenario?: string;
  readonly speed?: number;
  readonly for?: number;
  readonly start?: number;
  readonly data?: string;
  readonly port: number;
  readonly pagePort: number;
  readonly webhooks: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly active: boolean;
  readonly ledger?: string;
  readonly relay: boolean;
  readonly events?: string;
  readonly json: boolean;
}

/** `mainsheet local`: everything on this machine, with an embedded fleet or against a real hub. */
export function localCommand(): Command {
  return new Command("local")
    .description("Run Mainsheet on this machine: an embedded fleet, queues, table and functions.")
    .option("--scenario <name|file>", "tutorial (default), another of infra/local/scenarios, or a YAML file")
    .option("--speed <n>", "virtual seconds per second (default 1)", speed)
    .option("--for <duration>", "stop after this much virtual time, like 5m", duration)
    .option("--start <instant>", "where the virtual clock starts", instant)
    .option(
      "--data <dir>",
      "keep everything here and go on from there (default: a new folder, removed at the end)",
    )
    .option("--port <n>", "the hub's port", port, 0)
    .option("--page-port <n>", "the live page's port (default: any free one)", port, 0)
    .option("--no-webhooks", "a hub without Karmada's admission and defaulting")
    .option("--kubeconfig <file>", "a real hub instead of the embedded fleet")
    .option("--context <name>", "the context of that kubeconfig")
    .option("--active", "write to the real hub (without: decide and print only)", false)
    .option(
      "--ledger <which>",
      "decisions to keep for why and replay: changes (default), all, sample:N",
      ledger,
    )
    .option("--events <file>", "rules of your own for events, as cdk.json's events has them")
    .option("--relay", "watch the hub, so that changes are evaluated at once", false)
    .option("--json", "one JSON object a line", false)
    .action(runLocal);
}

async function runLocal(options: LocalOptions): Promise<void> {
  const hub = await hubOf(options);
  const hubName = LOCAL_HUBS[hub.kind];
  const eventMappings = options.events === undefined ? [] : await readEventRules(options.events, hubName);
  // The page loads clients of the SDK, which warns of Node 20 on standard error unless this is set before.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  // The host brings half of the AWS SDK; what is wrong with the options is said without it.
  const { startHost } = await import("#infra/local/host");
  const { servePage } = await import("#infra/local/page/serve-page");
  const { openOutput } = await import("./local-output.ts");
  const kept = options.data !== undefined;
  const dataDir = options.data ?? mkdtempSync(join(tmpdir(), "mainsheet-"));
  const output = openOutput(options.json);
  let host: Host;
  let page: LivePage | undefined;
  try {
    host = await startHost({
      hub,
      dataDir,
      logDecisions: "all",
      eventMappings,
      ...(options.relay ? { relay: (event) => output.relay(event) } : {}),
      ...(options.ledger === undefined ? {} : { ledgerDecisions: options.ledger }),
      observe: (event) => {
        output.observe(event);
        page?.observe(event);
      },
    });
  } catch (error) {
    if (!kept) rmSync(dataDir, { recursive: true, force: true });
    throw new CliError("environment", messageOf(error), {
      cause: error,
    });
  }
  try {
    page = await servePage(host, hub, options.pagePort).catch((cause: unknown) => {
      throw new CliError("environment", messageOf(cause), { cause });
    });
    output.ready(host, hub, { page: page.url, dataDir: kept ? dataDir : undefined });
    await runUntilDone(host, options.for);
  } finally {
    output.stopping();
    await page?.close();
    await host.stop();
    if (!kept) rmSync(dataDir, { recursive: true, force: true });
  }
  output.end(host);
}

/** Which decisions to keep, as LEDGER_DECISIONS has it. */
function ledger(text: string): string {
  try {
    return ledgerEnvironment(text, undefined).LEDGER_DECISIONS ?? text;
  } catch {
    throw new InvalidArgumentError("Allowed are changes, all, and sample:N for every N-th evaluation.");
  }
}

/** Runs for the virtual time asked for, or until a signal. */
async function runUntilDone(host: Host, forMs: number | undefined): Promise<void> {
  const stop = () => host.clock.stop();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const untilMs = forMs === undefined ? Number.POSITIVE_INFINITY : host.clock.nowMs() + forMs;
  await host.clock.runUntil(untilMs);
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
}

async function hubOf(options: LocalOptions): Promise<HostOptions["hub"]> {
  const { kubeconfig, context, active } = options;
  if (kubeconfig !== undefined) {
    const embeddedOnly = ["scenario", "speed", "start"] as const;
    const wrong = embeddedOnly.find((name) => options[name] !== undefined);
    if (wrong)
      throw new CliError(
        "usage",
        `--${wrong} is for the embedded fleet; a real hub has its own; drop one of the two`,
      );
    return {
      kind: "real",
      kubeconfig: resolve(kubeconfig),
      ...(context === undefined ? {} : { context }),
      mode: active ? "active" : "observe",
    };
  }
  if (context !== undefined || active) {
    throw new CliError("usage", "--context and --active go with --kubeconfig; add it");
  }
  const { start } = options;
  const { readScenario } = await import("#infra/local/scenario-file");
  const scenario = readScenario(
    options.scenario ?? "tutorial",
    start === undefined ? {} : { startMs: start },
  );
  if (!scenario.ok) throw new CliError("usage", scenario.faults.join("; "));
  return {
    kind: "embedded",
    scenario: scenario.value,
    startMs: await clockStartMs(options, scenario.value.startMs),
    speed: options.speed ?? 1,
    webhooks: options.webhooks,
    port: options.port,
  };
}

/** Where the clock starts: where a kept folder stopped, or later if asked; else where the scenario starts. */
async function clockStartMs({ start, data }: LocalOptions, scenarioStartMs: number): Promise<number> {
  const { rememberedInstantMs } = await import("#infra/local/host");
  const remembered = data === undefined ? undefined : rememberedInstantMs(data);
  if (remembered === undefined) return scenarioStartMs;
  if (start === undefined || start >= remembered) return start ?? remembered;
  throw new CliError(
    "usage",
    `--start ${formatInstant(start)} is before ${formatInstant(remembered)}, where ${data} stopped; start later or use another folder`,
  );
}
