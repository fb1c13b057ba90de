import type { ClusterAffinity } from "#domain/placement/cluster-affinity";
import type { DivisionStrategy } from "#domain/placement/divide";
import type { StaticWeight } from "#domain/placement/static-weight";
import { type LabelSelector, readLabelSelector } from "#domain/units/selector-object";
import type { JsonObject } from "#sim/api/object";

/** `spec.placement` of a policy, read for the scheduler. */
export interface Placement {
  /** Tried in their order; the first that means any cluster counts. */
  readonly affinities: readonly ClusterAffinity[];
  readonly strategy: DivisionStrategy;
  readonly staticWeights: readonly StaticWeight[];
}

interface PlacementJson {
  readonly clusterAffinity?: AffinityJson;
  readonly clusterAffinities?: readonly AffinityJson[];
  readonly replicaScheduling?: {
    readonly replicaSchedulingType?: string;
    readonly replicaDivisionPreference?: string;
    readonly weightPreference?: {
      readonly dynamicWeight?: string;
      readonly staticWeightList?: readonly {
        readonly targetCluster?: AffinityJson;
        readonly weight?: number;
      }[];
    };
  };
}

interface AffinityJson {
  readonly clusterNames?: readonly string[];
  readonly exclude?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

/** The placement of a binding. Without `replicaScheduling` it is Duplicated, without an affinity it means every cluster. */
export function readPlacement(json: JsonObject): Placement {
  const { clusterAffinity, clusterAffinities, replicaScheduling = {} } = json as PlacementJson;
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = replicaScheduling;
  const affinities = clusterAffinities ?? [clusterAffinity ?? {}];
  return {
    affinities: affinities.map(affinityOf),
    strategy: strategyOf(replicaSchedulingType, replicaDivisionPreference, weightPreference?.dynamicWeight),
    staticWeights: (weightPreference?.staticWeightList ?? []).map(({ targetCluster = {}, weight = 0 }) => ({
      targetCluster: affinityOf(targetCluster),
      weight,
    })),
  };
}

function affinityOf({ labelSelector, ...names }: AffinityJson): ClusterAffinity {
  return {
    ...names,
    ...(labelSelector === undefined ? {} : { labelSelector: readLabelSelector(labelSelector).selector }),
  };
}

function strategyOf(
  type: string | undefined,
  preference: string | undefined,
  dynamicWeight: string | undefined,
): DivisionStrategy {
  if (type !== "Divided") return "Duplicated";
  if (preference === "Aggregated") return "Aggregated";
  return dynamicWeight === undefined || dynamicWeight === "" ? "StaticWeight" : "DynamicWeight";
}
