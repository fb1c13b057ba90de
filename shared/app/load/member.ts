import type { Pod } from "#domain/fleet/pod";
import type { MemberScale, Read, ReadFaultCode } from "#domain/fleet/snapshot";
import type { PodsMetric } from "#domain/spec/federated-hpa";
import { groupBy } from "#domain/units/group";
import { matches, type Selector } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import { isPortFault } from "#ports/fault";
import type { KubeObject, ListQuery, ResourceRef, Server } from "#ports/kubernetes";
import { replicasWrite } from "#wire/kubernetes/managed-fields";
import { decodePods } from "#wire/kubernetes/pod";
import { POD_METRICS, PODS } from "#wire/kubernetes/resources";
import { decodeMemberScale, type ScalePaths } from "#wire/kubernetes/workload";
import { faultOf, type LoadContext, readFault, readNamed } from "./context.ts";
import { scalableKind } from "./kinds.ts";
import { narrowed } from "./narrowed.ts";
import { type PodValues, readPodValues } from "./pod-values.ts";

/** A workload of one member that some object needs. */
export interface MemberNeed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Whether any of its metrics comes from the resource metrics API. */
  readonly podMetrics: boolean;
  /** Those that come from the custom metrics API. */
  readonly podsMetrics: readonly PodsMetric[];
}

/** One namespace of one member, as far as it is needed. */
export interface MemberWorld {
  scaleOf(need: MemberNeed): Read<MemberScale>;
  /** The pods that the selector matches. */
  podsOf(selector: string): Read<readonly Pod[]>;
  /** PodMetrics by pod name. */
  readonly podMetrics: Read<ReadonlyMap<string, KubeObject>>;
  readonly podValues: PodValues;
}

/**
 * Reads a member's namespace in two steps: the workloads, one request per kind; then pods, their resource metrics and
 * each custom metric, one request each, narrowed to what the workloads' selectors have in common.
 */
export async function readMember(
  context: LoadContext,
  cluster: string,
  namespace: string,
  needs: readonly MemberNeed[],
): Promise<MemberWorld> {
  const at = { member: cluster };
  const scales = await readScales(context, at, namespace, needs);
  const selectors = [...scales.values()].flatMap((scale) => (scale.ok ? [scale.value.selector] : []));
  const parsed = selectors.flatMap((text) => {
    const selector = parseSelector(text);
    return text !== "" && selector.ok ? [selector.value] : [];
  });
  const query = narrowed(namespace, parsed);
  const withMetrics = needs.some(({ podMetrics }) => podMetrics);
  const [pods, metrics, podValues] = await Promise.all([
    parsed.length === 0 ? NONE : readList(context, at, PODS, query, "pods-unreadable"),
    parsed.length === 0 || !withMetrics
      ? NONE
      : readList(context, at, POD_METRICS, query, "metric-unreadable"),
    readPodValues(context, at, namespace, podValuesNeeds(needs, scales)),
  ]);
  const decoded = pods.ok ? decodePods(pods.value) : pods;
  const podsMatching = indexPods(decoded.ok ? decoded.value : []);
  return {
    scaleOf: (need) =>
      scales.get(workloadKey(need)) ?? readFault("scale-unreadable", `no ${need.kind} ${need.name}`),
    podsOf: (text) => {
      if (!decoded.ok) return decoded;
      const selector = parseSelector(text);
      return selector.ok
        ? { ok: true, value: podsMatching(selector.value) }
        : readFault("selector-invalid", `cluster ${cluster}: selector ${text}: ${selector.fault.detail}`);
    },
    podMetrics: metrics.ok
      ? { ok: true, value: new Map(metrics.value.map((item) => [item.metadata.name ?? "", item])) }
      : metrics,
    podValues,
  };
}

function podValuesNeeds(needs: readonly MemberNeed[], scales: ReadonlyMap<string, Read<MemberScale>>) {
  return needs.flatMap((need) => {
    const scale = scales.get(workloadKey(need));
    const selector =
      scale?.ok && scale.value.selector !== "" ? parseSelector(scale.value.selector) : undefined;
    return selector?.ok ? need.podsMetrics.map((metric) => ({ metric, selector: selector.value })) : [];
  });
}

const NONE: Read<readonly KubeObject[]> = { ok: true, value: [] };

const workloadKey = ({ apiVersion, kind, name }: MemberNeed) => `${apiVersion}/${kind}/${name}`;

