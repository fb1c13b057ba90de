import type { RelayDeps } from "./deps.ts";
import { relayTurn, type TurnEnd } from "./relay-turn.ts";

/**
 * One turn for each hub, side by side, each taking over at once from the turn before. How each ended, by hub; throws when
 * one failed, after the others have ended.
 */
export async function relayTurns(
  relays: readonly Omit<RelayDeps, "holder">[],
  holder: string,
  stop: AbortSignal,
): Promise<Readonly<Record<string, TurnEnd>>> {
  const turns = relays.map(async (deps) => {
    const end = await relayTurn({ ...deps, holder }, "at-once", stop);
    return [deps.hub, end] as const;
  });
  const ended = await Promise.allSettled(turns);
  const failed = ended.find((turn) => turn.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return Object.fromEntries(ended.flatMap((turn) => (turn.status === "fulfilled" ? [turn.value] : [])));
}
