import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleFunctions } from "#infra/bundle";
import { WITH_RELAY } from "#infra/topology";
import type { Measurement, Section } from "#test/bench/section";
import { standInCloud } from "#test/bench/stand-in-cloud";

const EMPTY = "empty handler";
const PROCESS = fileURLToPath(new URL("cold-start-process.mjs", import.meta.url));
/** Interleaved, so that a busy machine is busy for all of them. */
const ROUNDS = 9;
/** How many times as long as an empty handler, at most (issue: cold start). */
const AIM = { sdk: 2, kubernetes: 3 } as const;
const SLOT_MS = 15_000;

/**
 * What a cold start costs: the size of each bundle, and a fresh process up to the end of its first invocation, against
 * one with an empty handler. Both have a runtime that speaks the Runtime API. The invocations do their real work, over
 * loopback, with a cloud and a hub that have nothing; a relay's ends with the first list that it has worked off.
 */
export const coldStart: Section = {
  name: "cold-start",
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "cold-start-"));
    const cloud = await standInCloud();
    try {
      await bundleFunctions(folder);
      const empty = join(folder, "empty.mjs");
      writeFileSync(empty, "export const handler = async () => {};\n");
      const starts = [
        { name: EMPTY, bundle: empty },
        ...Object.keys(WITH_RELAY.functions).map((name) => ({
          name,
          bundle: join(folder, name, "index.mjs"),
        })),
      ];
      const times = new Map<string, Start[]>(starts.map(({ name }) => [name, []]));
      for (let round = 0; round < ROUNDS; round++) {
        for (const { name, bundle } of starts) {
          cloud.nextEvent(eventOf(name));
          times.get(name)?.push(await startOnce(bundle, cloud.environment));
        }
      }
      const base = times.get(EMPTY) ?? [];
      return starts.map(({ name, bundle }) => measurementOf(name, bundle, times.get(name) ?? [], base));
    } finally {
      cloud.close();
      rmSync(folder, { recursive: true });
    }
  },
};

interface Start {
  readonly importedMs: number;
  /** Since the process began. */
  readonly doneMs: number;
  /** Of processors, which a busy machine makes longer by much less. */
  readonly cpuMs: number;
}

function measurementOf(
  name: string,
  bundle: string,
  starts: readonly Start[],
  base: readonly Start[],
): Measurement {
  const of = (field: keyof Start, among = starts) => median(among.map((start) => start[field]));
  const spec = WITH_RELAY.functions[name];
  return {
    function: name,
    kibibytes: Math.round(statSync(bundle).size / 1024),
    importMs: rounded(of("importedMs")),
    firstInvocationDoneMs: rounded(of("doneMs")),
    ratio: rounded(of("doneMs") / of("doneMs", base)),
    cpuMs: rounded(of("cpuMs")),
    cpuRatio: rounded(of("cpuMs") / of("cpuMs", base)),
    ...(spec === undefined ? {} : { aim: spec.hub ? AIM.kubernetes : AIM.sdk }),
    starts: starts.length,
    node: process.version,
  };
}

async function startOnce(bundle: string, environment: Readonly<Record<string, string>>): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, bundle], {
    env: environment,
  });
  const line = stdout.split("\n").find((text) => text.startsWith("@"));
  if (line === undefined) throw new Error(`${bundle} did not end as it should: ${stdout}`);
  return JSON.parse(line.slice(1)) as Start;
}

/** Work that is due now, since late work is dropped unread. */
function eventOf(name: string): object {
  const dueAtMs = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  const slot = { v: 1, kind: "slot", hub: "hub", slotMs: dueAtMs };
  const messages: Readonly<Record<string, object>> = {
    sweep: slot,
    cron: { v: 1, kind: "cron", hub: "hub", dueAtMs },
    reconcile: {
      v: 1,
      kind: "shard",
      hub: "hub",
      shard: "o/shop/web",
      dueAtMs,
      objects: [{ namespace: "shop", name: "web", generation: 1 }],
    },
    route: {
      v: 1,
      kind: "later",
      hub: "hub",
      object: { namespace: "shop", name: "web" },
      untilMs: dueAtMs,
      eventId: "e-1",
    },
    parked: slot,
  };
  const message = messages[name];
  return message === undefined ? {} : { Records: [record(name, message, dueAtMs)] };
}

function record(queue: string, message: object, sentAtMs: number): object {
  return {
    messageId: "m-1",
    body: JSON.stringify(message),
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: String(sentAtMs),
      MessageGroupId: "g",
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
