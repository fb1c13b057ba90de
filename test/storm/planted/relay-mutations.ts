import type { Mutation } from "./mutation.ts";

/** What could go wrong with the relay. */
export const RELAY_MUTATIONS: readonly Mutation[] = [
  {
    name: "confirmed-before-published",
    invariant: "I7",
    says: "a relay's checkpoint says that changes are published when it announces them",
    patches: [
      {
        file: "shared/app/relay/publication.ts",
        find: "store({ log: [...current.log, ...entries] })",
        put: "store({ log: [...current.log, ...entries], confirmed: current.log.length + entries.length })",
      },
    ],
  },
  {
    name: "published-unannounced",
    invariant: "I7",
    says: "a relay publishes changes before it announces them",
    patches: [
      {
        file: "shared/app/relay/publication.ts",
        find: "      const entries: LogEntry[] = round.map(",
        put: "      await publish(objectEvents(deps.hub, round, deps.clock.nowMs()));\n      const entries: LogEntry[] = round.map(",
      },
    ],
  },
  {
    name: "announced-not-settled",
    invariant: "I7",
    says: "a relay does not publish again what the one before it had announced",
    patches: [
      {
        file: "shared/app/relay/publication.ts",
        find: "if (open.length > 0 && !(await publish(",
        put: "if (open.length > 1_000 && !(await publish(",
      },
    ],
  },
  {
    name: "checkpoint-without-condition",
    invariant: "I7",
    says: "a relay stores its checkpoint whoever holds the lease",
    patches: [
      {
        file: "shared/app/relay/lease.ts",
        find: 'version === 0 ? { if: "absent" } : { if: "version", is: version };',
        put: 'version === 0 ? { if: "none" } : { if: "none" };',
      },
    ],
  },
  {
    name: "lease-never-dead",
    invariant: "I6",
    says: "a relay that stands by waits for ever for one that died",
    patches: [
      {
        file: "shared/app/relay/lease.ts",
        find: "nowMs - waitingFor.sinceMs >= LEASE_MS;",
        put: "nowMs - waitingFor.sinceMs >= 1_000 * LEASE_MS;",
      },
    ],
  },
];
