import { setTimeout as sleep } from "node:timers/promises";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { TOPOLOGY } from "#infra/topology";

/**
 * A host to be killed: runs the topology from an instant on, a hundred times as fast as the wall, and tells what its
 * functions log. Beside the slots it sends delayed messages that nobody will ever send again, and tells which were
 * accepted.
 */
const [dataDir = "", bundles = "", startMs = "0"] = process.argv.slice(2);
const clock = virtualClock({ startMs: Number(startMs), speed: 100 });
const say = (line: string) => process.stdout.write(`${line}\n`);
const { endpoint } = await startAws({
  topology: TOPOLOGY,
  clock,
  dataDir,
  functions: { bundles },
  observe(event) {
    if (event.kind === "log") say(event.line);
  },
});
const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const client = sqsClient({ endpoint, region: "us-east-1", credentials });
const queue = sqsQueue({ sweep: `${endpoint}/000000000000/sweep` }, client);
clock.runUntil(Number(startMs) + 3_600_000);

for (let n = 1; ; n += 1) {
  const slotMs = `${startMs}.${n}`;
  await queue.send("sweep", [{ body: JSON.stringify({ slotMs }), delaySeconds: 20 }]);
  say(`accepted ${slotMs}/0`);
  await sleep(50);
}
