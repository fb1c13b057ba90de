import type { Agenda } from "./agenda.ts";
import type { StormBus } from "./cloud/bus.ts";
import type { Cloud } from "./cloud/cloud.ts";
import type { Relays } from "./cloud/relays.ts";
import type { Fault, SamplesFault } from "./fault.ts";
import type { Gate } from "./ports/gate.ts";
import type { openDeeds } from "./world/deeds.ts";
import { NAMESPACE, objectName } from "./world/documents.ts";
import type { StormFleet } from "./world/storm-fleet.ts";

/** What holds for as long as a fault lasts. */
export interface Conditions {
  /** How old the answers of reads are that need not be consistent. */
  lagMs: number;
  /** Clusters whose metrics API does not say the truth. */
  readonly distortions: Map<string, SamplesFault["does"]>;
  /** Objects, as `namespace/name`, on which every invocation dies. */
  readonly poisoned: Set<string>;
}

export function fairWeather(): Conditions {
  return { lagMs: 0, distortions: new Map(), poisoned: new Set() };
}

export interface Weather {
  /** Lets a fault happen now. */
  strike(fault: Fault): void;
  /** No fault waits for its moment any more; clocks are right. */
  clear(): void;
}

export interface WeatherOptions {
  readonly agenda: Agenda;
  readonly gate: Gate;
  readonly cloud: Cloud;
  readonly world: StormFleet;
  readonly deeds: ReturnType<typeof openDeeds>;
  readonly bus: StormBus;
  readonly relays: Relays;
  readonly conditions: Conditions;
}

export function openWeather(options: WeatherOptions): Weather {
  const { agenda, gate, cloud, world, deeds, bus, relays, conditions } = options;
  const { sources, pools, minuteFaults } = cloud;
  const after = (seconds: number, run: () => void) => agenda.at(agenda.nowMs() + seconds * 1000, run);

  return {
    strike(fault) {
      switch (fault.kind) {
        case "crash":
        case "refuse":
        case "slow":
        case "repeat":
        case "meddle":
          gate.arm(fault);
          break;
        case "stale-reads":
          conditions.lagMs = fault.lagSeconds * 1000;
          after(fault.forSeconds, () => {
            conditions.lagMs = 0;
          });
          break;
        case "message":
          sources.get(fault.queue)?.arm(fault);
          break;
        case "minute":
          minuteFaults.push(fault.does);
          break;
        case "reject":
          cloud.rejections.set(fault.queue, fault.times);
          break;
        case "event":
          bus.put(fault);
          break;
        case "relay":
          relays.strike(fault);
          break;
        case "skew":
          for (const pool of pools.values()) pool.skew(fault.milliseconds);
          break;
        case "recycle":
          for (const pool of pools.values()) pool.recycle();
          break;
        case "cluster":
          world.throwSwitch(fault, true);
          after(fault.forSeconds, () => world.throwSwitch(fault, false));
          break;
        case "samples": {
          const cluster = world.clusters[fault.cluster % world.clusters.length] as string;
          conditions.distortions.set(cluster, fault.does);
          after(fault.forSeconds, () => conditions.distortions.delete(cluster));
          break;
        }
        case "poison": {
          const object = `${NAMESPACE}/${objectName(fault.object)}`;
          conditions.poisoned.add(object);
          after(fault.forSeconds, () => conditions.poisoned.delete(object));
          break;
        }
        default:
          deeds.perform(fault);
      }
    },
    clear() {
      gate.disarm();
      relays.clear();
      minuteFaults.length = 0;
      cloud.rejections.clear();
      for (const source of sources.values()) source.disarm();
      for (const pool of pools.values()) pool.skew(0);
    },
  };
}
