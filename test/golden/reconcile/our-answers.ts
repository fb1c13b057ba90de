import { concludeScale } from "#domain/scale/conclude";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY, type Policy } from "#domain/scale/policy";
import type { FederatedHpaStatus } from "#domain/spec/federated-hpa";
import { comparedConditions, comparedEvents, type StepAnswer } from "#test/golden/reconcile/step-answer";
import { type ReconcileInput, World } from "#test/golden/reconcile/world";
import { encodeStatus } from "#wire/federated-hpa-status";

/** Decides and writes step by step, under the policy that the vectors correspond to (design 4). */
export function ourAnswers(input: ReconcileInput): readonly StepAnswer[] {
  const world = new World(input);
  const policy = policyOf(input);
  let status: FederatedHpaStatus = {
    currentReplicas: 0,
    desiredReplicas: 0,
    conditions: [],
    currentMetrics: [],
  };
  let history = EMPTY_HISTORY;
  return input.steps.map((step) => {
    world.change(step);
    const decision = decideScale(world.snapshot(status), history, policy);
    const refusal = decision.scale === undefined ? undefined : step.scaleUpdateError;
    const conclusion = concludeScale(
      decision,
      refusal === undefined ? { ok: true } : { ok: false, message: refusal },
    );
    if (decision.scale !== undefined && refusal === undefined) world.templateReplicas = decision.scale.to;
    ({ status, history } = conclusion);
    const { currentReplicas = 0, desiredReplicas, lastScaleTime, currentMetrics } = encodeStatus(status);
    return {
      error: decision.failure !== undefined || refusal !== undefined,
      templateReplicas: world.templateReplicas,
      currentReplicas,
      desiredReplicas,
      lastScaleTime: lastScaleTime ?? undefined,
      currentMetrics,
      conditions: comparedConditions(status.conditions),
      events: comparedEvents(conclusion.events.map(({ type, reason, message }) => [type, reason, message])),
    };
  });
}

function policyOf({ controller }: ReconcileInput): Policy {
  const { downscaleStabilisationSeconds, ...settings } = controller;
  return {
    ...DEFAULT_POLICY,
    ...settings,
    downscaleStabilizationSeconds: downscaleStabilisationSeconds,
    lostCluster: "assume-equal",
    caughtUpCheck: false,
    allowExternal: false,
    allowMinZero: false,
  };
}
