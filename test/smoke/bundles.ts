/**
 * Imports every built function and hands it a bad event, on the Node that runs this (24 in CI, as on Lambda):
 * `node test/smoke/bundles.ts [dist/functions]`. Exits 1 when a bundle does not load or does not do what it documents:
 * a message that cannot be read is parked and counts as done.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AwsCall, awsStub } from "./aws-stub.ts";

const folder = resolve(process.argv[2] ?? "dist/functions");
const aws = await awsStub();
Object.assign(process.env, {
  AWS_ENDPOINT_URL: aws.url,
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "none",
  AWS_SECRET_ACCESS_KEY: "none",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  POWERTOOLS_LOG_LEVEL: "SILENT",
  TABLE_STATE: "mainsheet-state",
  BUS_MAINSHEET: "mainsheet",
  QUEUE_SWEEP: `${aws.url}/000000000000/sweep`,
  QUEUE_CRON: `${aws.url}/000000000000/cron`,
  QUEUE_ROUTE: `${aws.url}/000000000000/route`,
  QUEUE_RECONCILE: `${aws.url}/000000000000/reconcile.fifo`,
  MAINSHEET_HUBS: JSON.stringify([{ name: "hub", kubeconfig: { path: "/nowhere" }, mode: "observe" }]),
});

const unreadable = {
  Records: [
    {
      messageId: "m-1",
      body: "{ this is no message",
      eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:mainsheet-standard-dead",
      attributes: { ApproximateReceiveCount: "1", SentTimestamp: "1700000000000" },
    },
  ],
};

interface Expectation {
  readonly event: object;
  readonly holds: (result: unknown, calls: readonly AwsCall[]) => boolean;
}

function parks(result: unknown, calls: readonly AwsCall[]): boolean {
  const [call, ...more] = calls;
  return (
    JSON.stringify(result) === '{"batchItemFailures":[]}' &&
    more.length === 0 &&
    call?.operation === "PutItem" &&
    /^parked#/.test(call.input.Item.pk.S)
  );
}

/** `tick` reads nothing of its event. */
function sendsSlots(_result: unknown, calls: readonly AwsCall[]): boolean {
  return calls.length > 0 && calls.every(({ operation }) => operation === "SendMessageBatch");
}

/** No hub asks for a relay. */
function doesNothing(_result: unknown, calls: readonly AwsCall[]): boolean {
  return calls.length === 0;
}

const EXPECTED: Readonly<Record<string, Expectation>> = {
  tick: { event: {}, holds: sendsSlots },
  sweep: { event: unreadable, holds: parks },
  cron: { event: unreadable, holds: parks },
  reconcile: { event: unreadable, holds: parks },
  route: { event: unreadable, holds: parks },
  relay: { event: { id: "e-1" }, holds: doesNothing },
  parked: { event: unreadable, holds: parks },
};

let failed = 0;
for (const name of readdirSync(folder).sort()) {
  const before = performance.now();
  const outcome = await attempt(name);
  const took = `${Math.round(performance.now() - before)} ms`;
  console.log(`bundle ${name} on ${process.version}: ${outcome ?? "ok"} (${took})`);
  if (outcome !== undefined) failed += 1;
}
aws.close();
process.exitCode = failed === 0 ? 0 : 1;

/** What is wrong, or undefined. */
async function attempt(name: string): Promise<string | undefined> {
  const expected = EXPECTED[name];
  if (expected === undefined) return "has no expectation here; say in test/smoke/bundles.ts what it does";
  aws.calls.length = 0;
  try {
    const { handler } = await import(pathToFileURL(join(folder, name, "index.mjs")).href);
    const context = { awsRequestId: "r-1", getRemainingTimeInMillis: () => 10_000 };
    const result: unknown = await handler(expected.event, context);
    if (expected.holds(result, aws.calls)) return undefined;
    return `answered ${JSON.stringify(result)} and called ${JSON.stringify(aws.calls)}`;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
