import type { FieldFault } from "./field-fault.ts";

/**
 * The answer of a validating webhook. `faults` is empty when the object is admitted. An object that cannot be decoded
 * is not looked at further: `decodeError` is Go's text for the first field that does not fit, and `faults` holds them
 * all, with the code FieldValueTypeInvalid.
 */
export interface Admission {
  readonly faults: readonly FieldFault[];
  readonly decodeError?: string;
}

/** The answer for an object that does not fit its types; undefined when it does. */
export function refusedUndecoded(faults: readonly FieldFault[]): Admission | undefined {
  const [first] = faults;
  return first === undefined ? undefined : { faults, decodeError: first.message };
}
