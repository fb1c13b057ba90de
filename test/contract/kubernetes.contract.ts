import { afterEach, beforeEach, describe } from "vitest";
import type { Clock } from "#ports/clock";
import type { KubernetesPort } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { Fleet } from "#sim/fleet";
import { type ContractFleet, contractFleet } from "#test/contract/kubernetes-fleet";
import { members } from "./kubernetes/members.ts";
import { metrics } from "./kubernetes/metrics.ts";
import { reads } from "./kubernetes/reads.ts";
import { watches } from "./kubernetes/watches.ts";
import { writes } from "./kubernetes/writes.ts";

/** Connects an adapter to a fleet; `close` ends what was started for it. */
export type Connect = (
  fleet: Fleet,
  clock: Clock,
) => Promise<{ readonly port: KubernetesPort & MetricsApiPort; close(): Promise<void> }>;

/** What every adapter of `KubernetesPort` and `MetricsApiPort` keeps; the port's docstrings are the source. */
export function kubernetesContract(adapter: string, connect: Connect): void {
  describe(`KubernetesPort: ${adapter}`, () => {
    let world: ContractFleet;
    let connected: Awaited<ReturnType<Connect>>;

    beforeEach(async () => {
      world = contractFleet();
      connected = await connect(world.fleet, world.clock);
    });
    afterEach(() => connected.close());

    const exam = {
      get world() {
        return world;
      },
      get port() {
        return connected.port;
      },
    };
    reads(exam);
    writes(exam);
    watches(exam);
    members(exam);
    metrics(exam);
  });
}
