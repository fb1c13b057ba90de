/** The functions at work on this machine, every call of them on record: to AWS, and to the hub and its members. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleFunctions } from "#infra/bundle";
import type { AwsCall } from "#infra/local/aws/server";
import { startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { startFleet } from "#infra/local/fleet-host";
import { functionSettings } from "#infra/local/host";
import type { Rights } from "#infra/local/kube/authorize";
import type { ServedRequest } from "#infra/local/kube/request-counts";
import { readScenario } from "#infra/local/scenario-file";
import { TOPOLOGY } from "#infra/topology";
import type { HubSettings } from "#lambda/hub-settings";
import type { ApiServer } from "#sim/api/api-server";
import type { Fleet } from "#sim/fleet";
import { KINDS } from "#sim/kinds";

export interface Recording {
  readonly calls: readonly AwsCall[];
  readonly requests: readonly ServedRequest[];
  /** The replicas that member1 runs at the end. */
  readonly replicas: number;
  /** What the functions wrote to their logs, line by line. */
  readonly log: readonly LoggedLine[];
}

export interface LoggedLine {
  readonly functionName: string;
  // biome-ignore lint/suspicious/noExplicitAny: lines of every kind.
  readonly line: any;
}

const SCENARIO = fileURLToPath(new URL("privileges.yaml", import.meta.url));
const BUNDLES = fileURLToPath(new URL("../../dist/functions", import.meta.url));
/** The crash at 09:00:15 comes back at 09:01:15, and the cron rules fire at 09:02. */
const RUN_MS = 185_000;

/** From then on nobody else writes FederatedHPAs, so that the cron rules can. */
const QUIET_AFTER_MS = 90_000;

/** The second of two events waits for the floor. */
const EVENTS_AFTER_MS = 140_000;

/** The hub's kubeconfig is in a secret, as in the cloud. */
const HUB: HubSettings = { name: "eu", kubeconfig: { secret: "eu/kubeconfig" }, mode: "active" };

/**
 * Runs the scenario, with what goes wrong once: messages that nobody can read, another writer between a read and the
 * write that relies on it, a crash in the middle of a shard, and events that the bus refuses. The hub and its members allow what `rights` allow.
 */
export async function recordEverything(rights: Rights): Promise<Recording> {
  const scenario = readScenario(SCENARIO);
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const { startMs } = scenario.value;
  const dataDir = mkdtempSync(join(tmpdir(), "privileges-"));
  const clock = virtualClock({ startMs, speed: 10_000 });
  const calls: AwsCall[] = [];
  const requests: ServedRequest[] = [];
  const log: LoggedLine[] = [];
  await bundleFunctions(BUNDLES);
  const fleet = await startFleet({
    scenario: scenario.value,
    clock,
    dataDir,
    rights,
    observe: (request) => {
      requests.push(request);
      interfere(request);
    },
  });
  const aws = await startAws({
    topology: TOPOLOGY,
    clock,
    dataDir,
    functions: { bundles: BUNDLES },
    environment: () => functionSettings(HUB, "changes"),
    secrets: { "eu/kubeconfig": readFileSync(fleet.kubeconfig, "utf8") },
    observe: (event) => {
      if (event.kind !== "log" || !event.line.startsWith("{")) return;
      log.push({ functionName: event.functionName, line: JSON.parse(event.line) });
    },
    observeCall: (call) => {
      calls.push(call);
      refuse(call);
    },
  });
  let crashed = false;

  function interfere({ verb, resource }: ServedRequest): void {
    if (verb === "list" && resource === "federatedhpas" && clock.nowMs() < startMs + QUIET_AFTER_MS)
      touch(fleet.fleet, "FederatedHPA", "web-0", clock.nowMs());
    if (verb === "list" && resource === "cronfederatedhpas")
      touch(fleet.fleet, "CronFederatedHPA", "queue", clock.nowMs());
    if (verb !== "update" || resource !== "deployments/scale" || crashed) return;
    crashed = true;
    if (aws.functionsPid !== undefined) process.kill(aws.functionsPid, "SIGKILL");
  }

  let replicas = 0;
  try {
    await send(aws.endpoint, "sweep", "no message");
    await send(aws.endpoint, "standard-dead", "no message either");
    await clock.runUntil(startMs + EVENTS_AFTER_MS);
    await putEvents(aws.endpoint, ["first", "second"]);
    await clock.runUntil(startMs + RUN_MS);
    replicas = replicasIn(fleet.fleet.members.get("member1"));
  } finally {
    clock.stop();
    await aws.stop();
    await fleet.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { calls, requests, replicas, log };
}

/** The bus takes these for malformed, as often as they are sent: one of a type of `reconcile`'s, one of `cron`'s (B91). */
const REFUSED = ["ClusterUnreadable", "CronRunFailed"];

function refuse({ operation, input }: AwsCall): void {
  if (operation !== "PutEvents") return;
  for (const entry of (input as { readonly Entries: { DetailType: string; Detail: string }[] }).Entries) {
    if (REFUSED.includes(entry.DetailType)) entry.Detail = "";
  }
}

/** A value of its own for each write: the same again would be none. */
let touches = 0;

/** Another writer's annotation: what was read a moment ago is old now. */
function touch({ hub }: Fleet, kind: string, name: string, nowMs: number): void {
  const type = hub.catalogue.findKind("autoscaling.karmada.io/v1alpha1", kind);
  if (type === undefined) throw new Error(`the hub serves no ${kind}`);
  touches += 1;
  const body = { metadata: { annotations: { touched: String(touches) } } };
  hub.patch(
    type,
    { namespace: "team-0", name },
    { type: "merge", body },
    { nowMs, fieldManager: "somebody" },
  );
}

function replicasIn(member: ApiServer | undefined): number {
  const kinds = [KINDS.deployments, KINDS.statefulSets, KINDS.cloneSets];
  return kinds
    .flatMap((kind) => member?.store.list(kind) ?? [])
    .reduce((sum, { status }) => sum + Number((status as { replicas?: number }).replicas ?? 0), 0);
}

async function send(endpoint: string, queue: string, body: string): Promise<void> {
  const QueueUrl = `${endpoint}/000000000000/${queue}`;
  await post(endpoint, "AmazonSQS.SendMessage", { QueueUrl, MessageBody: body });
}

async function putEvents(endpoint: string, ids: readonly string[]): Promise<void> {
  const Entries = ids.map((id) => ({
    EventBusName: "mainsheet",
    Source: "mainsheet",
    DetailType: "ReconcileRequested",
    Detail: JSON.stringify({ v: 1, id, hub: HUB.name, namespace: "team-0", name: "web-0" }),
  }));
  await post(endpoint, "AWSEvents.PutEvents", { Entries });
}

async function post(endpoint: string, target: string, input: object): Promise<void> {
  const headers = { "x-amz-target": target, "content-type": "application/x-amz-json-1.0" };
  await fetch(endpoint, { method: "POST", headers, body: JSON.stringify(input) });
}
