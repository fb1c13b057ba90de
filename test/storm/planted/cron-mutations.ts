import type { Mutation } from "./mutation.ts";

/** What could go wrong with the runs of cron rules. */
export const CRON_MUTATIONS: readonly Mutation[] = [
  {
    name: "claim-without-lease",
    invariant: "I4",
    says: "a run that another invocation has claimed just now is done beside it",
    patches: [
      {
        file: "shared/app/cron/do-runs.ts",
        find: 'if (entries.some(({ claim, result }) => !result && claim && claim.leaseUntilMs > nowMs)) return "busy";',
        put: "",
      },
      {
        file: "shared/domain/cron/decide-runs.ts",
        find: 'if (claim !== undefined && !isUntouched(claim, target)) return { result: "superseded" };',
        put: "",
      },
    ],
  },
  {
    name: "claim-without-condition",
    invariant: "I4",
    says: "a run's record is written whatever is there",
    patches: [
      {
        file: "shared/app/cron/cron-store.ts",
        find: "await deps.table.put(encodeRun(id, run, deps.ids.next()), condition);",
        put: 'await deps.table.put(encodeRun(id, run, deps.ids.next()), { if: "none" });',
      },
    ],
  },
  {
    name: "write-without-claim",
    invariant: "I4",
    says: "the target is written before its runs are claimed",
    patches: [
      {
        file: "shared/app/cron/do-runs.ts",
        find: "  const claimed = await claimRuns(deps, turn, pending, target);",
        put:
          "  await writeTarget(access, done, target);\n" +
          "  const claimed = await claimRuns(deps, turn, pending, target);",
      },
    ],
  },
  {
    name: "due-not-remembered",
    invariant: "I4",
    says: "what is due is not remembered before it is done, so that a crash forgets it",
    patches: [
      {
        file: "shared/app/cron/evaluate-object.ts",
        find: "if (!plan.isNews) return { plan, state: plan.state };",
        put: "if (plan.isNews || !plan.isNews) return { plan, state: plan.state };",
      },
    ],
  },
  {
    name: "cron-beat-for-the-failed",
    invariant: "I4",
    says: "cron's heartbeat speaks for objects whose evaluation failed",
    patches: [
      {
        file: "shared/app/cron/evaluate-hub.ts",
        find: "behind.push([object, evaluatedUntil(beat, object) ?? 0]);",
        put: "",
      },
    ],
  },
];
