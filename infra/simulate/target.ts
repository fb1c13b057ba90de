import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { refKey } from "#sim/key";

/** What a FederatedHPA scales. */
export interface TargetRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function targetOf({ namespace, spec }: FederatedHpa): TargetRef {
  return { ...spec.scaleTargetRef, namespace };
}

/** `Deployment shop/web` */
export function targetText({ kind, namespace, name }: TargetRef): string {
  return `${kind} ${namespace}/${name}`;
}

export function targetKey({ apiVersion, kind, namespace, name }: TargetRef): string {
  return refKey(apiVersion, kind, namespace, name);
}
