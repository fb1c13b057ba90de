import type { ValidateOptions } from "#app/validate/validate-manifests";
import { CRON_FEDERATED_HPA_CRD, FEDERATED_HPA_CRD } from "#sim/api/kinds/karmada-autoscaling";
import type { Schema } from "#sim/api/schema";
import { check } from "#sim/api/schema-check";
import { prune } from "#sim/api/schema-prune";

const SCHEMAS = {
  FederatedHPA: FEDERATED_HPA_CRD.versions[0]?.schema?.openAPIV3Schema,
  CronFederatedHPA: CRON_FEDERATED_HPA_CRD.versions[0]?.schema?.openAPIV3Schema,
};
const NO_DEFINITIONS = new Map<string, Schema>();

/** Karmada's definitions of its two kinds, as the embedded hub serves them. */
export const hubSchema: ValidateOptions["hubSchema"] = (kind, object) => {
  const schema = SCHEMAS[kind];
  if (schema === undefined) return { unknown: [], faults: [] };
  const { spec } = object as { readonly spec?: unknown };
  const { value, unknown } = prune(spec === undefined ? {} : { spec }, schema, NO_DEFINITIONS);
  const causes = check(value, schema, NO_DEFINITIONS);
  return {
    unknown,
    faults: causes.map(({ reason, field = "", message }) => ({ code: reason, path: field, detail: message })),
  };
};
