import type { Admission } from "#domain/spec/admission";
import { defaultFederatedHpa } from "#domain/spec/default-federated-hpa";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";
import { validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import type { Judge } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import { ADMISSION_LEDGER, type AdmissionAnswer, type AdmissionInput } from "#test/golden/ledger/admission";

interface KarmadaAnswer {
  readonly errors?: readonly { readonly type: string; readonly field: string }[];
  readonly decodeError?: string;
  readonly spec?: unknown;
}

/** A case with a defaulted spec is one for the defaulting webhook; the others tell their webhook by the object's kind. */
export const judge: Judge<AdmissionInput, KarmadaAnswer> = (vector) => {
  const { object } = vector.in;
  const out = karmadaAnswer(vector.out);
  if (out.spec !== undefined) return settle(ADMISSION_LEDGER, { in: vector.in, out }, defaulted(object));
  const validate = object.kind === "CronFederatedHPA" ? validateCronFederatedHpa : validateFederatedHpa;
  return settle(ADMISSION_LEDGER, { in: vector.in, out }, admission(validate(object)));
};

function karmadaAnswer({ errors, decodeError, spec }: KarmadaAnswer): AdmissionAnswer {
  if (decodeError !== undefined) return { undecodable: true };
  if (spec !== undefined) return { spec };
  return { errors: (errors ?? []).map(({ type, field }) => `${type} ${field}`).sort() };
}

function admission({ faults, decodeError }: Admission): AdmissionAnswer {
  if (decodeError !== undefined) return { undecodable: true };
  return { errors: faults.map(({ code, path }) => `${code} ${path}`).sort() };
}

function defaulted(object: unknown): AdmissionAnswer {
  const answer = defaultFederatedHpa(object);
  return answer.ok ? { spec: answer.object.spec } : { undecodable: true };
}
