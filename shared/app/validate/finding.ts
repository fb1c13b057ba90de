import type { SpecFault } from "#domain/spec/federated-hpa";

/** One document of a manifest, as plain JSON. */
export interface Manifest {
  readonly file: string;
  readonly value: unknown;
}

/** What a hub does not take, or what it takes and will not do what was meant. */
export interface Finding {
  readonly level: "fault" | "warning";
  readonly file: string;
  /** `FederatedHPA shop/web`. */
  readonly object: string;
  /** The field, as Kubernetes writes it; empty for the object as a whole. */
  readonly path: string;
  readonly code: string;
  /** One sentence: what is there, what is allowed. */
  readonly detail: string;
}

/** The codes beside those of field faults. */
export type ManifestFaultCode =
  | "document-form"
  | "field-unknown"
  | "stock-hub-refuses"
  | "stock-hub-drops"
  | "annotation-unknown"
  | "annotation-value"
  | "target-shared";

/** A finding before it is known of which object. */
export type Remark = Omit<Finding, "file" | "object">;

/** A fault of a spec, in the webhook's words where it has some. */
export function faultRemark({
  code,
  path,
  detail,
  message,
}: SpecFault & { readonly message?: string }): Remark {
  const prefix = `${path}: `;
  const worded = message?.startsWith(prefix) ? message.slice(prefix.length) : detail;
  return { level: "fault", code, path, detail: worded };
}

export function warning(code: ManifestFaultCode, path: string, detail: string): Remark {
  return { level: "warning", code, path, detail };
}
