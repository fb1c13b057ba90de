import { parseSchedule } from "#domain/cron/schedule";
import { parseZone } from "#domain/cron/time-zone";
import { type Admission, refusedUndecoded } from "./admission.ts";
import {
  type CronFederatedHpaSpecObject,
  type CronRuleObject,
  decodeCronFederatedHpaObject,
} from "./cron-federated-hpa-object.ts";
import { duplicateValue, type FieldFault, invalidValue } from "./field-fault.ts";
import { objectMetaFaults } from "./object-meta.ts";
import { objectReferenceFaults } from "./object-reference.ts";

const KARMADA_AUTOSCALING = "autoscaling.karmada.io/v1alpha1";
const FEDERATED_HPA = "FederatedHPA";

/**
 * Whether a CronFederatedHPA, as plain JSON, is admitted. Follows Karmada f8fdd02
 * pkg/webhook/cronfederatedhpa/validating.go (semantics 4.3), its paths and messages, with its silences: a FederatedHPA
 * target may carry `targetReplicas`, another target min and max, rules may be none. Differs: D-22, one grammar for the
 * schedule (`parseSchedule`), with its own sentence.
 */
export function validateCronFederatedHpa(raw: unknown): Admission {
  const { value: object, faults } = decodeCronFederatedHpaObject(raw);
  return (
    refusedUndecoded(faults) ?? {
      faults: [...objectMetaFaults(object.metadata, "metadata"), ...cronSpecFaults(object.spec)],
    }
  );
}

/** What is wrong with a decoded spec; paths begin with `spec.`. A wrong kind of target ends the search, as upstream. */
export function cronSpecFaults({ scaleTargetRef, rules }: CronFederatedHpaSpecObject): FieldFault[] {
  const { apiVersion, kind } = scaleTargetRef;
  const ofKarmada = apiVersion === KARMADA_AUTOSCALING;
  if (ofKarmada && kind !== FEDERATED_HPA) {
    const detail = `invalid scaleTargetRef kind: ${kind}, only support ${FEDERATED_HPA}`;
    return [invalidValue("spec.scaleTargetRef.kind", kind, detail)];
  }
  const earlier = new Set<string>();
  const ruleFaults = rules.flatMap((rule, index) => {
    const path = `spec.rules[${index}]`;
    const twice = earlier.has(rule.name);
    earlier.add(rule.name);
    return [
      ...(twice ? [duplicateValue(`${path}.name`, rule.name)] : []),
      ...scheduleFaults(rule, path),
      ...(ofKarmada ? boundsFaults(rule, path) : replicasFaults(rule, kind, path)),
    ];
  });
  return [...objectReferenceFaults(scaleTargetRef, "spec.scaleTargetRef"), ...ruleFaults];
}

function scheduleFaults({ schedule, timeZone }: CronRuleObject, path: string): FieldFault[] {
  const faults: FieldFault[] = [];
  const parsed = parseSchedule(schedule);
  if (!parsed.ok) faults.push(invalidValue(`${path}.schedule`, schedule, parsed.fault.detail));
  const zone = parseZone(timeZone ?? "");
  if (!zone.ok) faults.push(invalidValue(`${path}.timeZone`, timeZone, zone.fault.detail));
  return faults;
}

/** The values print as "" because upstream passes that instead of the number. */
function boundsFaults(
  { targetMinReplicas: min, targetMaxReplicas: max }: CronRuleObject,
  path: string,
): FieldFault[] {
  const faults: FieldFault[] = [];
  const add = (field: string, detail: string) => faults.push(invalidValue(`${path}.${field}`, "", detail));
  if (min === undefined && max === undefined) {
    add(
      "targetMaxReplicas",
      "targetMinReplicas and targetMaxReplicas cannot be nil at the same time if you want to scale FederatedHPA",
    );
  }
  if (min !== undefined && min <= 0) add("targetMinReplicas", "targetMinReplicas should be larger than 0");
  if (max !== undefined && max <= 0) add("targetMaxReplicas", "targetMaxReplicas should be larger than 0");
  if (max !== undefined && (min ?? 1) > max) {
    add("targetMinReplicas", "targetMaxReplicas should be larger than or equal to targetMinReplicas");
  }
  return faults;
}

function replicasFaults({ targetReplicas }: CronRuleObject, kind: string, path: string): FieldFault[] {
  if (targetReplicas === undefined) {
    const detail = `targetReplicas cannot be nil if you want to scale ${kind}`;
    return [invalidValue(`${path}.targetReplicas`, "", detail)];
  }
  if (targetReplicas >= 0) return [];
  return [invalidValue(`${path}.targetReplicas`, "", "targetReplicas should be larger than or equal to 0")];
}
