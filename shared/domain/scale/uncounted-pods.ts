import { groupPods } from "#domain/fleet/group-pods";
import type { Pod, PodSample } from "#domain/fleet/pod";
import type { Snapshot } from "#domain/fleet/snapshot";
import { surveyMembers } from "#domain/fleet/survey";
import { isPerPod, podQuestion } from "#domain/scale/pod-question";
import type { Policy } from "#domain/scale/policy";
import { groupBy } from "#domain/units/group";

/** The pods behind a metric's counts, as `cluster/pod`; the unready ones with what they wait for. */
export interface UncountedPods {
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

/** Names the pods whose usage did not count for the metric at `index`; undefined for a metric that is a single value. */
export function uncountedPods(snapshot: Snapshot, index: number, policy: Policy): UncountedPods | undefined {
  const metric = snapshot.object.spec.metrics[index];
  if (metric === undefined || !isPerPod(metric)) return undefined;
  const question = podQuestion(metric);
  const groupOf = (cluster: string, pod: Pod, samples: readonly PodSample[]) => {
    const member = { cluster, pods: [pod], samples };
    const { unready, missing, ignored } = groupPods([member], question, snapshot.instantMs, policy);
    return unready.pods > 0 ? "unready" : missing.pods > 0 ? "missing" : ignored > 0 ? "ignored" : "ready";
  };
  const uncounted = { unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  for (const { cluster, pods, samples } of surveyMembers(snapshot).visible) {
    const samplesOf = groupBy(samples[index] ?? [], ({ pod }) => pod);
    for (const pod of pods) {
      const group = groupOf(cluster, pod, samplesOf.get(pod.name) ?? []);
      const name = `${cluster}/${pod.name}`;
      if (group === "unready") {
        uncounted.unready.push(`${name} ${pod.phase === "Pending" ? "pending" : "starting"}`);
      } else if (group !== "ready") uncounted[group].push(name);
    }
  }
  return uncounted;
}
