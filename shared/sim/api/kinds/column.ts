import { parseInstant } from "#domain/units/instant";
import type { KubeObject } from "#sim/api/object";
import type { Column } from "#sim/api/resource-type";
import { age, humanDuration } from "#sim/api/view/age";
import { parseJsonPath } from "#sim/api/view/json-path";

type Cell = string | number | boolean | null;

/** A column of a built-in kind. `wide` columns show with `-o wide` only. */
export function column(
  name: string,
  cell: (object: KubeObject, nowMs: number) => Cell,
  {
    type = "string",
    wide = false,
    description = "",
  }: { type?: Column["type"]; wide?: boolean; description?: string } = {},
): Column {
  return { name, type, description, priority: wide ? 1 : 0, cell };
}

export const AGE = column("Age", ({ metadata }, nowMs) => age(metadata.creationTimestamp, nowMs), {
  description: "CreationTimestamp is a timestamp representing the server time when this object was created.",
});

/** One entry of `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: Column["type"];
  readonly jsonPath: string;
  readonly priority?: number;
  readonly description?: string;
  readonly format?: string;
}

/** A printer column of a CustomResourceDefinition: the first result of its path; empty where there is none. */
export function printerColumn(declared: PrinterColumn): Column {
  const path = parseJsonPath(declared.jsonPath);
  return {
    name: declared.name,
    type: declared.type,
    ...(declared.format === undefined ? {} : { format: declared.format }),
    description:
      declared.description ?? `Custom resource definition column (in JSONPath format): ${declared.jsonPath}`,
    priority: declared.priority ?? 0,
    cell: (object, nowMs) => {
      const [value] = path?.(object) ?? [];
      if (value === undefined) return null;
      return declared.type === "date" ? dateCell(value, nowMs) : scalarCell(value);
    },
  };
}

function dateCell(value: unknown, nowMs: number): string {
  const atMs = typeof value === "string" ? parseInstant(value) : undefined;
  return atMs === undefined ? "<invalid>" : humanDuration(nowMs - atMs);
}

function scalarCell(value: unknown): Cell {
  return typeof value === "object" ? JSON.stringify(value) : (value as Cell);
}
