import { type Dice, dice } from "./chance.ts";
import { drawRelayFaults } from "./draw-relay.ts";
import type { Fault } from "./fault.ts";
import { CALM_BEFORE_SECONDS, type Plan } from "./plan.ts";
import { cronCount, rulesBy } from "./world/cron-documents.ts";
import { behaviorBy } from "./world/documents.ts";

/** One kind of fault: how often per minute at the usual intensity, and what one looks like. */
interface Family {
  readonly name: string;
  readonly perMinute: number;
  readonly draw: (chance: Dice, objects: number) => DistributiveOmit<Fault, "atSeconds">;
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** Calls worth hitting, the more often the more there is to lose. */
const CALLS = [
  ...["", "", ""],
  ...["hub.updateScale", "hub.updateScale", "hub.updateScale"],
  ...["table.put:state", "table.put:state", "table.put:state"],
  ...["table.put:scale", "table.put:beat", "table.put:slot", "table.put:shards"],
  ...["table.get:state", "table.getMany", "table.get:slot", "table.get"],
  ...["hub.get:deployments", "hub.list", "hub.list:federatedhpas", "hub.listMetadata"],
  ...["hub.mergePatch:federatedhpas", "hub.create:events", "hub.mergePatch:events"],
  ...["member.list", "member.list:pods", "member.list:podmetrics", "queue.send", "bus.put"],
  ...["table.put:run", "table.put:cron-state", "table.get:cron-state", "table.put:turn", "table.put:seen"],
  ...["hub.list:cronfederatedhpas", "hub.mergePatch:cronfederatedhpas", "hub.get:deployments"],
];

const callOf = (chance: Dice) => {
  const call = chance.pick(CALLS);
  return { call, skip: call === "" ? chance.whole(0, 60) : chance.whole(0, 3) };
};
const when = (chance: Dice) => chance.pick(["before", "after"] as const);
const objectOf = (chance: Dice, objects: number) => ({ object: chance.whole(0, objects - 1) });
const cronOf = (chance: Dice, objects: number) => ({ cron: chance.whole(0, cronCount(objects) - 1) });

const FAMILIES: readonly Family[] = [
  {
    name: "crash",
    perMinute: 0.7,
    draw: (chance) => ({ kind: "crash", ...callOf(chance), when: when(chance) }),
  },
  {
    name: "refuse",
    perMinute: 2,
    draw: (chance) => {
      const at = when(chance);
      const hit = callOf(chance);
      const isWrite = /^hub\.(updateScale|mergePatch)/.test(hit.call);
      return {
        kind: "refuse",
        ...hit,
        when: at,
        // Only an answer that got lost hides an effect, and only a write with a precondition meets a conflict.
        as:
          at === "after"
            ? "unavailable"
            : chance.pick(["unavailable", "throttled", isWrite ? "conflict" : "throttled"]),
        times: chance.pick([1, 1, 1, 2, 3, 8, 30]),
      };
    },
  },
  {
    name: "slow",
    perMinute: 0.8,
    draw: (chance) => {
      const hit = callOf(chance);
      // An API server may take a minute for a request that nobody waits for any more.
      const longest = hit.call === "hub.updateScale" ? 60 : 20;
      return {
        kind: "slow",
        ...hit,
        part: chance.pick(["request", "answer"]),
        seconds: chance.pick([1, 4, 6, 9, longest]),
        times: chance.pick([1, 2, 5, 20]),
      };
    },
  },
  {
    name: "late-write",
    perMinute: 0.3,
    draw: (chance) => ({
      kind: "slow",
      call: chance.pick(["table.put:beat", "table.put:beat", "table.put", "table.put:run", "table.put:turn"]),
      skip: chance.whole(0, 3),
      part: "request",
      seconds: chance.pick([6, 9, 16, 20]),
      times: chance.pick([1, 2, 5]),
    }),
  },
  {
    name: "repeat",
    perMinute: 0.4,
    draw: (chance) => ({
      kind: "repeat",
      call: chance.pick(["table.put:state", "table.put:beat", "table.put", "queue.send"]),
      skip: chance.whole(0, 3),
    }),
  },
  {
    name: "meddle",
    perMinute: 1,
    draw: (chance) => ({
      kind: "meddle",
      call: "hub.updateScale",
      skip: 0,
      when: when(chance),
      does: chance.pick(["status", "image", "replicas"]),
      replicas: chance.whole(1, 12),
    }),
  },
  {
    name: "rival-write",
    perMinute: 0.5,
    draw: (chance) => ({
      kind: "meddle",
      call: "table.put:state",
      skip: chance.whole(0, 3),
      when: when(chance),
      does: "version",
      replicas: 0,
    }),
  },
  {
    name: "stale-reads",
    perMinute: 0.3,
    draw: (chance) => ({
      kind: "stale-reads",
      lagSeconds: chance.pick([1, 2, 5]),
      forSeconds: chance.whole(15, 90),
    }),
  },
  {
    name: "message",
    perMinute: 1.5,
    draw: (chance) => ({
      kind: "message",
      queue: chance.pick(["sweep", "reconcile", "reconcile", "cron", "route"]),
      does: chance.pick(["duplicate", "delay", "delay", "lose-delivery", "lose-answer"]),
      seconds: chance.pick([1, 5, 14, 16, 30, 90]),
      times: chance.pick([1, 1, 3, 10]),
    }),
  },
  {
    name: "minute",
    perMinute: 0.2,
    draw: (chance) => ({ kind: "minute", does: chance.pick(["miss", "double"]) }),
  },
  {
    name: "skew",
    perMinute: 0.3,
    draw: (chance) => ({
      kind: "skew",
      milliseconds: chance.pick([0, 0, -900, 900, -4_000, 4_000, -12_000, 12_000]),
    }),
  },
  { name: "recycle", perMinute: 0.2, draw: () => ({ kind: "recycle" }) },
  {
    name: "reject",
    perMinute: 0.3,
    draw: (chance) => ({
      kind: "reject",
      queue: chance.pick(["sweep", "reconcile", "cron", "route"]),
      times: chance.pick([1, 1, 3]),
    }),
  },
  {
    name: "event",
    perMinute: 1.2,
    draw: (chance, objects) => ({
      kind: "event",
      ...objectOf(chance, objects),
      about: chance.pick(["object", "target", "alarm", "change"]),
      events: chance.pick([1, 1, 2, 5, 30]),
      copies: chance.pick([1, 1, 2, 3]),
      everyMs: chance.pick([10, 300, 1_000, 2_900]),
    }),
  },
  {
    name: "cron-death",
    perMinute: 0.3,
    draw: (chance) => ({
      kind: "crash",
      call: chance.pick(["table.put:run", "table.put:cron-state", "hub.mergePatch:cronfederatedhpas"]),
      skip: chance.whole(0, 2),
      when: when(chance),
    }),
  },
  {
    name: "cron-rules",
    perMinute: 0.4,
    draw: (chance, objects) => ({ kind: "cron-rules", ...cronOf(chance, objects), rules: rulesBy(chance) }),
  },
  {
    name: "cron-suspend",
    perMinute: 0.3,
    draw: (chance, objects) => ({
      kind: "cron-suspend",
      ...cronOf(chance, objects),
      suspend: chance.happens(0.4),
    }),
  },
  {
    name: "remake-cron",
    perMinute: 0.3,
    draw: (chance, objects) => ({
      kind: chance.pick(["remake-cron", "remake-job"]),
      ...cronOf(chance, objects),
      afterSeconds: chance.pick([0, 1, 20, 70]),
    }),
  },
  {
    name: "hand-job",
    perMinute: 0.5,
    draw: (chance, objects) => ({
      kind: "hand-job",
      ...cronOf(chance, objects),
      replicas: chance.whole(0, 9),
    }),
  },
  {
    name: "cluster",
    perMinute: 0.4,
    draw: (chance) => ({
      kind: "cluster",
      cluster: chance.whole(0, 2),
      does: chance.pick(["cut-off", "cut-off", "fail-metrics", "slow"]),
      forSeconds: chance.pick([5, 20, 40, 90, 200]),
    }),
  },
  {
    name: "samples",
    perMinute: 0.4,
    draw: (chance) => ({
      kind: "samples",
      cluster: chance.whole(0, 2),
      does: chance.pick(["drop", "absurd", "ghosts"]),
      forSeconds: chance.whole(10, 60),
    }),
  },
  {
    name: "poison",
    perMinute: 0.06,
    draw: (chance, objects) => ({
      kind: "poison",
      ...objectOf(chance, objects),
      forSeconds: chance.pick([60, 200, 400]),
    }),
  },
  {
    name: "crowd",
    perMinute: 0.25,
    draw: (chance) => ({ kind: "crowd", count: chance.pick([0, 28, 40, 52]) }),
  },
  {
    name: "terms",
    perMinute: 1,
    draw: (chance, objects) => ({ ...objectOf(chance, objects), ...termsBy(chance) }),
  },
  {
    name: "hand",
    perMinute: 0.7,
    draw: (chance, objects) => ({
      kind: "hand",
      ...objectOf(chance, objects),
      replicas: chance.whole(0, 12),
    }),
  },
  {
    name: "image",
    perMinute: 0.4,
    draw: (chance, objects) => ({ kind: "image", ...objectOf(chance, objects) }),
  },
  {
    name: "weights",
    perMinute: 0.3,
    draw: (chance, objects) => ({
      kind: "weights",
      ...objectOf(chance, objects),
      weights: [chance.whole(1, 3), chance.whole(0, 3), chance.whole(0, 3)],
    }),
  },
  {
    name: "remake",
    perMinute: 0.4,
    draw: (chance, objects) => ({
      kind: chance.pick(["remake-object", "remake-target"]),
      ...objectOf(chance, objects),
      afterSeconds: chance.pick([0, 1, 10, 30]),
    }),
  },
  {
    name: "rival",
    perMinute: 0.2,
    draw: (chance, objects) => ({
      kind: "rival",
      ...objectOf(chance, objects),
      forSeconds: chance.whole(5, 90),
    }),
  },
  {
    name: "foreign-status",
    perMinute: 0.2,
    draw: (chance, objects) => ({ kind: "foreign-status", ...objectOf(chance, objects) }),
  },
];

function termsBy(chance: Dice) {
  switch (chance.whole(0, 3)) {
    case 0: {
      const minReplicas = chance.whole(0, 4);
      return { kind: "bounds", minReplicas, maxReplicas: minReplicas + chance.whole(1, 8) } as const;
    }
    case 1:
      return { kind: "behavior", behavior: behaviorBy(chance) } as const;
    case 2:
      return { kind: "goal", percent: chance.pick([30, 50, 70, 90]) } as const;
    default:
      return {
        kind: "annotate",
        annotations: { "mainsheet.io/mode": chance.pick(["observe", "active", null]) },
      } as const;
  }
}

/** How much of each family there is: none, the usual, or plenty, since faults of one kind can hide those of another. */
const INTENSITIES = [0, 0.5, 1, 1, 3];

/** The plan of a seed. Its faults are over `CALM_BEFORE_SECONDS` after its minutes began, at the latest. */
export function drawPlan(seed: string, minutes: number, objects: number): Plan {
  const faults = FAMILIES.flatMap(({ name, perMinute, draw }): Fault[] => {
    const chance = dice(`${seed}/faults/${name}`);
    const expected = perMinute * minutes * chance.pick(INTENSITIES);
    const count = Math.floor(expected + chance.next());
    return Array.from({ length: count }, () => {
      const atSeconds = CALM_BEFORE_SECONDS + Math.floor(chance.next() * minutes * 60_000) / 1000;
      return { atSeconds, ...draw(chance, objects) } as Fault;
    });
  });
  const all = [...faults, ...drawRelayFaults(seed, minutes)];
  return { seed, minutes, objects, faults: all.sort((a, b) => a.atSeconds - b.atSeconds) };
}
