import { joinSamples } from "#domain/fleet/join-samples";
import type { Pod, PodSample } from "#domain/fleet/pod";
import { missingRequestText, podRequest } from "#domain/fleet/pod-request";
import { isUnreadyForCpu, type ReadinessRules } from "#domain/fleet/readiness";
import { addMilli, isAmount } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";

/** One readable cluster's pods and their samples of one metric. A pod's identity is (cluster, name) (D-03). */
export interface MemberPods {
  readonly cluster: string;
  /** Without terminal pods (`livePods`). */
  readonly pods: readonly Pod[];
  readonly samples: readonly PodSample[];
}

/** What is asked of the pods. */
export interface PodQuestion {
  /** Whose readiness and requests count; absent for Pods metrics. */
  readonly resource?: string;
  readonly container?: string;
  /** Whether requests are needed: for a target in percent of the request. */
  readonly withRequests: boolean;
}

/** The pods of all clusters, sorted by how far their usage can be told (semantics 4.4). */
export interface PodGroups {
  /** All pods looked at. */
  readonly total: number;
  /** Pods with a sample that counts, its sum, and the sum of their requests. */
  readonly ready: { readonly pods: number; readonly usage: MilliValue; readonly requests: MilliValue };
  /** Pending pods, and running ones whose CPU sample is not to be believed yet. */
  readonly unready: { readonly pods: number; readonly requests: MilliValue };
  /** Running pods without a sample; their requests one by one, because each is filled in by itself. */
  readonly missing: { readonly pods: number; readonly requests: readonly MilliValue[] };
  /** Pods being deleted: on their way out, they neither work nor need replacing (B19). */
  readonly ignored: number;
  /** The first pod, in the order of the lists, that has no request. */
  readonly missingRequest?: string;
  readonly largest?: LargestSample;
  readonly clusters: readonly ClusterPods[];
}

export interface ClusterPods {
  readonly cluster: string;
  readonly total: number;
  readonly ready: number;
  readonly unready: number;
  readonly missing: number;
  readonly ignored: number;
}

export interface LargestSample {
  readonly cluster: string;
  readonly pod: string;
  readonly milliValue: MilliValue;
  /** The pod's request; 0 where requests are not asked for. */
  readonly request: MilliValue;
}

/**
 * Sorts every pod into one group, in one pass. A sample that is no amount (negative, NaN) counts as none (D-30).
 */
export function groupPods(
  members: readonly MemberPods[],
  question: PodQuestion,
  nowMs: number,
  rules: ReadinessRules,
): PodGroups {
  const { resource, container, withRequests } = question;
  const readinessMatters = resource === "cpu";
  const clusters: ClusterPods[] = [];
  const missingRequests: MilliValue[] = [];
  let total = 0;
  let readyPods = 0;
  let unreadyPods = 0;
  let ignoredPods = 0;
  let usage: MilliValue = 0;
  let readyRequests: MilliValue = 0;
  let unreadyRequests: MilliValue = 0;
  let missingRequest: string | undefined;
  let largest: LargestSample | undefined;

  for (const { cluster, pods, samples } of members) {
    const readyBefore = readyPods;
    const unreadyBefore = unreadyPods;
    const missingBefore = missingRequests.length;
    const ignoredBefore = ignoredPods;
    const joined = joinSamples(pods, samples);
    for (const [i, pod] of pods.entries()) {
      const sample = joined[i];
      let request: MilliValue = 0;
      if (withRequests && resource !== undefined) {
        const asked = podRequest(pod, resource, container);
        if (asked === undefined) missingRequest ??= missingRequestText(pod, resource, container);
        else request = asked;
      }
      if (pod.deleted) {
        ignoredPods += 1;
        continue;
      }
      if (pod.phase === "Pending") {
        unreadyPods += 1;
        unreadyRequests = addMilli(unreadyRequests, request);
      } else if (sample === undefined || !isAmount(sample.milliValue)) {
        missingRequests.push(request);
      } else if (readinessMatters && isUnreadyForCpu(pod, sample, nowMs, rules)) {
        unreadyPods += 1;
        unreadyRequests = addMilli(unreadyRequests, request);
      } else {
        readyPods += 1;
        usage = addMilli(usage, sample.milliValue);
        readyRequests = addMilli(readyRequests, request);
        if (largest === undefined || sample.milliValue > largest.milliValue) {
          largest = { cluster, pod: pod.name, milliValue: sample.milliValue, request };
        }
      }
    }
    total += pods.length;
    clusters.push({
      cluster,
      total: pods.length,
      ready: readyPods - readyBefore,
      unready: unreadyPods - unreadyBefore,
      missing: missingRequests.length - missingBefore,
      ignored: ignoredPods - ignoredBefore,
    });
  }

  return {
    total,
    ready: { pods: readyPods, usage, requests: readyRequests },
    unready: { pods: unreadyPods, requests: unreadyRequests },
    missing: { pods: missingRequests.length, requests: missingRequests },
    ignored: ignoredPods,
    ...(missingRequest === undefined ? {} : { missingRequest }),
    ...(largest === undefined ? {} : { largest }),
    clusters,
  };
}
