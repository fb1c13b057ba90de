import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { park } from "#app/park";
import { type AwsHost, startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { type FleetHost, startFleet } from "#infra/local/fleet-host";
import { readScenario } from "#infra/local/scenario-file";
import { TOPOLOGY } from "#infra/topology";

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

const SECONDS = 60_000;
const MAINSHEET = new URL("../../infra/cli/mainsheet.mjs", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "mainsheet-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The real command in a process of its own. */
async function mainsheet(args: readonly string[], input = "") {
  const child = spawn(process.execPath, [MAINSHEET, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

const FHPA = `apiVersion: autoscaling.karmada.io/v1alpha1
kind: FederatedHPA
metadata: { name: web, namespace: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 20
  maxReplicas: 10
`;

describe("mainsheet", () => {
  it("without a command shows them all, exit 2", { timeout: SECONDS }, async () => {
    const { code, stdout, stderr } = await mainsheet([]);
    expect([code, stdout]).toEqual([2, ""]);
    for (const command of ["local", "validate", "explain", "parked"])
      expect(stderr).toContain(`  ${command} `);
  });
});

describe("mainsheet validate", () => {
  it("takes the examples as they are, exit 0", { timeout: SECONDS }, async () => {
    const examples = ["behavior", "cron", "deployment-divided", "several-metrics", "statefulset-duplicated"];
    const paths = examples.map(
      (name) => new URL(`../../docs/examples/${name}.yaml`, import.meta.url).pathname,
    );
    const { code, stdout, stderr } = await mainsheet(["validate", "-f", ...paths]);
    expect(stderr).toBe("");
    expect(stdout).toBe("6 objects checked: no faults, no warnings; 4 of other kinds passed over\n");
    expect(code).toBe(0);
  });

  it("reads standard input, names each fault with its place, exit 1, no colours in a pipe", {
    timeout: SECONDS,
  }, async () => {
    const { code, stdout, stderr } = await mainsheet(["validate", "-f", "-"], FHPA);
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "LEVEL  FILE            OBJECT                 FIELD             DETAIL",
      "fault  standard input  FederatedHPA shop/web  spec.maxReplicas  Invalid value: 10: must be greater than or equal to `minReplicas`",
      "1 object checked: 1 fault, no warnings",
      "",
    ]);
    expect(code).toBe(1);
  });

  it("says it in JSON for programs", { timeout: SECONDS }, async () => {
    const { code, stdout } = await mainsheet(["validate", "--json", "-f", "-"], FHPA);
    expect(JSON.parse(stdout)).toEqual({
      checked: 1,
      passedOver: 0,
      faults: 1,
      findings: [
        {
          level: "fault",
          file: "standard input",
          object: "FederatedHPA shop/web",
          path: "spec.maxReplicas",
          code: "FieldValueInvalid",
          detail: "Invalid value: 10: must be greater than or equal to `minReplicas`",
        },
      ],
    });
    expect(code).toBe(1);
  });

  it("a file that cannot be read is one sentence, exit 2", { timeout: SECONDS }, async () => {
    const { code, stdout, stderr } = await mainsheet(["validate", "-f", join(folder, "gone.yaml")]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^mainsheet: .*gone\.yaml cannot be read \(ENOENT\); name a readable file\n$/);
  });
});

describe("mainsheet explain", () => {
  let fleet: FleetHost;

  beforeAll(async () => {
    const scenario = readScenario("tutorial");
    if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
    const clock = virtualClock({ startMs: scenario.value.startMs });
    fleet = await startFleet({ scenario: scenario.value, clock, dataDir: folder });
    // The load has saturated the pod for a metrics window.
    await clock.runUntil(scenario.value.startMs + 60_000);
  }, SECONDS);

  afterAll(() => fleet.stop());

  it("accounts for an object of the hub, saves it, and decides the same from the file", {
    timeout: SECONDS,
  }, async () => {
    const saved = join(folder, "web.json");
    const args = [
      "default/nginx",
      "--kubeconfig",
      fleet.kubeconfig,
      "--at",
      "2026-03-02T09:01:00Z",
      "--save",
      saved,
    ];
    const asked = await mainsheet(["explain", ...args]);
    expect(asked.stderr).toBe("");
    expect(asked.code).toBe(0);
    expect(asked.stdout).toContain("FederatedHPA default/nginx, generation 1, at 2026-03-02T09:01:00Z");
    expect(asked.stdout).toMatch(
      /cpu \(Resource\): 100% of 10% \(25m per pod\): ratio 10 is above .*, proposes 10/,
    );
    expect(asked.stdout).toContain("ceil(10 × 1 pod ÷ calibration 1) = 10");
    expect(asked.stdout).toContain("history     none was given");

    const again = await mainsheet(["explain", "--snapshot", "-"], readFileSync(saved, "utf8"));
    expect(again.code).toBe(0);
    expect(`${again.stdout}saved       ${saved}: decide again with --snapshot\n`).toBe(asked.stdout);
    expect(fleet.counts.totals().writes).toBe(0);
  });

  it.each<[string, () => string[], number, RegExp]>([
    [
      "an object that is not there",
      () => ["shop/nope", "--kubeconfig", fleet.kubeconfig],
      1,
      /^mainsheet: the hub has no FederatedHPA shop\/nope; see kubectl get fhpa -A\n$/,
    ],
    ["a name that is none", () => ["nginx"], 2, /^error: .*Allowed is NAMESPACE\/NAME\.\n$/],
    [
      "a hub that does not answer",
      () => ["shop/web", "--kubeconfig", file("dead", deadHub())],
      3,
      /^mainsheet: list federatedhpas.* in the hub: nothing listens at .*\n$/,
    ],
    [
      "a snapshot that is none",
      () => ["--snapshot", file("s.json", '{"v":1}')],
      2,
      /^mainsheet: .*s\.json: snapshot: .*\n$/,
    ],
  ])(
    "%s is one sentence with its exit code",
    async (_, args, exit, sentence) => {
      const { code, stdout, stderr } = await mainsheet(["explain", ...args()]);
      expect(stderr).toMatch(sentence);
      expect([code, stdout]).toEqual([exit, ""]);
    },
    SECONDS,
  );
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function deadHub(): string {
  return JSON.stringify({
    "current-context": "hub",
    contexts: [{ name: "hub", context: { cluster: "hub", user: "hub" } }],
    clusters: [{ name: "hub", cluster: { server: "http://127.0.0.1:1" } }],
    users: [{ name: "hub", user: {} }],
  });
}

describe("mainsheet parked", () => {
  const ID = "6f1c2d3e-1111-4222-8333-944455556666";
  let aws: AwsHost;
  let received: unknown[];

  beforeAll(async () => {
    received = [];
    // A day of its own: the command has to ask for the host's time, not for ours.
    const clock = virtualClock({ startMs: Date.parse("2026-03-02T09:00:00Z"), speed: 1000 });
    aws = await startAws({
      topology: TOPOLOGY,
      clock,
      dataDir: join(folder, "aws"),
      functions: {
        invoke: async (name, event) => {
          if (name === "reconcile") received.push(event);
          return { batchItemFailures: [] };
        },
      },
    });
    void clock.runUntil(Number.POSITIVE_INFINITY);
    const { openLocalState } = await import("#infra/cli/state-connection");
    const { table } = await openLocalState(aws.endpoint);
    const atMs = Date.parse("2026-03-02T08:00:00Z");
    const object = { namespace: "default", name: "nginx" };
    const body = { v: 1, kind: "object", hub: "local", dueAtMs: atMs, object, afterCrash: true };
    const common = { queue: "reconcile", receiveCount: 3, atMs };
    await park(table, { ...common, messageId: ID, body: JSON.stringify(body), cause: "crashed 3 times" });
    const shard = { v: 1, kind: "shard", hub: "local", shard: "ns/x", dueAtMs: atMs, objects: [object] };
    await park(table, { ...common, messageId: "7a", body: JSON.stringify(shard), cause: "timed out" });
  }, SECONDS);

  afterAll(() => aws.stop());

  it("lists, sends again once, and says so", { timeout: SECONDS }, async () => {
    const place = ["--endpoint", aws.endpoint];
    const listed = await mainsheet(["parked", "list", ...place]);
    expect(listed.stderr).toBe("");
    expect(listed.stdout.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["ID", "PARKED", "HUB", "QUEUE", "WORK", "TRIES", "STATE", "CAUSE"],
      [ID, "2026-03-02T08:00:00Z", "local", "reconcile", "default/nginx", "3", "parked", "crashed 3 times"],
      ["7a", "2026-03-02T08:00:00Z", "local", "reconcile", "shard ns/x", "3", "stale", "timed out"],
      [""],
    ]);
    expect(listed.code).toBe(0);

    const all = await mainsheet(["parked", "redrive", "--all", ...place]);
    expect(all.stdout).toMatch(new RegExp(`^${ID}  redriven  default/nginx, to queue reconcile$`, "m"));
    expect(all.stdout).toMatch(/^7a +stale +periodic work/m);
    expect(all.code).toBe(0);

    const again = await mainsheet(["parked", "redrive", ID.slice(0, 4), "--json", ...place]);
    expect(JSON.parse(again.stdout)).toMatchObject([{ id: ID, result: "already" }]);
    expect(again.code).toBe(1);
    expect(received).toMatchObject([
      { Records: [{ attributes: { MessageGroupId: "local:o/default/nginx" } }] },
    ]);
  });

  it.each<[string, string[], number, RegExp]>([
    ["no address", ["list"], 2, /^mainsheet: where is the state\? Give --stack /],
    [
      "an address where nobody listens",
      ["list", "--endpoint", "http://127.0.0.1:9"],
      3,
      /no local host answers at /,
    ],
  ])(
    "%s is one sentence with its exit code",
    async (_, args, exit, sentence) => {
      const { code, stdout, stderr } = await mainsheet(["parked", ...args]);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect([code, stdout]).toEqual([exit, ""]);
    },
    SECONDS,
  );
});
