import { type Dice, dice } from "./chance.ts";
import type { Fault } from "./fault.ts";
import { CALM_BEFORE_SECONDS } from "./plan.ts";

type What<T = Fault> = T extends unknown ? Omit<T, "atSeconds"> : never;

/** A relay is opt-in: so many plans have one. */
const SHARE = 1 / 8;
const PER_MINUTE = 3;
const INTENSITIES = [0.5, 1, 1, 3];
const CALLS = [
  ...[
    "relay.table.put:relay",
    "relay.table.put:relay",
    "relay.table.get:relay",
    "relay.bus.put",
    "relay.bus.put",
  ],
  ...["relay.hub.list", "relay.hub.watch", "relay.hub.watch:federatedhpas", "relay."],
];

/**
 * The relays of a seed's plan, and what happens to them; nothing in most. From chance of its own, so that plans without
 * one are what they would be if there were no relays.
 */
export function drawRelayFaults(seed: string, minutes: number): readonly Fault[] {
  const chance = dice(`${seed}/relay`);
  if (!chance.happens(SHARE)) return [];
  const start = { kind: "relay", does: "start", atSeconds: chance.pick([0, 0, 5, 60]), holder: 0 } as const;
  const expected = PER_MINUTE * minutes * chance.pick(INTENSITIES);
  const count = Math.floor(expected + chance.next());
  const others = Array.from({ length: count }, () => {
    const atSeconds = CALM_BEFORE_SECONDS + Math.floor(chance.next() * minutes * 60_000) / 1000;
    return { atSeconds, ...faultBy(chance) } as Fault;
  });
  return [start, ...others];
}

function faultBy(chance: Dice): What {
  const call = chance.pick(CALLS);
  const hit = { call, skip: chance.whole(0, call === "relay." ? 20 : 3) };
  const when = chance.pick(["before", "after"] as const);
  switch (chance.whole(0, 10)) {
    case 0:
      return { kind: "relay", does: "kill", which: chance.whole(0, 1) };
    case 1:
      return { kind: "relay", does: "stop", which: chance.whole(0, 1) };
    case 2:
    case 3:
    case 4: {
      const forSeconds = chance.pick([0, 2, 10, 30]);
      const keep = chance.pick([undefined, 0, 0, 10]);
      return { kind: "relay", does: "cut", forSeconds, ...(keep === undefined ? {} : { keep }) };
    }
    case 5:
      return chance.happens(0.5)
        ? { kind: "relay", does: "start", holder: chance.whole(0, 2) }
        : { kind: "relay", does: "reject", times: chance.whole(1, 3) };
    case 6:
    case 7:
      return { kind: "crash", ...hit, when };
    case 8:
    case 9: {
      const as = when === "after" ? "unavailable" : chance.pick(["unavailable", "throttled"] as const);
      return { kind: "refuse", ...hit, when, as, times: chance.pick([1, 1, 2, 5, 12]) };
    }
    default: {
      const part = chance.pick(["request", "answer"] as const);
      return {
        kind: "slow",
        ...hit,
        part,
        seconds: chance.pick([1, 4, 6, 20]),
        times: chance.pick([1, 2, 5]),
      };
    }
  }
}
