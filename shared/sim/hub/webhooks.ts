import type { Admission as Answer } from "#domain/spec/admission";
import { defaultFederatedHpa } from "#domain/spec/default-federated-hpa";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";
import { validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import type { Admission, AdmissionAnswer, AdmissionRequest } from "#sim/api/api-server";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";

/**
 * Karmada's webhooks for its two autoscaling kinds, under the names that its installer gives them (karmada f8fdd02
 * pkg/karmadactl/cmdinit/karmada/webhook_configuration.go). A hub without webhooks takes what the schema lets through.
 */
export const KARMADA_WEBHOOKS: readonly Admission[] = [
  hook("federatedhpas", defaulted),
  hook("federatedhpas", ({ object }) =>
    answered("federatedhpa.karmada.io", object, validateFederatedHpa(object)),
  ),
  hook("cronfederatedhpas", ({ object }) =>
    answered("cronfederatedhpa.karmada.io", object, validateCronFederatedHpa(object)),
  ),
];

function hook(resource: string, admit: Admission["admit"]): Admission {
  return {
    matches: (type, operation) =>
      type.group === "autoscaling.karmada.io" && type.resource === resource && operation !== "DELETE",
    admit,
  };
}

/** The mutating webhook decodes into types without `tolerance`, and what it writes back is without it (D-17). */
function defaulted({ object }: AdmissionRequest): AdmissionAnswer {
  const result = defaultFederatedHpa(object);
  if (result.ok) return { allowed: true, object: withoutTolerance(result.object as KubeObject) };
  const [first] = result.faults;
  return { allowed: false, webhook: "autoscaling.karmada.io", message: first?.message ?? "", code: 400 };
}

function withoutTolerance(object: KubeObject): KubeObject {
  const behavior = object.spec?.behavior;
  if (!isJsonObject(behavior)) return object;
  const rules = Object.entries(behavior).map(([direction, value]) => {
    const { tolerance, ...kept } = value as JsonObject;
    return [direction, kept];
  });
  return { ...object, spec: { ...object.spec, behavior: Object.fromEntries(rules) } };
}

function answered(webhook: string, object: KubeObject, { faults, decodeError }: Answer): AdmissionAnswer {
  if (decodeError !== undefined) return { allowed: false, webhook, message: decodeError, code: 400 };
  if (faults.length === 0) return { allowed: true, object };
  // As Go prints an aggregate of errors: equal ones once, brackets around several.
  const texts = [...new Set(faults.map(({ message }) => message))];
  return {
    allowed: false,
    webhook,
    message: texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`,
    code: 403,
  };
}
