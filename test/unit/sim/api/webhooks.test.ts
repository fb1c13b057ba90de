import { describe, expect, it } from "vitest";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { AT, federatedHpa, hub, karmadaType, named, object, refusal, value } from "./fixture.ts";

const AUTOSCALING = "autoscaling.karmada.io/v1alpha1";

describe("Karmada's webhooks on the hub", () => {
  it("fill in minReplicas and the metric of a FederatedHPA, and drop tolerance (D-17)", () => {
    const api = hub({ admission: KARMADA_WEBHOOKS });
    const fhpas = karmadaType(api, AUTOSCALING, "federatedhpas");
    const behavior = { scaleUp: { tolerance: "0.2" } };
    const made = value(api.create(fhpas, federatedHpa("web", { behavior }), AT));
    expect(made.spec).toMatchObject({
      minReplicas: 1,
      metrics: [{ resource: { name: "cpu", target: { averageUtilization: 80 } } }],
      behavior: { scaleUp: { selectPolicy: "Max" } },
    });
    expect(JSON.stringify(made.spec)).not.toContain("tolerance");
  });

  it("deny in the API server's words", () => {
    const api = hub({ admission: KARMADA_WEBHOOKS });
    const fhpas = karmadaType(api, AUTOSCALING, "federatedhpas");
    expect(refusal(api.create(fhpas, federatedHpa("web", { minReplicas: 0 }), AT))).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'admission webhook "federatedhpa.karmada.io" denied the request: spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    });
    expect(
      refusal(api.create(fhpas, federatedHpa("web", { minReplicas: 0, maxReplicas: 0 }), AT)).message,
    ).toMatch(
      /denied the request: \[spec\.minReplicas: .*, spec\.maxReplicas: Invalid value: 0: must be greater than 0\]$/,
    );
  });

  it("look at patches too, but not at the status", () => {
    const api = hub({ admission: KARMADA_WEBHOOKS });
    const fhpas = karmadaType(api, AUTOSCALING, "federatedhpas");
    value(api.create(fhpas, federatedHpa("web"), AT));
    const patch = (body: object) => ({ type: "merge" as const, body });
    expect(refusal(api.patch(fhpas, named("web"), patch({ spec: { maxReplicas: -1 } }), AT)).code).toBe(403);
    const status = patch({ status: { desiredReplicas: 3 } });
    expect(value(api.patch(fhpas, named("web"), status, { ...AT, subresource: "status" })).status).toEqual({
      desiredReplicas: 3,
    });
  });

  it("deny a CronFederatedHPA under their own name", () => {
    const api = hub({ admission: KARMADA_WEBHOOKS });
    const crons = karmadaType(api, AUTOSCALING, "cronfederatedhpas");
    const spec = {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      rules: [{ name: "a", schedule: "61 * * * *", targetReplicas: 1 }],
    };
    expect(refusal(api.create(crons, object({ metadata: named("c"), spec }), AT)).message).toMatch(
      /^admission webhook "cronfederatedhpa\.karmada\.io" denied the request: spec\.rules\[0\]\.schedule: /,
    );
  });

  it("stay out of a hub without webhooks: minReplicas 0 and tolerance pass", () => {
    const api = hub();
    const fhpas = karmadaType(api, AUTOSCALING, "federatedhpas");
    const behavior = { scaleUp: { tolerance: "0.2" } };
    const made = value(api.create(fhpas, federatedHpa("web", { minReplicas: 0, behavior }), AT));
    expect(made.spec).toMatchObject({ minReplicas: 0, behavior });
  });
});
