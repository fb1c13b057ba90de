import type { LedgerChoice } from "#domain/work/ledger";

export interface LedgerSettings {
  readonly choice: LedgerChoice;
  readonly retentionSeconds: number;
}

const DAY_SECONDS = 86_400;
const DEFAULT_DAYS = 14;
const MAX_DAYS = 3_650;

/**
 * LEDGER_DECISIONS: `changes` (default), `all`, or `sample:N` for the changes and every N-th evaluation.
 * LEDGER_DAYS: how long they are kept, 14 by default. Throws one sentence for a fault.
 */
export function ledgerSettings(env: NodeJS.ProcessEnv): LedgerSettings {
  const days = Number(env.LEDGER_DAYS ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new Error(
      `LEDGER_DAYS is ${env.LEDGER_DAYS || "empty"}; allowed: whole days from 1 to ${MAX_DAYS}`,
    );
  }
  return { choice: choiceOf(env.LEDGER_DECISIONS ?? "changes"), retentionSeconds: days * DAY_SECONDS };
}

/** The variables that `ledgerSettings` reads back as these; throws one sentence for a fault. */
export function ledgerEnvironment(
  decisions: string | undefined,
  days: number | undefined,
): Record<string, string> {
  const env = {
    ...(decisions === undefined ? {} : { LEDGER_DECISIONS: decisions }),
    ...(days === undefined ? {} : { LEDGER_DAYS: String(days) }),
  };
  ledgerSettings(env);
  return env;
}

function choiceOf(text: string): LedgerChoice {
  if (text === "changes" || text === "all") return text;
  const [, every] = /^sample:([1-9]\d{0,5})$/.exec(text) ?? [];
  if (every !== undefined) return { sampleEvery: Number(every) };
  throw new Error(
    `LEDGER_DECISIONS is ${text || "empty"}; allowed: changes, all, and sample:N for every N-th evaluation`,
  );
}
