import type { FieldWrite, Snapshot } from "#domain/fleet/snapshot";
import type { History } from "#domain/scale/history";
import type { Condition } from "#domain/spec/federated-hpa";
import type { ConditionChange } from "#domain/status/conditions";

const WINDOW_MS = 10 * 60_000;
const CONFLICT_FROM = 3;
const TYPE = "ScaleConflict";

/**
 * The history with what others wrote to the target's `spec.replicas` in the last ten minutes. A write is known by its
 * manager and time, so that one seen in many slots counts once; of several between two slots the last is seen.
 */
export function withForeignWrites(history: History, snapshot: Snapshot): History {
  const { foreignWrites: former = [] } = history;
  const kept = former.filter(({ atMs }) => snapshot.instantMs - atMs < WINDOW_MS);
  const write = snapshot.target.ok ? snapshot.target.value.foreignWrite : undefined;
  const isNew =
    write !== undefined &&
    snapshot.instantMs - write.atMs < WINDOW_MS &&
    !kept.some(({ manager, atMs }) => manager === write.manager && atMs === write.atMs);
  if (!isNew && kept.length === former.length) return history;
  const { foreignWrites: _former, ...rest } = history;
  const foreignWrites = isNew ? [...kept, write] : kept;
  return foreignWrites.length === 0 ? rest : { ...rest, foreignWrites };
}

/**
 * The condition `ScaleConflict`: True from the third write by others within ten minutes, with their names; False after
 * ten minutes without one. Scaling goes on meanwhile. None where there never was a conflict.
 */
export function scaleConflict(
  history: History,
  conditions: readonly Condition[],
): readonly ConditionChange[] {
  const writes = history.foreignWrites ?? [];
  const isSet = conditions.some(({ type, status }) => type === TYPE && status === "True");
  if (isConflict(history)) return [conflict(writes)];
  if (!isSet || writes.length > 0) return [];
  return [
    {
      type: TYPE,
      status: "False",
      reason: "NoForeignScale",
      message: "nobody else scaled the target for 10 minutes",
    },
  ];
}

/** Whether a conflict is there in `after` that was not there in `before`. */
export function beginsConflict(before: History, after: History): boolean {
  return isConflict(after) && !isConflict(before);
}

/** A history's conflict in words, and the write that made it one. */
export function conflictOf({ foreignWrites: writes = [] }: History): {
  readonly message: string;
  readonly sinceMs: number;
} {
  return { message: conflict(writes).message, sinceMs: writes[CONFLICT_FROM - 1]?.atMs ?? 0 };
}

function isConflict({ foreignWrites = [] }: History): boolean {
  return foreignWrites.length >= CONFLICT_FROM;
}

function conflict(writes: readonly FieldWrite[]): ConditionChange & { readonly message: string } {
  const names = [...new Set(writes.map(({ manager }) => manager))].sort().join(", ");
  const message = `${names} wrote the target's replicas ${writes.length} times within 10 minutes; let only one of them scale it`;
  return { type: TYPE, status: "True", reason: "ForeignScale", message };
}
