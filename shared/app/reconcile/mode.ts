import type { Hub, Mode } from "./deps.ts";

const ANNOTATION = "mainsheet.io/mode";

/** A FederatedHPA or a CronFederatedHPA. */
interface MarkedObject {
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * The hub as one object is to be treated: its annotation `mainsheet.io/mode` decides, else its namespace, else the hub.
 * An annotation that is neither `observe` nor `active` means `observe`: it was meant to say something.
 */
export function hubFor(hub: Hub, { namespace, annotations }: MarkedObject): Hub {
  return { ...hub, mode: modeOf(hub, namespace, annotations[ANNOTATION]) };
}

function modeOf(hub: Hub, namespace: string, annotation: string | undefined): Mode {
  if (annotation !== undefined) return annotation === "active" ? "active" : "observe";
  return hub.activeNamespaces?.includes(namespace) ? "active" : hub.mode;
}
