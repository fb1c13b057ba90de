import type { ObjectReference } from "./federated-hpa-object.ts";
import { type FieldFault, invalidValue, requiredValue } from "./field-fault.ts";
import { pathSegmentFaults } from "./kubernetes-names.ts";

/** Kind and name are required, and each has to fit into one segment of a path (semantics 4.3, V:92-111). */
export function objectReferenceFaults(reference: ObjectReference, path: string): FieldFault[] {
  return (["kind", "name"] as const).flatMap((field) => {
    const value = reference[field];
    if (value === "") return [requiredValue(`${path}.${field}`)];
    return pathSegmentFaults(value).map((detail) => invalidValue(`${path}.${field}`, value, detail));
  });
}
