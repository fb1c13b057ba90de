/** What one reconcile shows, in the form in which it is compared (vectors/README): error or none, counts, reasons. */
export interface StepAnswer {
  readonly error: boolean;
  readonly templateReplicas: number | undefined;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime: string | undefined;
  readonly currentMetrics: readonly unknown[];
  /** By type, as `status/reason`; only the three types that Karmada has. */
  readonly conditions: Readonly<Record<string, string>>;
  /** As `type/reason`, with the message where it is a rescale's; runs of the same event count once (D-19). */
  readonly events: readonly string[];
}

const KARMADAS_TYPES = ["AbleToScale", "ScalingActive", "ScalingLimited"];

export function comparedConditions(
  conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[],
): StepAnswer["conditions"] {
  const compared = conditions.filter(({ type }) => KARMADAS_TYPES.includes(type));
  return Object.fromEntries(compared.map(({ type, status, reason }) => [type, `${status}/${reason}`]));
}

export function comparedEvents(
  events: readonly (readonly [type: string, reason: string, message: string])[],
): readonly string[] {
  return events
    .map(([type, reason, message]) => `${type}/${reason}${reason.endsWith("Rescale") ? ` ${message}` : ""}`)
    .filter((event, index, all) => event !== all[index - 1]);
}
