import type { Pod } from "#domain/fleet/pod";
import { addMilli, isAmount } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";

/**
 * What `pod` asks for of `resource`, in milli units; `undefined` if a container that counts asks for nothing, because
 * a percentage of the request is then undefined for the whole metric (semantics 4.4).
 *
 * Pod-level requests stand in for the sum of the containers; native sidecars count, one-shot init containers do not
 * (D-13, B23): app 100m + sidecar 100m = 200m. With `container` only that one counts; a pod without it asks for 0.
 */
export function podRequest(pod: Pod, resource: string, container?: string): MilliValue | undefined {
  if (container === undefined) {
    const whole = pod.podRequests?.[resource];
    if (isAmount(whole)) return whole;
  }
  let sum: MilliValue = 0;
  for (const { name, requests } of pod.containers) {
    if (container !== undefined && name !== container) continue;
    const request = requests[resource];
    if (!isAmount(request)) return undefined;
    sum = addMilli(sum, request);
  }
  return sum;
}

/** Karmada's words for a pod whose request is `undefined`. */
export function missingRequestText(pod: Pod, resource: string, container?: string): string {
  const culprit = pod.containers.find(
    ({ name, requests }) => (container === undefined || name === container) && !isAmount(requests[resource]),
  );
  return `missing request for ${resource} in container ${culprit?.name ?? container ?? ""} of Pod ${pod.name}`;
}
