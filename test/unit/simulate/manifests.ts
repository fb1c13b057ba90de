import type { Manifest } from "#app/validate/finding";
import { type PlanInput, planSimulation } from "#infra/simulate/plan";
import { runSimulation } from "#infra/simulate/run";

export function manifest(value: unknown, file = "web.yaml"): Manifest {
  return { file, value };
}

/** A FederatedHPA of the Deployment `web` in `shop`, 2 to 10 replicas at 50 % CPU, and what else it says. */
export function federatedHpa(spec: object = {}, name = "web") {
  const resource = { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } };
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "FederatedHPA",
    metadata: { name, namespace: "shop" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [{ type: "Resource", resource }],
      ...spec,
    },
  };
}

export const HOUR_MS = 3_600_000;
/** Long enough to scale up, and down again after the default window. */
const SPAN_MS = HOUR_MS / 3;

export async function simulated(input: Partial<PlanInput> & Pick<PlanInput, "manifests">) {
  const planned = planSimulation({ title: "test", forMs: SPAN_MS, ...input });
  if (!planned.ok) throw new Error(planned.faults.join("\n"));
  return runSimulation(planned.plan);
}

export function faultsOf(input: Partial<PlanInput> & Pick<PlanInput, "manifests">): readonly string[] {
  const planned = planSimulation({ title: "test", forMs: SPAN_MS, ...input });
  return planned.ok ? [] : planned.faults;
}
