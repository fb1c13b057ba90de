import { startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { TOPOLOGY } from "#infra/topology";

/** A host to be killed: runs the topology from an instant on, a hundred times as fast as the wall, and tells what it logs. */
const [dataDir = "", bundles = "", startMs = "0"] = process.argv.slice(2);
const clock = virtualClock({ startMs: Number(startMs), speed: 100 });
await startAws({
  topology: TOPOLOGY,
  clock,
  dataDir,
  functions: { bundles },
  observe(event) {
    if (event.kind === "log") process.stdout.write(`${event.line}\n`);
  },
});
await clock.runUntil(Number(startMs) + 3_600_000);
