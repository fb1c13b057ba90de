import { groupBy } from "#domain/units/group";
import { type Remark, warning } from "./finding.ts";

/** An object and what it scales. */
export interface Scaler {
  readonly kind: "FederatedHPA" | "CronFederatedHPA";
  readonly namespace: string;
  readonly name: string;
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

/**
 * Warnings for objects that pull one target in two ways, by their index: a CronFederatedHPA beside a FederatedHPA is
 * pulled back within seconds (B79), two FederatedHPAs are both stopped (B27). Two CronFederatedHPAs get along.
 */
export function sharedTargetWarnings(scalers: readonly Scaler[]): ReadonlyMap<number, readonly Remark[]> {
  const entries = scalers.map((scaler, index) => ({ scaler, index }));
  const warnings = new Map<number, Remark[]>();
  for (const sharing of groupBy(entries, ({ scaler }) => targetKey(scaler)).values()) {
    for (const { scaler, index } of sharing) {
      const others = sharing.filter((other) => other.index !== index);
      const remarks = others.flatMap((other) => conflict(scaler, other.scaler) ?? []);
      if (remarks.length > 0) warnings.set(index, remarks);
    }
  }
  return warnings;
}

/** Versions of a group name the same object. */
function targetKey({ namespace, target: { apiVersion, kind, name } }: Scaler): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return [namespace, group, kind, name].join("\n");
}

function conflict(scaler: Scaler, other: Scaler): Remark | undefined {
  const target = `${scaler.target.kind} ${scaler.target.name}`;
  const rival = `${other.kind} ${other.namespace}/${other.name}`;
  const say = (detail: string) => warning("target-shared", "spec.scaleTargetRef", detail);
  if (scaler.kind === "FederatedHPA" && other.kind === "FederatedHPA") {
    return say(`${rival} scales ${target} too, so both are stopped (AmbiguousSelector); keep one`);
  }
  if (scaler.kind === other.kind) return undefined;
  const advice = "let the CronFederatedHPA set the FederatedHPA's min and max instead";
  return scaler.kind === "CronFederatedHPA"
    ? say(`${rival} scales ${target} too and pulls back what is set here; ${advice}`)
    : say(`${rival} sets ${target} too, and is pulled back from here; ${advice}`);
}
