import { describe, expect, it } from "vitest";
import { memoryBus } from "#adapters/memory/bus";
import { countRefusals } from "#app/count-refusals";
import type { BusEvent } from "#ports/bus";
import { PortFault } from "#ports/fault";
import type { MeasureDimensions, MeasureName } from "#ports/telemetry";

const event = (id: number, hub = "eu"): BusEvent => ({
  ...{ source: "mainsheet", detailType: "ScaleDecided", atMs: 0 },
  detail: { v: 1, id: String(id), hub },
});
const TWELVE = Array.from({ length: 12 }, (_, id) => event(id));
const idOf = ({ detail }: BusEvent) => Number((detail as { id: string }).id);

function counted(options: Parameters<typeof memoryBus>[0]) {
  const records: [MeasureDimensions, Partial<Record<MeasureName, number>>][] = [];
  const bus = memoryBus(options);
  const telemetry = { record: (...record: (typeof records)[number]) => void records.push(record) };
  return { records, bus, counting: countRefusals(bus, telemetry) };
}

describe("what the bus refuses is counted (B91)", () => {
  it("two of twelve that still fail are two, and the caller hears which", async () => {
    const { records, counting } = counted({
      refuse: (one) => (idOf(one) > 9 ? "InternalFailure" : undefined),
    });
    const failed = await counting.put(TWELVE);
    expect(failed.map((one) => idOf(one.event))).toEqual([10, 11]);
    expect(records).toEqual([[{ hub: "eu" }, { EventsRefused: 2 }]]);
  });

  it("what is taken when it is sent again is none, and nothing is written as 0", async () => {
    let tries = 0;
    const { records, bus, counting } = counted({
      refuse: () => {
        tries += 1;
        return tries === 1 ? "ThrottlingException" : undefined;
      },
    });
    await counting.put(TWELVE);
    expect(bus.take()).toHaveLength(12);
    expect(records).toEqual([]);
  });

  it("a put that throws counts whole, and throws on", async () => {
    const fault = new PortFault("unavailable", "put 12 events on bus mainsheet: no answer");
    const { records, counting } = counted({
      interrupt: () => {
        throw fault;
      },
    });
    await expect(counting.put(TWELVE)).rejects.toBe(fault);
    expect(records).toEqual([[{ hub: "eu" }, { EventsRefused: 12 }]]);
  });

  it("each hub's are its own; an event that names none counts under none", async () => {
    const { records, counting } = counted({ refuse: () => "InternalFailure" });
    await counting.put([event(1), event(2, "us"), event(3), { ...event(4), detail: {} }]);
    expect(records).toEqual([
      [{ hub: "eu" }, { EventsRefused: 2 }],
      [{ hub: "us" }, { EventsRefused: 1 }],
      [{ hub: "-" }, { EventsRefused: 1 }],
    ]);
  });
});
