import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { type Host, startHost } from "#infra/local/host";
import type { TablePort } from "#ports/table";
import { parseScenario } from "#sim/scenario/scenario";
import type { StormArguments } from "#test/storm/arguments";
import { dice } from "#test/storm/chance";
import { START_MS } from "#test/storm/plan";
import { openProgress } from "#test/storm/processes/progress";
import { NAMESPACE } from "#test/storm/world/documents";
import { beatSortKey, cronPartition, fleetPartition, objectPartition } from "#wire/keys";
import { decodeState } from "#wire/state";
import { type EndOfObject, lostOf, lostRuns } from "./nothing-lost.ts";
import { type RealScenario, realScenario } from "./real-scenario.ts";

const HUB = "local";
const MINUTE_MS = 60_000;
/** Visibility, isolation and everything that a kill holds up is over by then. */
const CALM_MINUTES = 8;
/** Virtual minutes within which all kills must have happened. */
const MOST_MINUTES = 600;
/** Calls of the functions from one kill to the next: together, in the same invocation's successor, or slots later. */
const GAPS = [1, 5, 20, 60, 150];

interface Outcome {
  readonly seed: number;
  readonly kills: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly scales: number;
  readonly runs: number;
  readonly quarantined: number;
  readonly parked: number;
  readonly lost: readonly string[];
}

/**
 * The same flow over real parts: the local host with the embedded fleet over HTTP, its table and queues on disk, and the
 * functions in a process of their own, which is killed with SIGKILL at seeded calls: before one to the AWS endpoint, or
 * after one to the hub that is not answered any more. 0 when nothing was lost, 1 when something was, or the kills did not
 * happen in time.
 */
export async function runReal(args: StormArguments, signal: AbortSignal): Promise<number> {
  const outcome = await killAgainAndAgain(args, signal);
  const { lost, ...counts } = outcome;
  if (args.json) console.log(JSON.stringify(outcome));
  else {
    const fields = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
    console.log(
      `${lost.length === 0 ? "nothing lost" : `${lost.length} things lost`}\n  ${fields.join(", ")}`,
    );
    for (const text of lost) console.log(`  ${text}`);
  }
  return lost.length === 0 ? 0 : 1;
}

async function killAgainAndAgain(args: StormArguments, signal: AbortSignal): Promise<Outcome> {
  const { seed, kills: wanted, objects } = args;
  const startedMs = performance.now();
  const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-storm-"));
  const chance = dice(`${seed}/kills`);
  const scenario = realScenario(String(seed), MOST_MINUTES, objects);
  const progress = openProgress(wanted, process.stderr, () => performance.now());
  let host: Host | undefined;
  let kills = 0;
  let left = chance.pick(GAPS);
  /** A killed process may have calls under way; the next one counts from its own first call. */
  let victim: number | undefined;

  function called(): void {
    const pid = host?.aws.functionsPid;
    if (pid === undefined || pid === victim || kills === wanted) return;
    left -= 1;
    if (left > 0) return;
    victim = pid;
    kills += 1;
    left = chance.pick(GAPS);
    process.kill(pid, "SIGKILL");
    progress.show(kills, 0);
  }

  const stop = () => host?.clock.stop();
  signal.addEventListener("abort", stop);
  try {
    host = await openHost(scenario, dataDir, called);
    const { clock } = host;
    while (kills < wanted && clock.nowMs() < START_MS + MOST_MINUTES * MINUTE_MS && !signal.aborted)
      await clock.runUntil(clock.nowMs() + MINUTE_MS);
    await clock.runUntil(clock.nowMs() + CALM_MINUTES * MINUTE_MS + 20_000);
    progress.clear();
    const minutes = Math.round((clock.nowMs() - START_MS) / MINUTE_MS);
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    const found = await whatIsLost(host, scenario);
    const late = kills < wanted ? [`only ${kills} of ${wanted} kills within ${MOST_MINUTES} minutes`] : [];
    return { seed, kills, minutes, seconds, ...found, lost: [...late, ...found.lost] };
  } finally {
    signal.removeEventListener("abort", stop);
    await host?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function openHost({ documents }: RealScenario, dataDir: string, called: () => void): Promise<Host> {
  const parsed = parseScenario(documents);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const { value: scenario } = parsed;
  return startHost({
    hub: {
      ...{ kind: "embedded", scenario, startMs: scenario.startMs },
      ...{ speed: 100_000, webhooks: true, port: 0 },
    },
    dataDir,
    observe: () => {},
    observeRequest: called,
    observeCall: ({ caller }) => caller !== undefined && called(),
    logDecisions: "changes",
  });
}

async function whatIsLost(host: Host, { targets, cron }: RealScenario) {
  const table = tableOf(host);
  const nowMs = host.clock.nowMs();
  const partition = (pk: string) => table.query({ pk }, { nowMs, consistent: true });
  const lost: string[] = [];
  let scales = 0;
  let quarantined = 0;
  for (const [name, initialReplicas] of targets) {
    const items = await partition(objectPartition({ hub: HUB, namespace: NAMESPACE, name }));
    const object = { name, initialReplicas, items, ...(await endOf(host, table, name, items)) };
    lost.push(...lostOf(object, nowMs));
    scales += items.filter(({ sk }) => sk.startsWith("scale#")).length;
    quarantined += items.filter(({ quarantine }) => quarantine !== undefined).length;
  }
  const runs = await partition(cronPartition({ hub: HUB, namespace: NAMESPACE, name: cron }));
  lost.push(...lostRuns(runs, nowMs));
  const parked = await partition(`parked#${HUB}`);
  for (const { sk, cause } of parked) if (!cause) lost.push(`${sk} is parked without a cause`);
  for (const [queue, { visible }] of Object.entries(host.aws.statistics().queues))
    if (visible > 0) lost.push(`${visible} messages wait in ${queue}, and nobody works them`);
  const count = runs.filter(({ sk }) => sk.startsWith("run#")).length;
  return { scales, runs: count, quarantined, parked: parked.length, lost };
}

async function endOf(
  { fleet, clock }: Host,
  table: TablePort,
  name: string,
  items: EndOfObject["items"],
): Promise<Pick<EndOfObject, "replicas" | "raw" | "beat">> {
  const { store } = (fleet as NonNullable<Host["fleet"]>).fleet.hub;
  const target = store.get({ group: "apps", resource: "deployments" }, NAMESPACE, name);
  const raw = store.get({ group: "autoscaling.karmada.io", resource: "federatedhpas" }, NAMESPACE, name);
  const item = items.find(({ sk }) => sk === "state");
  const shard = item && decodeState(item)?.beatShard;
  const key = { pk: fleetPartition(HUB), sk: beatSortKey(shard ?? "") };
  const beat = shard === undefined ? undefined : await table.get(key, { nowMs: clock.nowMs() });
  return { replicas: Number(target?.spec?.replicas ?? 0), raw, beat };
}

function tableOf({ aws }: Host): TablePort {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const documents = dynamoDocuments({ endpoint: aws.endpoint, region: "us-east-1", credentials });
  return dynamoTable("state", { documents });
}
