import type { AutoscalerWrite, FieldWrite } from "#domain/fleet/snapshot";
import { parseInstant } from "#domain/units/instant";
import type { KubeObject, ManagedFields } from "#ports/kubernetes";

/** The owner of `spec.replicas`; of several the one that wrote last. Undefined where managedFields do not say. */
export function replicasWrite({ metadata }: KubeObject): FieldWrite | undefined {
  return latest((metadata.managedFields ?? []).filter(ownsReplicas));
}

/** Whose write of a target's scale is an autoscaler's: a person's `kubectl scale` is not. */
const AUTOSCALERS = /^(karmada-controller-manager|mainsheet.*)$/;

/**
 * What other autoscalers than `own` wrote, newest first: the status of a FederatedHPA, which only autoscalers write,
 * and the scale of its target.
 */
export function autoscalerWrites(
  object: KubeObject,
  target: KubeObject | undefined,
  own: string,
): AutoscalerWrite[] {
  const others = ({ manager, subresource }: ManagedFields, wanted: string) =>
    subresource === wanted && manager !== undefined && manager !== own;
  const status = latest((object.metadata.managedFields ?? []).filter((entry) => others(entry, "status")));
  const scale = latest(
    (target?.metadata.managedFields ?? []).filter(
      (entry) => others(entry, "scale") && ownsReplicas(entry) && AUTOSCALERS.test(entry.manager ?? ""),
    ),
  );
  return [
    ...(status === undefined ? [] : [{ ...status, wrote: "status" as const }]),
    ...(scale === undefined ? [] : [{ ...scale, wrote: "scale" as const }]),
  ].sort((a, b) => b.atMs - a.atMs);
}

function ownsReplicas({ fieldsV1 }: ManagedFields): boolean {
  const fields = fieldsV1 as { "f:spec"?: { "f:replicas"?: object } } | undefined;
  return fields?.["f:spec"]?.["f:replicas"] !== undefined;
}

function latest(entries: readonly ManagedFields[]): FieldWrite | undefined {
  let found: FieldWrite | undefined;
  for (const { manager = "", time } of entries) {
    const atMs = parseInstant(time ?? "") ?? 0;
    if (found === undefined || atMs >= found.atMs) found = { manager, atMs };
  }
  return found;
}
