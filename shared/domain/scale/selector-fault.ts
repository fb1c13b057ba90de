import type { Snapshot } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import type { Why } from "#domain/scale/verdict";

export interface SelectorFault extends Why {
  /** Whether an event of its own is due; for clusters without a selector each had one already. */
  readonly event: boolean;
}

/**
 * Why pods cannot be told apart at all: a selector that cannot be parsed, no cluster with one, or another object's that
 * overlaps (B27). Undefined if they can. As in Karmada, one cluster's unparsable selector stops all.
 */
export function selectorFault(
  { object, ambiguousWith }: Snapshot,
  { visible, gaps }: Survey,
): SelectorFault | undefined {
  const invalid = gaps.find(({ fault }) => fault.code === "selector-invalid");
  if (invalid !== undefined) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${invalid.fault.message}`;
    return { reason: "InvalidSelector", message, event: true };
  }
  if (visible.length === 0 && gaps.some(({ fault }) => fault.code === "selector-missing")) {
    const message = "the HPA target's scale is missing a selector";
    return { reason: "InvalidSelector", message, event: false };
  }
  if (ambiguousWith.length > 0) {
    const all = [...ambiguousWith, `${object.namespace}/${object.name}`].sort().join(" ");
    const message = `pods by selector ${visible[0]?.selector ?? ""} are controlled by multiple HPAs: [${all}]`;
    return { reason: "AmbiguousSelector", message, event: true };
  }
  return undefined;
}
