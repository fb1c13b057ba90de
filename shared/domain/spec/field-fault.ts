import type { SpecFault } from "#domain/spec/federated-hpa";

/** The codes of Kubernetes' field errors that a spec can meet; each has its row in docs/faults.md. */
export type FieldFaultCode =
  | "FieldValueInvalid"
  | "FieldValueRequired"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueTooLong"
  /** The JSON has another type than the field: Go cannot decode the object at all. */
  | "FieldValueTypeInvalid";

/**
 * One fault of a field. `message` is the line that Karmada's webhook answers with
 * (`spec.minReplicas: Invalid value: 0: must be greater than or equal to 1`).
 */
export interface FieldFault extends SpecFault {
  readonly code: FieldFaultCode;
  readonly message: string;
}

/** The field has a value that is not allowed. Absent values print as `null`, as Go prints a nil pointer. */
export function invalidValue(path: string, value: unknown, detail: string): FieldFault {
  return fault("FieldValueInvalid", path, `Invalid value: ${printed(value)}`, detail);
}

export function requiredValue(path: string, detail = ""): FieldFault {
  return fault("FieldValueRequired", path, "Required value", detail);
}

/** `supported` is listed in the order given; Kubernetes sorts it. */
export function unsupportedValue(path: string, value: unknown, supported: readonly string[]): FieldFault {
  const detail = `supported values: ${supported.map(printed).join(", ")}`;
  return fault("FieldValueNotSupported", path, `Unsupported value: ${printed(value)}`, detail);
}

export function forbiddenValue(path: string, detail: string): FieldFault {
  return fault("FieldValueForbidden", path, "Forbidden", detail);
}

export function duplicateValue(path: string, value: unknown): FieldFault {
  return fault("FieldValueDuplicate", path, `Duplicate value: ${printed(value)}`, "");
}

export function tooLongValue(path: string, maximumBytes: number): FieldFault {
  return fault("FieldValueTooLong", path, "Too long", `may not be more than ${maximumBytes} bytes`);
}

/** `message` is Go's decoding error, which names no path of its own. */
export function undecodableValue(path: string, message: string): FieldFault {
  return { code: "FieldValueTypeInvalid", path, detail: message, message };
}

function fault(code: FieldFaultCode, path: string, body: string, detail: string): FieldFault {
  return { code, path, detail, message: `${path}: ${body}${detail === "" ? "" : `: ${detail}`}` };
}

function printed(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
