import type { KubeObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { type PartialObjectMetadata, partialMetadata } from "./partial-metadata.ts";

/** What a row carries of its object beside the cells. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface Table {
  readonly kind: "Table";
  readonly apiVersion: "meta.k8s.io/v1";
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly TableRow[];
}

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

interface TableRow {
  readonly cells: readonly (string | number | boolean | null)[];
  readonly object?: KubeObject | PartialObjectMetadata;
}

const NAME: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name must be unique within a namespace.",
  priority: 0,
};

/** Objects as kubectl prints them: NAME, then the columns of their type. Ages are counted to `nowMs`. */
export function tableOf(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: Table["metadata"],
  include: IncludeObject,
  nowMs: number,
): Table {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: [
      NAME,
      ...type.columns.map(({ name, type, format = "", description, priority }) => ({
        name,
        type,
        format,
        description,
        priority,
      })),
    ],
    rows: objects.map((object) => ({
      cells: [object.metadata.name ?? "", ...type.columns.map((column) => column.cell(object, nowMs))],
      ...(include === "None" ? {} : { object: include === "Object" ? object : partialMetadata(object) }),
    })),
  };
}