async function readScales(
  context: LoadContext,
  at: { readonly member: string },
  namespace: string,
  needs: readonly MemberNeed[],
): Promise<ReadonlyMap<string, Read<MemberScale>>> {
  const kinds = groupBy(needs, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  const read = await Promise.all(
    [...kinds.values()].map(async (same): Promise<(readonly [string, Read<MemberScale>])[]> => {
      try {
        const read = await readKind(context, at, namespace, same);
        context.gate?.note(at.member, true);
        return read;
      } catch (error) {
        context.gate?.note(at.member, !isPortFault(error, "unavailable"));
        const fault = faultOf(error, "scale-unreadable");
        return same.map((need) => [workloadKey(need), { ok: false, fault }]);
      }
    }),
  );
  return new Map(read.flat());
}

async function readKind(
  context: LoadContext,
  at: { readonly member: string },
  namespace: string,
  needs: readonly MemberNeed[],
): Promise<(readonly [string, Read<MemberScale>])[]> {
  const { apiVersion, kind } = needs[0] as MemberNeed;
  const where = `cluster ${at.member}`;
  const served = await scalableKind(context, at, apiVersion, kind);
  if (served === undefined) {
    const unknown = readFault(
      "scale-unreadable",
      `${where}: it serves no scalable kind ${kind} of ${apiVersion}`,
    );
    return needs.map((need) => [workloadKey(need), unknown]);
  }
  const { resource, paths } = served;
  if (paths === undefined) return readScaleSubresources(context, at, resource, namespace, needs);
  const names = new Set(needs.map(({ name }) => name));
  const found = await readNamed(context, at, resource, kind, namespace, names);
  return needs.map((need) => {
    const object = found.get(need.name);
    const missing = readFault("scale-unreadable", `${where}: no ${kind} ${namespace}/${need.name}`);
    return [workloadKey(need), object ? memberScale(object, paths) : missing];
  });
}

/** The managers under which Karmada itself writes to members. */
const KARMADA = /^karmada/;

function memberScale(object: KubeObject, paths: ScalePaths): Read<MemberScale> {
  const scale = decodeMemberScale(object, paths);
  const manager = replicasWrite(object)?.manager;
  if (!scale.ok || manager === undefined || KARMADA.test(manager)) return scale;
  return { ok: true, value: { ...scale.value, foreignManager: manager } };
}

/** One GET each, for kinds whose objects do not say where their replicas are. */
function readScaleSubresources(
  { port }: LoadContext,
  at: Server,
  resource: ResourceRef,
  namespace: string,
  needs: readonly MemberNeed[],
): Promise<(readonly [string, Read<MemberScale>])[]> {
  return Promise.all(
    needs.map(async (need): Promise<readonly [string, Read<MemberScale>]> => {
      try {
        const { replicas, statusReplicas, selector } = await port.getScale(at, resource, {
          namespace,
          name: need.name,
        });
        return [workloadKey(need), { ok: true, value: { specReplicas: replicas, statusReplicas, selector } }];
      } catch (error) {
        return [workloadKey(need), { ok: false, fault: faultOf(error, "scale-unreadable") }];
      }
    }),
  );
}

async function readList(
  { port }: LoadContext,
  at: Server,
  resource: ResourceRef,
  query: ListQuery,
  code: ReadFaultCode,
): Promise<Read<readonly KubeObject[]>> {
  try {
    return { ok: true, value: (await port.list(at, resource, query)).items };
  } catch (error) {
    return { ok: false, fault: faultOf(error, code) };
  }
}

/**
 * Finds the pods of a selector without a pass over all pods of the namespace for each: pods are indexed by the values
 * of the first label that the selector names values for. Selectors that name none take a pass of their own.
 */
function indexPods(pods: readonly Pod[]): (selector: Selector) => readonly Pod[] {
  const indexes = new Map<string, ReadonlyMap<string, readonly Pod[]>>();
  const indexOf = (key: string) => {
    const index = indexes.get(key) ?? groupBy(pods, ({ labels }) => labels[key] ?? "");
    indexes.set(key, index);
    return index;
  };
  return (selector) => {
    const named = selector.requirements.find(({ operator }) => ["=", "==", "in"].includes(operator));
    const candidates = named ? named.values.flatMap((value) => indexOf(named.key).get(value) ?? []) : pods;
    return candidates.filter(({ labels }) => matches(selector, labels));
  };
}
