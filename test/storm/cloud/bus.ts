import type { Agenda } from "#test/storm/agenda";
import { dice } from "#test/storm/chance";
import type { Fact } from "#test/storm/facts";
import type { BusFault } from "#test/storm/fault";
import { ALARM, NAMESPACE, objectName } from "#test/storm/world/documents";
import { SOURCE } from "#wire/events";
import type { Cloud } from "./cloud.ts";
import { HUB } from "./functions.ts";

/** What others put on the bus, and its rule that hands it to `route`: late by a moment, and more than once at times. */
export interface StormBus {
  put(fault: BusFault): void;
}

export interface StormBusOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly cloud: Pick<Cloud, "deliver">;
  readonly tell: (fact: Fact) => void;
}

const LONGEST_MS = 500;

export function openBus({ seed, agenda, cloud, tell }: StormBusOptions): StormBus {
  const chance = dice(`${seed}/bus`);
  let made = 0;

  function envelope(id: string, { object, about }: BusFault): object {
    const name = objectName(object);
    const request = (detail: object) => ({
      ...{ id, source: SOURCE, "detail-type": "ReconcileRequested" },
      detail: { v: 1, id, hub: HUB, ...detail },
    });
    switch (about) {
      case "object":
        return request({ namespace: NAMESPACE, name });
      case "target":
        return request({ target: { apiVersion: "apps/v1", kind: "Deployment", namespace: NAMESPACE, name } });
      case "change": {
        const detail = { v: 1, id, hub: HUB, kind: "FederatedHPA", namespace: NAMESPACE, name };
        return {
          id,
          source: SOURCE,
          "detail-type": "ObjectChanged",
          detail: { ...detail, change: "modified" },
        };
      }
      case "alarm": {
        const detail = { alarmName: ALARM, state: { value: "ALARM" } };
        return { id, source: "aws.cloudwatch", "detail-type": "CloudWatch Alarm State Change", detail };
      }
    }
  }

  return {
    put(fault) {
      const { object, about, events, copies, everyMs } = fault;
      for (let event = 0; event < events; event++) {
        made += 1;
        const id = `event-${made}`;
        const body = JSON.stringify(envelope(id, fault));
        for (let copy = 0; copy < copies; copy++)
          agenda.at(agenda.nowMs() + event * everyMs + chance.whole(1, LONGEST_MS), () => {
            const isNamed = about === "object" || about === "change";
            const target = `${NAMESPACE}/${objectName(object)}`;
            tell({ what: "event", atMs: agenda.nowMs(), object: target, id, isNamed });
            cloud.deliver("route", body);
          });
      }
    },
  };
}
