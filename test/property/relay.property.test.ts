import { describe, expect, it } from "vitest";
import { runSchedule, type Tally } from "#test/relay/schedule";

const tally: Tally = {
  ...{ changes: 0, events: 0, kills: 0, turns: 0 },
  ...{ compactions: 0, restarts: 0, takeOvers: 0, faults: 0 },
};
const GROUPS = 10;
const IN_GROUP = 100;

describe("relay: connections cut at any byte, servers restarted, 410, events twice and late, sockets that hang, refusals, relays killed, told to stop and started twice", () => {
  it.each(Array.from({ length: GROUPS }, (_, group) => group * IN_GROUP))(
    "seeds relay/%i and the next 99: no change is lost, and none has two events of different ids",
    async (from) => {
      const findings: string[] = [];
      for (let seed = from; seed < from + IN_GROUP; seed++) {
        const found = await runSchedule(`relay/${seed}`, tally);
        findings.push(...found.map((finding) => `relay/${seed}: ${finding}`));
      }
      expect(findings).toEqual([]);
    },
    120_000,
  );

  it("and all of that has happened, often", () => {
    for (const [name, count] of Object.entries(tally)) {
      expect({ name, isOften: count > GROUPS * IN_GROUP }).toEqual({ name, isOften: true });
    }
  });
});
