import { PortFault } from "#ports/fault";
import type { Scale } from "#ports/kubernetes";
import { isObject } from "./answer.ts";
import type { Call } from "./call.ts";

/** Reads autoscaling/v1 Scale. Go omits a count of 0 (B61), so an absent one is 0; one of another type is no answer. */
export function scaleIn(call: Call, body: Record<string, unknown>): Scale {
  const metadata = isObject(body.metadata) ? body.metadata : {};
  const spec = isObject(body.spec) ? body.spec : {};
  const status = isObject(body.status) ? body.status : {};
  return {
    namespace: text(metadata.namespace),
    name: text(metadata.name),
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
    replicas: count(call, "spec.replicas", spec.replicas),
    statusReplicas: count(call, "status.replicas", status.replicas),
    selector: text(status.selector),
  };
}

/** What a PUT of `scale` carries: the count also when it is 0, and the version as precondition. */
export function scaleBody(call: string, scale: Scale): object {
  const { namespace, name, uid, resourceVersion, replicas } = scale;
  // Without a version the API server writes over whatever is there.
  if (resourceVersion === "") {
    throw new PortFault("invalid", `${call}: no resourceVersion to write against; read the scale first`);
  }
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { namespace, name, resourceVersion, ...(uid === "" ? {} : { uid }) },
    spec: { replicas },
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(call: Call, field: string, value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new PortFault(
    "unavailable",
    `${call.what}: ${field} is ${JSON.stringify(value)}, not a count of replicas`,
  );
}
