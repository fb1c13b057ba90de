import type { FunctionSpec } from "#infra/topology";

/** A part of the topology that a function works with, and how its variable is called. */
export interface Part {
  readonly kind: "QUEUE" | "TABLE" | "BUS";
  /** Its name in the topology. */
  readonly of: string;
}

/** The parts whose addresses a function finds in its environment. */
export function partsOf({ sends, table, bus }: FunctionSpec): readonly Part[] {
  return [
    ...sends.map((of) => ({ kind: "QUEUE", of }) as const),
    ...(table.length === 0 ? [] : [{ kind: "TABLE", of: "state" } as const]),
    ...(bus === undefined ? [] : [{ kind: "BUS", of: bus } as const]),
  ];
}
