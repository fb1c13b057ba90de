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
    name: "list-is-no-news",
    invariant: "I7",
    says: "what a list shows after a watch's version is gone is taken as known",
    patches: [
      {
        file: "shared/app/relay/publication.ts",
        find: '        if (arrival.kind === "list" && !memory.knows(arrival.source.name)) {',
        put: '        if (arrival.kind === "list") {',
      },
    ],
  },
  {
    name: "resumed-from-now",
    invariant: "I7",
    says: "a relay resumes its watches from what there is and skips what was between",
    patches: [
      {
        file: "shared/app/relay/follow-source.ts",
        find: "await watch(resumed ?? (await list()));",
        put: "await watch(failures > 0 ? (await port.list(source.at, source.resource)).resourceVersion : (resumed ?? (await list())));",
      },
    ],
  },
  {
    name: "lost-lease-ignored",
    invariant: "I7",
    says: "a relay whose checkpoint is refused goes on as if it held the lease",
    patches: [
      {
        file: "shared/app/relay/publication.ts",
        find: "    if (stored === undefined) {\n      isLost = true;\n      return false;\n    }",
        put: "    if (stored === undefined) return true;",
      },
    ],
  },
  {
    name: "binding-of-nobody",
    invariant: "I7",
    says: "an event about a workload's binding has nobody evaluated",
    patches: [
      {
        file: "shared/app/route/concerned.ts",
        find: "if (target !== undefined) return [ofWorkload(hub, target)];",
        put: "if (target !== undefined) return [];",
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
