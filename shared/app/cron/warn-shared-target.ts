import { type Scaler, sharedTargetWarnings } from "#app/validate/shared-targets";
import { isPortFault } from "#ports/fault";
import type { CronDeps, CronTurn } from "./deps.ts";
import { emitCronEvent } from "./emit-cron-event.ts";

/**
 * Warns on both objects when a FederatedHPA scales the same workload: it pulls back within seconds what is set here
 * (B79). Asked when the CronFederatedHPA is new or changed, and when it has set the workload; said once for each
 * generation of it. That the FederatedHPAs cannot be read stops nothing.
 */
export async function warnSharedTarget(deps: CronDeps, turn: CronTurn): Promise<void> {
  const { object, hub } = turn;
  if (hub.mode === "observe" || object.scaleTargetRef.kind === "FederatedHPA") return;
  try {
    const own = scalerOf("CronFederatedHPA", object, object.scaleTargetRef);
    for (const other of await turn.federatedHpas()) {
      const pair = [own, scalerOf("FederatedHPA", other, other.spec.scaleTargetRef)];
      const warnings = sharedTargetWarnings(pair);
      const [mine, its] = [warnings.get(0)?.[0], warnings.get(1)?.[0]];
      if (mine === undefined || its === undefined) continue;
      const about = `${object.generation}/${other.uid}`;
      const event = { type: "Warning", reason: "TargetShared" } as const;
      await emitCronEvent(deps, turn, { ...event, message: mine.detail }, about);
      const regarding = { ...other, kind: "FederatedHPA" } as const;
      await emitCronEvent(deps, turn, { ...event, message: its.detail }, about, regarding);
    }
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("FederatedHPAs on the same target not looked for", { ...turn.id, fault: error.message });
  }
}

function scalerOf(
  kind: Scaler["kind"],
  { namespace, name }: { readonly namespace: string; readonly name: string },
  target: Scaler["target"],
): Scaler {
  return { kind, namespace, name, target };
}
