import { applyConflict, type Status, type StatusCause } from "#sim/api/failure";
import { type FieldSet, pathsOf } from "./field-set.ts";
import type { ManagedSet } from "./managed-fields.ts";

/** Fields that an apply would change, and whose they are. */
export interface FieldConflict {
  readonly manager: ManagedSet;
  readonly fields: FieldSet;
}

/** The 409 that names them: one cause for each field, the message by owner. */
export function conflictStatus(conflicts: readonly FieldConflict[]): Status {
  const found = conflicts.map(({ manager, fields }) => ({ who: described(manager), paths: pathsOf(fields) }));
  const causes: StatusCause[] = found.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  if (causes.length === 1) {
    return applyConflict(`Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`, causes);
  }
  const lines = found.map(({ who, paths }) =>
    [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join("\n"),
  );
  return applyConflict(`Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`, causes);
}

/** `"kubectl-client-side-apply" using apps/v1`; appliers by name alone. */
function described({ manager, operation, apiVersion, subresource }: ManagedSet): string {
  const name =
    JSON.stringify(manager) + (subresource === undefined ? "" : ` with subresource "${subresource}"`);
  return operation === "Apply" ? name : `${name} using ${apiVersion}`;
}
