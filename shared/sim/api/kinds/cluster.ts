import type { KubeObject } from "#sim/api/object";
import { AGE, column } from "./column.ts";
import { goType } from "./go-type.ts";

/**
 * The member clusters, served by Karmada's aggregated API server. Columns: karmada f8fdd02
 * pkg/printers/internalversion/printers.go.
 */
export const CLUSTERS = goType({
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
  kind: "Cluster",
  categories: ["karmada-io"],
  namespaced: false,
  generation: true,
  status: true,
  columns: [
    column("Version", ({ status }) => String(status?.kubernetesVersion ?? "")),
    column("Mode", ({ spec }) => String(spec?.syncMode ?? "")),
    column("Ready", readyStatus),
    AGE,
    column("Zones", ({ spec }) => ((spec?.zones as string[] | undefined) ?? []).join(",") || "<none>", {
      wide: true,
    }),
    column("Region", ({ spec }) => String(spec?.region ?? "<none>"), { wide: true }),
    column("Provider", ({ spec }) => String(spec?.provider ?? "<none>"), { wide: true }),
    column("API-Endpoint", ({ spec }) => String(spec?.apiEndpoint ?? ""), { wide: true }),
    column("Proxy-URL", ({ spec }) => String(spec?.proxyURL ?? "<none>"), { wide: true }),
  ],
});

function readyStatus({ status }: KubeObject): string {
  const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
  return conditions.find(({ type }) => type === "Ready")?.status ?? "Unknown";
}
