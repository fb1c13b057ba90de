import { describe, expect, it } from "vitest";
import { memoryClock } from "#adapters/memory/clock";
import { Buses } from "#infra/local/aws/events/buses";
import type { EventEnvelope } from "#infra/local/aws/events/envelope";

const START = Date.parse("2026-11-30T12:00:15.750Z");

describe("buses of this machine", () => {
  const open = (pattern: Record<string, unknown>) => {
    const delivered: EventEnvelope[] = [];
    const seen: [string, boolean][] = [];
    const buses = new Buses({
      names: ["mainsheet"],
      rules: [{ bus: "mainsheet", pattern, deliver: (event) => delivered.push(event) }],
      clock: memoryClock(START),
      observe: (_event, bus, known) => seen.push([bus, known]),
    });
    return { buses, delivered, seen };
  };
  const entry = { EventBusName: "mainsheet", Source: "a", DetailType: "b", Detail: '{"n":1}' };

  it("gives targets the envelope, with a time without milliseconds", () => {
    const { buses, delivered } = open({ source: ["a"] });
    const answer = buses.putEvents([{ ...entry, Resources: ["r"] }]);
    expect(answer.FailedEntryCount).toBe(0);
    expect(delivered).toEqual([
      {
        version: "0",
        id: (answer.Entries[0] as { EventId: string }).EventId,
        "detail-type": "b",
        source: "a",
        account: "000000000000",
        time: "2026-11-30T12:00:15Z",
        region: "us-east-1",
        resources: ["r"],
        detail: { n: 1 },
      },
    ]);
  });

  it("gives targets only what their pattern and bus match", () => {
    const { buses, delivered, seen } = open({ detail: { n: [1] } });
    buses.putEvents([
      { ...entry, Detail: '{"n":2}' },
      { ...entry, EventBusName: "arn:aws:events:us-east-1:000000000000:event-bus/mainsheet" },
      { Source: "a", DetailType: "b", Detail: '{"n":1}' },
      { ...entry, EventBusName: "nowhere" },
    ]);
    expect(delivered).toHaveLength(1);
    expect(seen).toEqual([
      ["mainsheet", true],
      ["mainsheet", true],
      ["default", true],
      ["nowhere", false],
    ]);
  });

  it("takes the entry's own time, in epoch seconds", () => {
    const { buses, delivered } = open({ source: ["a"] });
    buses.putEvents([{ ...entry, Time: Date.parse("2026-01-02T03:04:05Z") / 1_000 }]);
    expect(delivered[0]?.time).toBe("2026-01-02T03:04:05Z");
  });

  it("answers entry by entry: a faulty one fails alone (B91)", () => {
    const { buses, delivered } = open({ source: ["a"] });
    const answer = buses.putEvents([
      entry,
      { ...entry, Source: "" },
      { ...entry, Source: "aws.ec2" },
      { ...entry, Detail: "[1]" },
      { ...entry, Detail: "{" },
      entry,
    ]);
    expect(answer.FailedEntryCount).toBe(4);
    expect(answer.Entries.map((result) => ("ErrorCode" in result ? result.ErrorCode : "accepted"))).toEqual([
      "accepted",
      "InvalidArgument",
      "NotAuthorizedForSourceException",
      "MalformedDetail",
      "MalformedDetail",
      "accepted",
    ]);
    expect(delivered).toHaveLength(2);
  });

  it("refuses requests of none, of more than ten and of more than 256 KB", () => {
    const { buses } = open({ source: ["a"] });
    expect(() => buses.putEvents([])).toThrow(/between 1 and 10/);
    expect(() => buses.putEvents(Array(11).fill(entry))).toThrow(/between 1 and 10/);
    const large = { ...entry, Detail: JSON.stringify({ text: "x".repeat(130_000) }) };
    expect(() => buses.putEvents([large, large, large])).toThrow(/over the limit/);
  });

  it("refuses a rule whose pattern is none, when it is made", () => {
    expect(() => open({ source: "a" })).toThrow(/Event pattern is not valid/);
  });
});
