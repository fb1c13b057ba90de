import { executionHistories, type StartFailure } from "#domain/cron/execution-history";
import type { RunResult } from "#domain/cron/run-result";
import type { CronFederatedHpa } from "#domain/spec/cron-federated-hpa";
import { isPortFault } from "#ports/fault";
import { cronStatusPatch, decodeCronFederatedHpa } from "#wire/cron-federated-hpa";
import { FIELD_MANAGER } from "#wire/field-manager";
import { CRON_FEDERATED_HPAS } from "#wire/kubernetes/resources";
import type { CronTurn } from "./deps.ts";

/** What an evaluation adds to the status. */
export interface StatusNews {
  readonly results: readonly RunResult[];
  readonly failures: readonly StartFailure[];
  readonly nextMs: ReadonlyMap<string, number>;
}

const TRIES = 3;

/**
 * Patches the object's execution histories, with its resourceVersion as precondition, when they say something new. On a
 * conflict the object is read again; one with another spec by then keeps what its status says of the next runs.
 */
export async function writeCronStatus(turn: CronTurn, news: StatusNews): Promise<void> {
  if (turn.hub.mode === "observe") return;
  const { namespace, name, uid, generation } = turn.object;
  let { object } = turn;
  for (let attempt = 1; ; attempt++) {
    const nextMs = object.generation === generation ? news.nextMs : nextOf(object);
    const after = executionHistories(object, news.results, news.failures, nextMs);
    const patch = cronStatusPatch(object.executionHistories, after);
    if (patch === undefined) return;
    const body = { metadata: { resourceVersion: object.resourceVersion }, ...patch };
    try {
      const options = { fieldManager: FIELD_MANAGER, subresource: "status" } as const;
      await turn.hub.port.mergePatch(CRON_FEDERATED_HPAS, { namespace, name }, body, options);
      return;
    } catch (error) {
      if (isPortFault(error, "missing")) return;
      if (!isPortFault(error, "conflict") || attempt === TRIES) throw error;
    }
    const current = decodeCronFederatedHpa(
      await turn.hub.port.get("hub", CRON_FEDERATED_HPAS, { namespace, name }),
    );
    if (current.uid !== uid) return;
    object = current;
  }
}

function nextOf({ executionHistories: histories }: CronFederatedHpa): ReadonlyMap<string, number> {
  return new Map(
    histories.flatMap(({ ruleName, nextExecutionMs }): [string, number][] =>
      nextExecutionMs === undefined ? [] : [[ruleName, nextExecutionMs]],
    ),
  );
}
