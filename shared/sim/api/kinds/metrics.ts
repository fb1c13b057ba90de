import type { KubeObject } from "#sim/api/object";
import type { ResourceType, VirtualSource } from "#sim/api/resource-type";
import { column } from "./column.ts";
import { goType } from "./go-type.ts";

const metrics = { group: "metrics.k8s.io", version: "v1beta1", verbs: ["get", "list"] } as const;

/** `metrics.k8s.io/v1beta1` pods and nodes, answered from callbacks. */
export function metricsTypes(sources: {
  readonly pods: VirtualSource;
  readonly nodes: VirtualSource;
}): readonly ResourceType[] {
  const window = column("Window", (object) => String(object.window ?? ""));
  return [
    goType({
      ...metrics,
      resource: "pods",
      kind: "PodMetrics",
      singular: "",
      columns: [
        column("CPU", (object) => containerUsage(object, "cpu")),
        column("Memory", (object) => containerUsage(object, "memory")),
        window,
      ],
      source: sources.pods,
    }),
    goType({
      ...metrics,
      resource: "nodes",
      kind: "NodeMetrics",
      singular: "",
      namespaced: false,
      columns: [
        column("CPU", (object) => usage(object, "cpu")),
        column("Memory", (object) => usage(object, "memory")),
        window,
      ],
      source: sources.nodes,
    }),
  ];
}

function containerUsage(object: KubeObject, resource: string): string {
  const containers = (object.containers ?? []) as { usage?: Record<string, string> }[];
  return containers.map((container) => container.usage?.[resource] ?? "0").join(",");
}

function usage(object: KubeObject, resource: string): string {
  return (object.usage as Record<string, string> | undefined)?.[resource] ?? "0";
}
