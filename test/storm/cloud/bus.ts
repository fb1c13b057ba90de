import type { BusEvent } from "#ports/bus";
import type { Agenda } from "#test/storm/agenda";
import { dice } from "#test/storm/chance";
import type { Fact } from "#test/storm/facts";
import type { BusFault } from "#test/storm/fault";
import { ALARM, NAMESPACE, objectName } from "#test/storm/world/documents";
import { type ObjectChanged, SOURCE } from "#wire/events";
import type { Cloud } from "./cloud.ts";
import { HUB } from "./functions.ts";

/** The bus, and its rule that hands events to `route`: late by a moment, and more than once at times. */
export interface StormBus {
  /** What others put on it. */
  put(fault: BusFault): void;
  /** What a relay puts on it. */
  publish(event: BusEvent): void;
}

export interface StormBusOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly cloud: Pick<Cloud, "deliver">;
  readonly tell: (fact: Fact) => void;
}

const LONGEST_MS = 500;
/** How often the rule hands on an event of a relay twice. */
const TWICE = 0.1;

export function openBus({ seed, agenda, cloud, tell }: StormBusOptions): StormBus {
  const chance = dice(`${seed}/bus`);
  const relayed = dice(`${seed}/bus/relayed`);
  let made = 0;
  let published = 0;

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

  function tellOfRelayed({ kind, change, namespace, name, id }: ObjectChanged): void {
    if (kind !== "FederatedHPA" || change === "deleted") return;
    tell({ what: "event", atMs: agenda.nowMs(), object: `${namespace}/${name}`, id, isNamed: true });
  }

  return {
    publish({ source, detailType, detail }) {
      published += 1;
      const body = JSON.stringify({ id: `relayed-${published}`, source, "detail-type": detailType, detail });
      for (let copies = relayed.happens(TWICE) ? 2 : 1; copies > 0; copies--)
        agenda.at(agenda.nowMs() + relayed.whole(1, LONGEST_MS), () => {
          tellOfRelayed(detail as ObjectChanged);
          cloud.deliver("route", body);
        });
    },
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
