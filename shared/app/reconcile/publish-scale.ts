import type { Intent } from "#domain/work/intent";
import type { ObjectId } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/** Puts `ScaleDecided` on the bus: a scale of this object was written. Named by its intent, so that copies are known. */
export async function publishScale(deps: ReconcileDeps, id: ObjectId, intent: Intent): Promise<void> {
  const failed = await deps.bus.put([
    {
      source: "mainsheet",
      detailType: "ScaleDecided",
      atMs: intent.atMs,
      detail: {
        v: 1,
        id: intent.id,
        ...id,
        target: intent.target,
        from: intent.from,
        to: intent.to,
        reason: intent.reason,
      },
    },
  ]);
  for (const { reason } of failed)
    deps.log.warn("ScaleDecided not published", { ...id, intent: intent.id, reason });
}
