import { type MilliValue, sumMilli } from "#domain/units/milli";
import { parseMilli } from "#domain/units/quantity";
import type { ApiServer } from "#sim/api/api-server";
import { type Outcome, refuse, type Status } from "#sim/api/failure";
import { metricsTypes } from "#sim/api/kinds/metrics";
import { type MetricApi, metricNotFound, type ValuesQuery } from "#sim/api/metric-api";
import type { KubeObject } from "#sim/api/object";
import type { Access } from "#sim/fleet";
import { KINDS } from "#sim/kinds";
import { isClusterReady } from "./cluster-state.ts";

const FROM_CLUSTER = "resource.karmada.io/query-from-cluster";
const CUSTOM = "custom.metrics.k8s.io";

type AccessTo = (member: string, group: string) => Access;

/**
 * Karmada's metrics adapter on the hub (semantics 4.7): it asks every cluster that is Ready, and leaves out without a
 * word the ones that fail. PodMetrics say which cluster they are of; custom metrics of one name are added up, also those
 * of pods, and say nothing.
 */
export function installMetricsAdapter(
  hub: ApiServer,
  members: ReadonlyMap<string, ApiServer>,
  access: AccessTo,
): void {
  const asked = (group: string): readonly ApiServer[] =>
    [...members].flatMap(([name, member]) => {
      const cluster = hub.store.get(KINDS.clusters, undefined, name);
      const answers = cluster !== undefined && isClusterReady(cluster);
      return answers && access(name, group).refusal === undefined ? [member] : [];
    });

  const pods = (namespace: string | undefined, nowMs: number) =>
    asked(KINDS.podMetrics.group).flatMap((member) => podMetricsOf(member, namespace, nowMs));
  for (const type of metricsTypes({ pods, nodes: () => [] })) hub.catalogue.add(type);

  hub.catalogue.addMetricApi({
    group: CUSTOM,
    versions: ["v1beta2", "v1beta1"],
    kind: "MetricValueList",
    names() {
      const names = [...members.values()].flatMap((member) => customApiOf(member)?.names() ?? []);
      return [...new Set(names)].sort();
    },
    values: (version, query, nowMs) =>
      summed(
        query,
        asked(CUSTOM).flatMap((member) => customApiOf(member)?.values(version, query, nowMs) ?? []),
      ),
  });
}

function podMetricsOf(
  { name: cluster, catalogue }: ApiServer,
  namespace: string | undefined,
  nowMs: number,
): readonly KubeObject[] {
  const type = catalogue.find("metrics.k8s.io/v1beta1", KINDS.podMetrics.resource);
  const samples = type?.source?.(namespace, nowMs) ?? [];
  return samples.map((sample) => ({
    ...sample,
    metadata: { ...sample.metadata, annotations: { [FROM_CLUSTER]: cluster } },
  }));
}

function customApiOf({ catalogue }: ApiServer): MetricApi | undefined {
  return catalogue.metricApis().find(({ group }) => group === CUSTOM);
}

interface Item {
  readonly describedObject: { readonly name: string };
  readonly value: string;
}

/** By the described object's name; every other field is the first one's. */
function summed(
  { metric, described }: ValuesQuery,
  answers: readonly Outcome<readonly object[]>[],
): Outcome<readonly object[]> {
  const refusals = answers.flatMap((answer) => (answer.ok ? [] : [answer.status]));
  if (refusals.length === answers.length) {
    const none: Status = refusals[0] ?? metricNotFound(metric, described?.resource ?? "", described?.name);
    return refuse(none);
  }
  const items = new Map<string, { readonly first: Item; readonly amounts: MilliValue[] }>();
  for (const answer of answers) {
    for (const item of answer.ok ? (answer.value as readonly Item[]) : []) {
      const { name } = item.describedObject;
      const known = items.get(name) ?? { first: item, amounts: [] };
      known.amounts.push(parseMilli(item.value) ?? 0);
      items.set(name, known);
    }
  }
  const sums = [...items.values()].map(({ first, amounts }) => ({
    ...first,
    value: `${sumMilli(amounts)}m`,
  }));
  return { ok: true, value: sums };
}
