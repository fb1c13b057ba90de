import { memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryTable } from "#adapters/memory/table";
import type { CronDeps } from "#app/cron/deps";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { NO_CACHE, VectorHub } from "#test/golden/cronhandle/hub";
import type { CronAnswer, CronHandleInput } from "#test/golden/cronhandle/input";
import { type HistoryObject, historyAnswer } from "#test/golden/cronhandle/karmadas-answers";

const MINUTE_MS = 60_000;

/** The cron's use cases, minute by minute, and once more after each change, when upstream reconciles. */
export async function ourAnswers(input: CronHandleInput): Promise<readonly CronAnswer[]> {
  const clock = memoryClock(Date.parse(input.start));
  const hub = new VectorHub(input);
  const quiet = () => {};
  const deps: CronDeps = {
    clock,
    ids: memoryIds(),
    log: { info: quiet, warn: quiet, error: quiet },
    table: memoryTable({ clock }),
    queue: { send: async () => [] },
    hubs: { hub: { port: hub.port, cache: NO_CACHE, mode: "active" } },
  };
  const evaluate = () => {
    const message = { v: 1, kind: "cron", hub: "hub", dueAtMs: clock.nowMs() } as const;
    return evaluateHub(deps, message, { receiveCount: 1, isOutOfTime: () => false });
  };

  const answers: CronAnswer[] = [];
  for (const step of input.steps) {
    const apply = async () => {
      if (step.apply === undefined) return;
      hub.applyCron(
        (input.cronFederatedHPA as { metadata: object }).metadata,
        step.apply.spec,
        clock.nowMs(),
      );
      await evaluate();
    };
    if (step.runAt !== undefined) await apply();
    const endMs = clock.nowMs() + step.advanceSeconds * 1000;
    hub.suffer(step);
    for (let next = nextMinute(clock.nowMs()); next <= endMs; next += MINUTE_MS) {
      clock.set(next);
      await evaluate();
    }
    clock.set(endMs);
    hub.suffer({});
    if (step.create) hub.create(step.create);
    for (const [name, replicas] of Object.entries(step.set?.deployments ?? {}))
      hub.setReplicas(name, replicas);
    if (step.delete) hub.deleteCron();
    if (step.runAt === undefined) await apply();
    answers.push(answerOf(hub));
  }
  return answers;
}

function nextMinute(nowMs: number): number {
  return (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
}

function answerOf(hub: VectorHub): CronAnswer {
  const { executionHistories = [] } = (hub.cron?.status ?? {}) as { executionHistories?: HistoryObject[] };
  return {
    deployments: Object.fromEntries(
      hub.named("Deployment").map(([name, { replicas }]) => [name, Number(replicas)]),
    ),
    federatedHpas: Object.fromEntries(hub.named("FederatedHPA")) as unknown as CronAnswer["federatedHpas"],
    histories: executionHistories.map(historyAnswer),
    events: hub.takeEvents(),
  };
}
