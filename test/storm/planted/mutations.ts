import { CRON_MUTATIONS } from "./cron-mutations.ts";
import { MESSAGE_MUTATIONS } from "./message-mutations.ts";
import type { Mutation } from "./mutation.ts";
import { RELAY_MUTATIONS } from "./relay-mutations.ts";

/** At least one for each invariant. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: "one-more",
    invariant: "I1",
    says: "one replica more than windows and limits allow is decided",
    patches: [
      {
        file: "shared/domain/scale/settle.ts",
        find: "Math.min(normalized.replicas, current) : normalized.replicas;",
        put: "Math.min(normalized.replicas, current) : normalized.replicas + 1;",
      },
    ],
  },
  {
    name: "writes-the-former",
    invariant: "I1",
    says: "a renewed PUT carries the count that the target has, not the one decided",
    patches: [
      {
        file: "shared/app/reconcile/apply-scale.ts",
        find: "intent = await renew(target.resourceVersion);",
        put: "intent = { ...(await renew(target.resourceVersion)), to: target.replicas };",
      },
    ],
  },
  {
    name: "history-before-scale",
    invariant: "I2",
    says: "the scale is put on record before it is written",
    patches: [
      {
        file: "shared/app/reconcile/apply-decision.ts",
        find: "  const written = await applyScale(",
        put: '  await recordLanded(deps, turn.id, stored, intent, "applied");\n  const written = await applyScale(',
      },
    ],
  },
  {
    name: "put-without-precondition",
    invariant: "I2",
    says: "the PUT of a scale names no resourceVersion",
    patches: [
      {
        file: "shared/adapters/memory/kubernetes.ts",
        find: "metadata: { namespace, name, resourceVersion, ...",
        put: "metadata: { namespace, name, ...",
      },
    ],
  },
  {
    name: "overwritten-forgotten",
    invariant: "I2",
    says: "a scale that was overwritten before its outcome was known is taken for one that never was",
    patches: [
      {
        file: "shared/app/reconcile/settle-intent.ts",
        find: 'if (outcome !== "applied" && outcome !== "unconfirmed")',
        put: 'if (outcome !== "applied")',
      },
    ],
  },
  {
    name: "intent-not-stored-again",
    invariant: "I2",
    says: "a PUT that is sent again under a newer resourceVersion is not announced again",
    patches: [
      {
        file: "shared/app/reconcile/apply-decision.ts",
        find: "    stored = await saveState(deps, turn.id, { ...stored, intent });\n",
        put: "",
      },
    ],
  },
  {
    name: "state-without-version",
    invariant: "I3",
    says: "the state is written without its version as a condition",
    patches: [
      {
        file: "shared/app/reconcile/state-store.ts",
        find: "await remember(deps, encodeState(id, state, deps.ids.next()), condition);",
        put: 'await remember(deps, encodeState(id, state, deps.ids.next()), { if: "none" });',
      },
    ],
  },
  {
    name: "landed-not-counted",
    invariant: "I3",
    says: "a scale that landed uses up nothing of a policy's budget",
    patches: [
      {
        file: "shared/app/reconcile/settle-intent.ts",
        find: "...withScale(state, intent), scaled",
        put: "...state, scaled",
      },
    ],
  },
  {
    name: "beat-for-the-failed",
    invariant: "I3",
    says: "a heartbeat speaks for objects that were not evaluated",
    patches: [
      {
        file: "shared/domain/work/beat.ts",
        find: "if (failed.length === 0) return { lastMs: slotMs };",
        put: "if (failed.length < 1_000) return { lastMs: slotMs };",
      },
    ],
  },
  {
    name: "beat-set-back",
    invariant: "I3",
    says: "a heartbeat replaces whatever is there, also a later one",
    patches: [
      {
        file: "shared/wire/state.ts",
        find: 'return former === undefined ? { if: "absent" } : { if: "version", is: former.version };',
        put: 'return former === undefined ? { if: "none" } : { if: "none" };',
      },
    ],
  },
  {
    name: "evaluated-again",
    invariant: "I3",
    says: "work that is not newer than the state is done again",
    patches: [
      {
        file: "shared/app/reconcile/reconcile-object.ts",
        find: 'if (heardMs <= lastInstantOf(stored, turn)) return "stale";',
        put: "",
      },
      {
        file: "shared/app/reconcile/reconcile-shard.ts",
        find: 'if (beat !== undefined && slotMs <= beat.lastMs) return "duplicate";',
        put: "",
      },
    ],
  },
  {
    name: "wall-clock",
    invariant: "I3",
    says: "windows and policies see the wall clock and not the slot",
    patches: [
      {
        file: "shared/app/reconcile/reconcile-shard.ts",
        find: "load: (fresh) => timely.reads((fresh ? reload([id]) : load)(id, slotMs)),",
        put: "load: (fresh) => timely.reads((fresh ? reload([id]) : load)(id, deps.clock.nowMs())),",
      },
    ],
  },
  ...CRON_MUTATIONS,
  {
    name: "no-hold",
    invariant: "I5",
    says: "a cluster that cannot be read does not hold a scale-in",
    patches: [
      {
        file: "shared/domain/scale/lost-clusters.ts",
        find: 'holdsScaleIn: policy.lostCluster === "hold" && fresh,',
        put: "holdsScaleIn: false,",
      },
    ],
  },
  {
    name: "gap-is-zero",
    invariant: "I5",
    says: "pods that cannot be read count as no pods",
    patches: [
      {
        file: "shared/app/load/member.ts",
        find: "const decoded = pods.ok ? decodePods(pods.value) : pods;",
        put: "const decoded = decodePods(pods.ok ? pods.value : []);",
      },
    ],
  },
  {
    name: "status-now-and-then",
    invariant: "I6",
    says: "conditions are written once a minute only",
    patches: [
      {
        file: "shared/app/reconcile/record-outcome.ts",
        find: "if (instead === undefined) await writeStatus(",
        put: "if (instead === undefined && isMinuteTurn) await writeStatus(",
      },
    ],
  },
  {
    name: "intent-open-for-ever",
    invariant: "I6",
    says: "an intent whose PUT got lost stays open",
    patches: [
      {
        file: "shared/domain/work/intent.ts",
        find: 'return nowMs - intent.storedAtMs < IN_FLIGHT_MS ? "pending" : "not-applied";',
        put: 'return "pending";',
      },
    ],
  },
  {
    name: "breaker-stays-open",
    invariant: "I6",
    says: "a cluster that answers again is not asked for ever",
    patches: [
      {
        file: "shared/app/reconcile/breakers.ts",
        find: "return !(await write({ ...breaker, probedMs: slotMs }));",
        put: "return true;",
      },
    ],
  },
  {
    name: "innocent-in-quarantine",
    invariant: "I6",
    says: "whatever came a third time goes into quarantine, also what nobody died on",
    patches: [
      {
        file: "shared/app/reconcile/open-reconcile.ts",
        find: "if (receiveCount >= CULPRIT_AFTER && (await trials.diedOn(id, messageId)))",
        put: "if (receiveCount >= CULPRIT_AFTER)",
      },
    ],
  },
  ...MESSAGE_MUTATIONS,
  ...RELAY_MUTATIONS,
  {
    name: "unbounded-runs",
    invariant: "I8",
    says: "recommendations that can matter no more are kept",
    patches: [
      {
        file: "shared/domain/scale/recommendations.ts",
        find: "if (run.replicas <= highest && run.replicas >= lowest) continue;",
        put: "",
      },
    ],
  },
  {
    name: "marks-for-ever",
    invariant: "I8",
    says: "the marks of swept slots have no TTL",
    patches: [
      {
        file: "shared/app/sweep.ts",
        find: "{ ...mark, ttl, shards: shards.length, objects: objects.length }",
        put: "{ ...mark, shards: shards.length, objects: objects.length }",
      },
    ],
  },
];
