import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFunctions } from "#infra/bundle";
import type { AwsCall } from "#infra/local/aws/server";
import { startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { startFleet } from "#infra/local/fleet-host";
import { functionSettings } from "#infra/local/host";
import { rbac } from "#infra/local/kube/authorize";
import type { ServedRequest } from "#infra/local/kube/request-counts";
import { readScenario } from "#infra/local/scenario-file";
import { hubManifests, memberManifests, type RbacOptions, scaledKind } from "#infra/rbac";
import { RELAY, TOPOLOGY, type Topology } from "#infra/topology";
import type { Fleet } from "#sim/fleet";
import { resourcesOf, stackOf, standInBundles } from "#test/infra/stack";

const BUNDLES = fileURLToPath(new URL("../../dist/functions", import.meta.url));
const RBAC: RbacOptions = {
  kinds: ["Deployment"].flatMap((text) => scaledKind(text) ?? []),
  subject: { kind: "Group", name: "mainsheet" },
  mode: "observe",
  metrics: new Set(),
  relay: "hub",
};
/** Nothing but the relay, for a turn of a few seconds. */
const ALONE: Topology = {
  ...TOPOLOGY,
  rules: RELAY.rules,
  functions: { relay: { ...RELAY.functions.relay, timeoutSeconds: 20 } },
};

/** One turn of the function in the local host, and what it asked for (design 3, rule 11). */
const calls: AwsCall[] = [];
const requests: ServedRequest[] = [];
const lines: string[] = [];
const TRIES = 3;
let refusals = 0;
let bundles: string;

beforeAll(async () => {
  bundles = await standInBundles();
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const { startMs } = scenario.value;
  const dataDir = mkdtempSync(join(tmpdir(), "relay-"));
  const clock = virtualClock({ startMs });
  await bundleFunctions(BUNDLES, ["relay"]);
  const fleet = await startFleet({
    ...{ scenario: scenario.value, clock, dataDir },
    rights: { hub: rbac(hubManifests(RBAC)), members: rbac(memberManifests(RBAC)) },
    observe: (request) => requests.push(request),
  });
  const kubeconfig = { secret: "eu/kubeconfig" };
  const settings = functionSettings({ name: "eu", kubeconfig, mode: "observe", relay: true }, "changes");
  const aws = await startAws({
    ...{ topology: ALONE, clock, dataDir, functions: { bundles: BUNDLES }, environment: () => settings },
    secrets: { "eu/kubeconfig": readFileSync(fleet.kubeconfig, "utf8") },
    observe: (event) => {
      if (event.kind === "log") lines.push(event.line);
    },
    observeCall: (call) => {
      calls.push(call);
      refuse(call);
    },
  });
  // The turn holds the clock; what it watches is changed under its eyes.
  const turn = clock.runUntil(startMs + 1_000);
  while (requests.filter(({ verb }) => verb === "watch").length < 4) await sleep(20);
  for (let i = 0; i < 20; i++) {
    touch(fleet.fleet, i, startMs);
    while (published().length <= i) await sleep(20);
  }
  await turn;
  clock.stop();
  await aws.stop();
  await fleet.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);
afterAll(() => rm(bundles, { recursive: true }));

/** The bus takes the first event for malformed, until the adapter has given up on it (B91). */
function refuse({ operation, input }: AwsCall): void {
  const [entry] = (input as { readonly Entries?: { Detail: string }[] }).Entries ?? [];
  if (operation === "PutEvents" && entry !== undefined && published().length === 1 && refusals < TRIES) {
    entry.Detail = "";
    refusals += 1;
  }
}

function touch({ hub }: Fleet, i: number, nowMs: number): void {
  const type = hub.catalogue.findKind("autoscaling.karmada.io/v1alpha1", "FederatedHPA");
  if (type === undefined) throw new Error("the hub serves no FederatedHPA");
  const body = { metadata: { annotations: { "mainsheet.io/mode": i % 2 === 0 ? "observe" : "active" } } };
  hub.patch(
    type,
    { namespace: "default", name: "nginx" },
    { type: "merge", body },
    { nowMs, fieldManager: "somebody" },
  );
}

describe("the function relay", () => {
  it("publishes what changes, and ends its turn with a checkpoint before its time is up", () => {
    expect(published()).toHaveLength(20);
    expect(lines.some((line) => line.includes('"ends":{"eu":"stopped"}'))).toBe(true);
    expect(lines.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });

  it("counts the one that the bus refused after all retries, and sends it again (B91)", () => {
    const measured = lines.flatMap((line) => {
      const { EventsRefused } = line.startsWith("{") ? JSON.parse(line) : {};
      return EventsRefused === undefined ? [] : [EventsRefused];
    });
    expect({ refusals, measured }).toEqual({ refusals: TRIES, measured: [1] });
  });

  it("may make exactly the calls that it makes", () => {
    const made = [...new Set(calls.map(({ service, operation }) => `${service}:${operation}`))].sort();
    expect(granted()).toEqual(made);
  }, 60_000);

  it("asks the hub for what `mainsheet rbac --relay` allows, and was refused nothing", () => {
    const rights = ["federatedhpas", "cronfederatedhpas", "resourcebindings", "clusters"].flatMap(
      (resource) => [`list ${resource}`, `watch ${resource}`],
    );
    expect([...new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`))].sort()).toEqual(
      rights.sort(),
    );
    expect(requests.filter(({ code }) => code === 403)).toEqual([]);
  });

  it("without --relay nobody may watch", () => {
    const rules = hubManifests({ ...RBAC, relay: undefined }).flatMap((manifest) => JSON.stringify(manifest));
    expect(rules.filter((text) => text.includes("watch"))).toEqual([]);
  });
});

function published(): readonly object[] {
  const puts = calls.filter(({ operation }) => operation === "PutEvents");
  const entries = puts.flatMap(({ input }) => (input as { readonly Entries: { Detail: string }[] }).Entries);
  return entries.filter(({ Detail }) => Detail !== "");
}

/** The actions of its role in the template, but for its log. */
function granted(): string[] {
  const hubs = [{ name: "eu", kubeconfig: { secret: "eu/kubeconfig" }, relay: true }];
  const statements = Object.entries(resourcesOf(stackOf(bundles, { hubs }))).flatMap(
    ([id, { Type, Properties }]) =>
      Type === "AWS::IAM::Policy" && id.includes("Functionrelay") ? Properties.PolicyDocument.Statement : [],
  ) as { readonly Action: string | string[] }[];
  const actions = statements.flatMap(({ Action }) => [Action].flat());
  return actions.filter((action) => !action.startsWith("logs:")).sort();
}
