import type { ResourceType } from "#sim/api/resource-type";
import { AGE, column } from "./column.ts";
import { goType } from "./go-type.ts";

/** autoscaling/v1 Scale: no resource of its own, but printed like one. */
export const SCALES: ResourceType = goType({
  group: "autoscaling",
  version: "v1",
  resource: "scales",
  kind: "Scale",
  columns: [
    column("Desired", ({ spec }) => Number(spec?.replicas ?? 0), { type: "integer" }),
    column("Available", ({ status }) => Number(status?.replicas ?? 0), { type: "integer" }),
    AGE,
  ],
});
