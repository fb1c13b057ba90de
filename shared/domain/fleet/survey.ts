import type { MemberPods } from "#domain/fleet/group-pods";
import { livePods } from "#domain/fleet/live-pods";
import type { PodSample } from "#domain/fleet/pod";
import type { Member, Read, ReadFault, Snapshot } from "#domain/fleet/snapshot";
import { isCount } from "#domain/units/replicas";
import { parseSelector } from "#domain/units/selector-parse";

/** What of the bound clusters a decision can stand on. */
export interface Survey {
  /** Clusters whose scale, pods and metrics were all read, in the order of the binding. */
  readonly visible: readonly VisibleMember[];
  /** The others: out whole, each with the first read that failed (C03, D-09). */
  readonly gaps: readonly Gap[];
  /** Metrics that no cluster could answer, by their index: that is the metric's fault, not the clusters'. */
  readonly metricFaults: ReadonlyMap<number, ReadFault>;
}

export interface VisibleMember extends Omit<MemberPods, "samples"> {
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly selector: string;
  readonly foreignManager?: string;
  /** Aligned with the metrics of the spec. */
  readonly samples: readonly (readonly PodSample[])[];
}

export interface Gap {
  readonly cluster: string;
  readonly fault: ReadFault;
}

/**
 * Sorts the bound clusters into those that count and gaps. A cluster that fails any of scale, pods or metrics is out
 * whole: with its replicas but without its pods, 3 + 3 pods at 120 % of 80 % would need 5, and they need 9 (C03).
 */
export function surveyMembers(snapshot: Pick<Snapshot, "members" | "metrics">): Survey {
  const candidates: (Read<Candidate> & { readonly cluster: string })[] = snapshot.members.map((member) => ({
    cluster: member.cluster,
    ...examine(member),
  }));
  const readable = candidates.flatMap((candidate) => (candidate.ok ? [candidate.value] : []));
  const metricFaults = faultsOfAll(readable, snapshot.metrics.length);

  const visible: VisibleMember[] = [];
  const gaps: Gap[] = [];
  for (const candidate of candidates) {
    const { cluster } = candidate;
    const fault = candidate.ok ? firstSampleFault(candidate.value, metricFaults) : candidate.fault;
    if (fault !== undefined) gaps.push({ cluster, fault });
    else if (candidate.ok) visible.push(visibleMember(candidate.value));
  }
  return { visible, gaps, metricFaults };
}

interface Candidate extends Omit<VisibleMember, "samples"> {
  readonly samples: readonly Read<readonly PodSample[]>[];
}

function examine({ cluster, scale, pods, samples }: Member): Read<Candidate> {
  if (!scale.ok) return scale;
  const { specReplicas, statusReplicas, selector, foreignManager } = scale.value;
  if (!isCount(specReplicas) || !isCount(statusReplicas)) {
    return unreadable("scale-unreadable", `scale of cluster ${cluster} has no valid replica counts`);
  }
  if (selector === "") {
    return unreadable("selector-missing", `scale of cluster ${cluster} has no status.selector`);
  }
  const parsed = parseSelector(selector);
  if (!parsed.ok) return unreadable("selector-invalid", parsed.fault.detail);
  if (!pods.ok) return pods;
  const live = livePods(pods.value, parsed.value);
  const named = foreignManager === undefined ? {} : { foreignManager };
  return {
    ok: true,
    value: { cluster, specReplicas, statusReplicas, selector, ...named, pods: live, samples },
  };
}

function unreadable(code: ReadFault["code"], message: string): Read<never> {
  return { ok: false, fault: { code, message } };
}

/** The metrics that every candidate failed to answer, each with the first one's fault. */
function faultsOfAll(candidates: readonly Candidate[], metrics: number): ReadonlyMap<number, ReadFault> {
  const faults = new Map<number, ReadFault>();
  const [first] = candidates;
  for (let index = 0; index < metrics; index++) {
    const samples = first?.samples[index];
    if (samples === undefined || samples.ok) continue;
    if (candidates.every((candidate) => candidate.samples[index]?.ok === false))
      faults.set(index, samples.fault);
  }
  return faults;
}

function firstSampleFault(
  { samples }: Candidate,
  metricFaults: ReadonlyMap<number, ReadFault>,
): ReadFault | undefined {
  for (const [index, read] of samples.entries()) {
    if (!read.ok && !metricFaults.has(index)) return read.fault;
  }
  return undefined;
}

function visibleMember({ samples, ...member }: Candidate): VisibleMember {
  return { ...member, samples: samples.map((read) => (read.ok ? read.value : [])) };
}
